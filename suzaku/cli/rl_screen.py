"""The screen of reinforcement learning: figures of the newest iteration, alarms, and how strong it has become.

- What goes wrong in reinforcement learning: seen in the figures of an iteration, a sentence each with what to do.
- The screen of reinforcement learning: figures of the newest iteration, its alarms, and how strong it has become.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from suzaku.learning.loop import Run
from suzaku.system import some

if TYPE_CHECKING:
    from suzaku.rl.learner import Reinforcement


COLLAPSE = 0.5  # of the entropy's target
WEIGHTS = 0.5  # effective share of the importance weights
MISMATCH = 0.05  # divergence of the learner's first policy from the one that played
STARVING = 0.6  # of the time spent waiting
IDLE = 0.02
STALE = 0.05  # of the games left out, since their weights were too old
TOO_OLD = (
    "{} of the games began with weights that are older than staleness allows, the long ones first: fewer tables, or "
    "more games an iteration"
)


def alarms(figures: Mapping[str, float], workers: int, first: bool) -> list[str]:
    """The alarms of an iteration. `first` says that nothing has been learnt yet."""
    said = []
    if figures.get("illegal", 0.0) > 0:
        said.append(
            f"{figures['illegal']:.2%} of the actions that were played are illegal to the learner: its mask is wrong; "
            "stop, and report it"
        )
    if first and abs(figures.get("kl_first", 0.0)) > MISMATCH:
        said.append(
            f"before anything was learnt, the learner's policy is not the one that played (KL "
            f"{figures['kl_first']:.3f}): start from the weights that the actors have"
        )
    if figures.get("drawn", 1.0) == 0:
        said.append(
            "no game was learnt from: " + TOO_OLD.format("all")
            if figures.get("stale", 0.0)
            else "no game was drawn from the buffer, and nothing learnt: more games an iteration, or less reuse"
        )
    elif figures.get("rate", 1.0) == 0:
        said.append("no game had a decision of the models that learn, and nothing was learnt: more games an iteration")
    elif figures.get("stale", 0.0) > STALE:
        said.append(TOO_OLD.format(f"{figures['stale']:.0%}"))
    if figures.get("reward", 1.0) < 1e-6:
        said.append("the rewards are all the same: nothing can be learnt; look at the reward model and the games")
    target = figures.get("entropy_target", float("nan"))
    if figures.get("entropy", 1.0) < COLLAPSE * target:
        said.append(
            f"the entropy has fallen to {figures['entropy']:.3f}, its target is {target:.3f}: lower rate, or raise beta"
        )
    if figures.get("effective", 1.0) < WEIGHTS:
        lower = "natural" if "natural_step" in figures else "rate, epochs or reuse"
        said.append(f"the importance weights count for {figures['effective']:.0%} of their number: lower {lower}")
    if workers and not first:
        if figures.get("waiting", 0.0) > STARVING:
            said.append(
                f"the learner waits {figures['waiting']:.0%} of the time for games: more workers, if cores are free"
            )
        elif figures.get("waiting", 1.0) < IDLE:
            said.append("the workers wait for the learner: more games an iteration, or fewer workers")
    return said


ROWS = (  # label, figures and how they are written
    ("games, decisions learnt", "{games:,.0f}, {decisions:,.0f}"),
    ("decisions learnt a second", "{rate:,.0f}"),
    ("games a second, while they are played", "{play_rate:,.1f}"),
    ("waiting for games", "{waiting:.0%}"),
    ("games left out, their weights being too old", "{stale:.1%}"),
    ("reward, deviation", "{reward:.3f}"),
    ("variance explained by the value network", "{explained:.1%}"),
    ("entropy, target, alpha", "{entropy:.4f}, {entropy_target:.4f}, {alpha:+.5f}"),
    ("importance weights: effective, clipped", "{effective:.1%}, {clipped:.1%}"),
    ("natural step, and by noise alone, as a KL", "{natural_step:.5f}, {natural_luck:.5f}"),
    ("KL from the last version, from the start", "{kl_version:.5f}, {kl_start:.4f}"),
    ("gamma, pairs rejected", "{gamma:.3f}, {rejected:.2%}"),
    (
        "win, deal-in, riichi, call, % of hands",
        "{win rate:.1f}, {deal-in rate:.1f}, {riichi rate:.1f}, {call rate:.1f}",
    ),
    ("workers replaced", "{replaced:.0f}"),
)


ONLY = {  # rows that are shown where there is such a figure
    "natural step, and by noise alone, as a KL": "natural_step",
    "gamma, pairs rejected": "gamma",
}


class _Missing(dict[str, float]):
    """Figures that are not there yet."""

    def __missing__(self, key: str) -> float:
        return float("nan")


def run_on_screen(run: Run) -> None:
    """Let the run go on, with a screen in a terminal and lines elsewhere."""
    from suzaku.rl.learner import Reinforcement

    learner = run.learner
    assert isinstance(learner, Reinforcement)
    console = Console()
    latest = _Missing()
    warned: list[str] = []
    with Live(console=console, auto_refresh=False, transient=False) as live:

        def tell(figures: dict[str, float]) -> None:
            latest.update(figures)
            warned[:] = alarms(figures, learner.config.workers, learner.version <= 1)
            if console.is_terminal:
                live.update(screen(run, learner, latest, warned), refresh=True)
                return
            console.print(f"{int(figures['step']):,}: {learner.say(latest, {})}", soft_wrap=True)
            if lost := int(latest["replaced"]):
                console.print(f"  {some(lost, 'worker')} lost and replaced so far", soft_wrap=True)
            for one in warned:
                console.print(f"  alarm: {one}", soft_wrap=True)

        def validated(found: dict[str, float]) -> None:
            if console.is_terminal:
                live.update(screen(run, learner, latest, warned), refresh=True)
            else:
                console.print(f"  {learner.say_gain(found)}", soft_wrap=True)

        if console.is_terminal:
            live.update(waiting_screen(run, learner), refresh=True)
        run.run(tell, every=1, validated=validated)


def waiting_screen(run: Run, learner: "Reinforcement") -> RenderableType:
    """What is going on until there are figures."""
    config = learner.config
    lines = [f"playing {some(config.games, 'game')}, then learning from them: the first figures come after that"]
    if learner.version < config.value_first and learner.value:
        lines.append(f"until iteration {config.value_first:,} the value network alone learns")
    return Panel(Group(*lines), title=_title(run, learner), title_align="left", expand=False)


def _title(run: Run, learner: "Reinforcement") -> str:
    return f"{learner.title}: iteration {run.step:,} of {learner.config.iterations:,}"


def screen(run: Run, learner: "Reinforcement", figures: dict[str, float], warned: list[str]) -> RenderableType:
    """One iteration as a panel."""
    table = Table.grid(padding=(0, 2))
    for label, form in ROWS:
        if label in ONLY and ONLY[label] not in figures:
            continue
        text = form.format_map(_Missing(figures))
        table.add_row(label, text.replace("nan%", "–").replace("nan", "–"))
    parts: list[RenderableType] = [table]
    if run.curve:
        parts.append(Text("\ngain over the start, points a round", style="bold"))
        digits = learner.game.descriptor.digits
        for found in run.curve[-6:]:
            gain = f"{found['gain']:+7.{digits}f} ± {found['interval']:.{digits}f}"
            line = f"  after {found['games']:>9,.0f} games  {gain}"
            if "oracle_gain" in found:
                line += f"   oracle {found['oracle_gain']:+7.0f} ± {found['oracle_interval']:.0f}"
            if "gamma" in found:
                line += f"   gamma {found['gamma']:.2f}"
            parts.append(Text(line))
    parts += [Text(f"! {one}", style="bold red") for one in warned]
    return Panel(Group(*parts), title=_title(run, learner), title_align="left", expand=False)
