"""`suzaku features`: what the networks see, as tables, text and pictures."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    no_args_is_help=True, help="What the networks see: the channel tables, and the channels of any state."
)


@app.command()
def table(
    name: Annotated[str, typer.Argument(help="A feature set: suphx, suphx+claim, oracle, gao ...")] = "suphx",
) -> None:
    """Print a channel table: first channel, number of channels, encoding and meaning of every group."""
    from rich.console import Console
    from rich.table import Table as RichTable

    from suzaku.cli.errors import clear_errors
    from suzaku.features.sets import feature_set
    from suzaku.features.show import encoding_of

    with clear_errors():
        features = feature_set(name)
    told = f"{features.channels} channels, version {features.version}, hash {features.hash}"
    shown = RichTable(title=f"{name}: {told}")
    for column in ("first", "channels", "name", "encoding", "meaning"):
        shown.add_column(column, justify="right" if column in ("first", "channels") else "left")
    start = 0
    for group in features.groups:
        shown.add_row(str(start), str(group.count), group.name, encoding_of(group), group.meaning)
        start += group.count
    Console().print(shown)


@app.command()
def show(
    seed: Annotated[int, typer.Option(min=0, help="The game, as in `suzaku watch --seed`.")] = 0,
    record: Annotated[
        str | None, typer.Option(metavar="FILE", help="A recorded game instead, in any format of `suzaku data`.")
    ] = None,
    decisions: Annotated[int, typer.Option(min=0, help="How many decisions to play before looking.")] = 40,
    png: Annotated[Path | None, typer.Option(help="Draw all channels into this picture. Needs matplotlib.")] = None,
    oracle: Annotated[bool, typer.Option("--oracle", help="Show the oracle's channels too.")] = False,
) -> None:
    """Show the channels of a state of a game: every channel that is not empty, by group.

    The game is one of four simple players, or a recorded one.

    Examples:

    suzaku features show --seed 7 --decisions 60 --png channels.png

    suzaku features show --record game.mjlog --decisions 100
    """
    from suzaku.cli.errors import check_out, clear_errors
    from suzaku.features.sets import feature_set
    from suzaku.features.show import describe, picture

    with clear_errors():
        if png is not None:
            from suzaku.plots import check_plot

            check_plot(check_out(str(png)))
        from suzaku.cli.options import position

        game = position(seed, record, decisions, "features")
    state = game.record.reshape(1)
    features = feature_set("suphx+oracle" if oracle else "suphx")
    planes = features.encode(state)[0]
    typer.echo(str(game.view(game.seat)))
    typer.echo(describe(planes, features.groups), nl=False)
    if png is not None:
        with clear_errors():
            picture(planes, features.groups, png)
        typer.echo(f"drawn into {png}")
