"""`suzaku data export`: stored games as records again."""

import enum
from typing import Annotated

import typer

from suzaku.apps import data_options as opt
from suzaku.apps.errors import check_out, clear_errors


class Format(str, enum.Enum):
    """The formats that can be written."""

    mjai = "mjai"
    tenhou6 = "tenhou6"
    mjlog = "mjlog"
    botzone = "botzone"
    botzone_text = "botzone-text"


def export(
    store: opt.StorePath,
    format: Annotated[Format, typer.Option(help="What to write; mjai as Mortal writes it, botzone for MCR.")],
    game: Annotated[str, typer.Option(metavar="ID", help="The game's id, or how it begins.")],
    out: Annotated[str | None, typer.Option(metavar="FILE", help="Write here instead of to the terminal.")] = None,
) -> None:
    """Write a stored game in another format.

    Example: suzaku data export store --format tenhou6 --game 2024041620gm-00a9 --out game.json
    """
    with clear_errors():
        from suzaku.apps.compiling.start import prepare
        from suzaku.files import write_whole
        from suzaku.records.formats.write import write_stored
        from suzaku.records.store import Store
        from suzaku.words import some

        path = None if out is None else check_out(out)
        stored = Store(store).find(game)
        prepare("records" if stored.game == "riichi" else stored.game)
        text = write_stored(stored, format.value)
        if path is None:
            typer.echo(text.decode(), nl=False)
        else:
            write_whole(path, text)
            typer.echo(f"{out}: {stored.id}, {some(len(stored.walls), 'round')}")
