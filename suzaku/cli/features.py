"""`suzaku features`: what the networks see, as tables, text and pictures."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    import numpy as np

    from suzaku.features.channels import Group

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
    from suzaku.features.channels import encoding_of
    from suzaku.features.sets import feature_set

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

    with clear_errors():
        if png is not None:
            from suzaku.plots import check_plot

            check_plot(check_out(str(png)))
        from suzaku.cli.options import position

        game = position(seed, record, decisions, "cli.features")
    state = game.record.reshape(1)
    features = feature_set("suphx+oracle" if oracle else "suphx")
    planes = features.encode(state)[0]
    typer.echo(str(game.view(game.seat)))
    typer.echo(describe(planes, features.groups), nl=False)
    if png is not None:
        with clear_errors():
            draw(planes, features.groups, png)
        typer.echo(f"drawn into {png}")


def describe(planes: "np.ndarray", groups: "tuple[Group, ...]") -> str:
    """The channels that are not empty, a line each: group, number within the group, where it is set."""
    channels = iter(planes)
    named = ((f"{group.name}.{i}", next(channels)) for group in groups for i in range(group.count))
    return "".join(f"{name}: {_channel_text(channel)}\n" for name, channel in named if channel.any())


def _channel_text(channel: "np.ndarray") -> str:
    """One channel in words: all, tiles, or tiles with their values in hundredths."""
    from suzaku.features.channels import ON
    from suzaku.tiles import to_text

    if (channel == ON).all():
        return "all"
    kinds = channel.nonzero()[0]
    if (channel[kinds] == ON).all():
        return to_text(kinds)
    return " ".join(f"{to_text([int(kind)])}={100 * int(channel[kind]) / ON:.1f}" for kind in kinds)


def draw(planes: "np.ndarray", groups: "tuple[Group, ...]", path: Path) -> None:
    """Draw all channels side by side, one column a channel and one row a kind, with the groups named, into a PNG."""
    import numpy as np

    from suzaku.features.channels import ON
    from suzaku.plots import new_figure, save_figure
    from suzaku.tiles import to_text

    width = 140
    rows = -(-len(planes) // width)
    figure = new_figure(20, 4.2 * rows)
    starts = np.cumsum([0] + [group.count for group in groups])
    for row in range(rows):
        first = row * width
        part = np.zeros((34, width))
        chunk = planes[first : first + width]
        part[:, : len(chunk)] = chunk.T / ON
        axes = figure.add_subplot(rows, 1, row + 1)
        axes.imshow(part, aspect="auto", cmap="magma_r", vmin=0, vmax=1, extent=(first, first + width, 33.5, -0.5))
        axes.set_yticks(range(34), [to_text([kind]) for kind in range(34)], fontsize=5)
        inside = [i for i, start in enumerate(starts[:-1]) if first <= start < first + width]
        axes.set_xticks(
            [starts[i] for i in inside], [groups[i].name for i in inside], rotation=60, ha="right", fontsize=7
        )
        axes.grid(axis="x", linewidth=0.5)
    save_figure(figure, path, dpi=90)


def warm_up() -> None:
    """Channels to look at."""
    import numpy as np

    from suzaku.features import oracle, suphx
    from suzaku.riichi.state import STATE

    oracle.encode_many(np.zeros(0, STATE))
    suphx.encode_many(np.zeros(0, STATE))
