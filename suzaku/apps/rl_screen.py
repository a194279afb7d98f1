"""The screen of reinforcement learning: figures of the newest iteration, its alarms, and how strong it has become."""

from typing import TYPE_CHECKING

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from suzaku.learning.loop import Run
from suzaku.rl.alarms import alarms
from suzaku.words import some

if TYPE_CHECKING:
    from suzaku.rl.learner import Reinforcement

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
    ("natural step, and by luck alone, as a KL", "{natural_step:.5f}, {natural_luck:.5f}"),
    ("KL from the behaviour, from the start", "{kl_behaviour:.4f}, {kl_start:.4f}"),
    ("gamma, pairs rejected", "{gamma:.3f}, {rejected:.2%}"),
    ("KL of the oracle from the player", "{kl_oracle:.4f}"),
    ("variance of the rewards by the luck of the deal", "{luck:.1%}"),
    (
        "win, deal-in, riichi, call, % of hands",
        "{win rate:.1f}, {deal-in rate:.1f}, {riichi rate:.1f}, {call rate:.1f}",
    ),
    ("workers replaced", "{replaced:.0f}"),
)


ONLY = {  # rows that are shown where there is such a figure
    "natural step, and by luck alone, as a KL": "natural_step",
    "gamma, pairs rejected": "gamma",
    "KL of the oracle from the player": "kl_oracle",
    "variance of the rewards by the luck of the deal": "luck",
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

        def validated(look: dict[str, float]) -> None:
            if console.is_terminal:
                live.update(screen(run, learner, latest, warned), refresh=True)
            else:
                console.print(f"  {learner.say_gain(look)}", soft_wrap=True)

        run.run(tell, every=1, validated=validated)


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
        digits = 1 if learner.game.name == "mcr" else 0
        for look in run.curve[-6:]:
            line = f"  after {look['games']:>9,.0f} games  {look['gain']:+7.{digits}f} ± {look['interval']:.{digits}f}"
            if "oracle_gain" in look:
                line += f"   oracle {look['oracle_gain']:+7.0f} ± {look['oracle_interval']:.0f}"
            if "gamma" in look:
                line += f"   gamma {look['gamma']:.2f}"
            parts.append(Text(line))
    parts += [Text(f"! {one}", style="bold red") for one in warned]
    title = f"{learner.title}: iteration {run.step:,} of {learner.config.iterations:,}"
    return Panel(Group(*parts), title=title, title_align="left", expand=False)
