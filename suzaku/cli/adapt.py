"""`suzaku adapt`: how a policy adapts to one position, before a player's eyes."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from suzaku.cli.errors import clear_errors

if TYPE_CHECKING:
    import numpy as np
    from rich.console import Console

    from suzaku.rl.adapt_agent import AdaptingAgent
    from suzaku.rl.adaptation import Adaptation, Change


app = typer.Typer(name="adapt", no_args_is_help=True, help="Run-time adaptation of the policy to a hand.")


@app.callback()
def main() -> None:
    """Run-time adaptation of the policy to a hand (pMCPA)."""


@app.command()
def show(
    agent: Annotated[str, typer.Option(help="Who adapts, with its settings.")] = "suphx:adapt=512",
    seed: Annotated[int, typer.Option(min=0, help="The game, as in `suzaku watch --seed`.")] = 0,
    record: Annotated[
        str | None, typer.Option(metavar="FILE", help="A recorded game instead, in any format of `suzaku data`.")
    ] = None,
    decisions: Annotated[int, typer.Option(min=0, help="How many decisions to play before looking.")] = 0,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw both policies into this picture. Needs matplotlib.")
    ] = None,
) -> None:
    """Adapt to one position, and show the policy before and after. What changed most comes first.

    What the asked seat cannot see is redrawn for every rollout. It needs torch: pip install 'suzaku[train]'.

    Examples:

    suzaku adapt show --seed 7 --picture adapted.png

    suzaku adapt show --agent suphx:adapt=2000,adapt_rate=1e-3 --decisions 20
    """
    from rich.console import Console

    from suzaku.cli.errors import check_out

    with clear_errors():
        if picture is not None:
            from suzaku.plots import check_plot

            check_plot(check_out(str(picture)))
        from suzaku.agents.make import make_agent
        from suzaku.cli.options import position

        adapting = make_agent(agent)
        if not hasattr(adapting, "offline"):
            raise ValueError(f"{agent} does not adapt: name one such as suphx:adapt=512")
        game = position(seed, record, decisions, f"riichi {agent}")
        from suzaku.rl.adapt_agent import AdaptingAgent
        from suzaku.rl.adaptation import changes
        from suzaku.rl.adaptation import picture as draw

        assert isinstance(adapting, AdaptingAgent)
        told = _adapt(adapting, game.record.reshape(1).copy(), Console(stderr=True))
        legal = game.legal_mask()
        asked = game.record.reshape(1).copy()
        before = adapting.offline.act(asked, legal[None])
        after = told.player(False).act(asked, legal[None])
        assert before.policy is not None
        assert after.policy is not None
        found = changes(game.record, legal, before.policy[0], after.policy[0])
        typer.echo(str(game.view(game.seat)))
        kl = told.tuner.kl if told.tuner else 0.0
        text = f"{told.rolled:,} rollouts, KL divergence from the offline policy {kl:.4f}"
        _print(Console(), found, text)
        if picture is not None:
            draw(found, text, picture)
            typer.echo(f"drawn into {picture}")


def _adapt(agent: "AdaptingAgent", record: "np.ndarray", console: "Console") -> "Adaptation":
    """Adapt, with the rollouts on the screen."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from suzaku.rl.adaptation import Adaptation

    adaptation = Adaptation(agent.offline, agent.config, agent.worth)
    bar = Progress(
        BarColumn(), MofNCompleteColumn(), TextColumn("rollouts"), TimeElapsedColumn(),
        console=console, transient=True, disable=not console.is_terminal,
    )  # fmt: skip
    with bar:
        rollouts = agent.config.rollouts or agent.config.more
        task = bar.add_task("", total=rollouts)
        seat = int(record["seat"][0])
        clock = agent.clock()
        adaptation.run(record, seat, rollouts, clock, lambda done, _: bar.update(task, completed=done))
    return adaptation


def _print(console: "Console", found: "list[Change]", text: str) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    shown = Table(box=SIMPLE_HEAD, title=text, title_justify="left")
    for name in ("action", "before", "after", "change"):
        shown.add_column(name, justify="left" if name == "action" else "right")
    for one in found:
        shown.add_row(one.label, f"{one.before:.1%}", f"{one.after:.1%}", f"{one.difference:+.1%}")
    console.print(shown)
