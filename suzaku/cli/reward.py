"""`suzaku reward`: what the reward predictor says of a game."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from suzaku.cli.errors import clear_errors

if TYPE_CHECKING:
    from rich.table import Table

    from suzaku.learning.reward import Forecast


app = typer.Typer(name="reward", no_args_is_help=True, help="What a game will be worth, as its rounds go by.")
PIPE = 160  # columns when the output goes to a file or a pipe


@app.callback()
def main() -> None:
    """Keeps `show` a command of its own while there is no other."""


@app.command()
def show(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A record in any format, or STORE:ID of a store.")],
    model: Annotated[
        str, typer.Option(help="tenhou, expert or uma, the bundled ones, or what `suzaku train reward` made.")
    ] = "tenhou",
    png: Annotated[Path | None, typer.Option(help="Also draw a picture, into this file.")] = None,
) -> None:
    """Show what each seat could expect of a game, before every round of it: reward and place.

    The reward is in Tenhou's ranking points of a 7 dan player (+90, +45, 0, -135 for the places), or with `--model
    uma` the bonus of the places in thousands. Needs no torch.

    Examples:

    suzaku reward show game.mjlog --png game.png

    suzaku reward show games:2024042112gm --model uma
    """
    with clear_errors():
        from rich.console import Console

        from suzaku.cli.compile import prepare
        from suzaku.learning.reward import RewardModel, draw, forecast
        from suzaku.plots import check_plot
        from suzaku.records.formats import open_game

        if png is not None:
            check_plot(png)
        predictor = RewardModel.load(model)
        prepare("records.importing")
        stored, names = open_game(game)
        found = forecast(predictor, stored)
        console = Console()
        (console if console.is_terminal else Console(width=PIPE)).print(_table(found, names, predictor.target))
        if png is not None:
            draw(found, names, predictor.target, png)
            typer.echo(f"written: {png}")


def _table(found: "Forecast", names: list[str], target: str) -> "Table":
    """A row for each round: each seat's points, expected reward and expected place."""
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    title = f"points, expected reward ({target}), expected place"
    shown = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    shown.add_column("before")
    for name in names:
        shown.add_column(escape(name), justify="right")
    for label, row, reward, place in zip(found.labels, found.rows, found.reward, found.place, strict=True):
        cells = (f"{row['scores'][p]:7,} {reward[p]:+7.1f} {place[p]:5.2f}" for p in range(4))
        shown.add_row(label, *cells)
    return shown
