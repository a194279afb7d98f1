"""Writing a game in any of the formats."""

from collections.abc import Callable
from typing import Any

from suzaku.records.formats.mjai_write import write_mjai
from suzaku.records.formats.mjlog_write import write_mjlog
from suzaku.records.formats.tenhou6_write import write_tenhou6
from suzaku.records.game import Game
from suzaku.records.stored import Stored
from suzaku.records.to_events import to_events

WRITERS: dict[str, Callable[[Game], bytes]] = {"mjai": write_mjai, "tenhou6": write_tenhou6, "mjlog": write_mjlog}
MCR_FORMATS = ("botzone", "botzone-text")
ENDINGS = {
    "mjai": "mjson", "tenhou6": "json", "mjlog": "mjlog", "botzone": "json", "botzone-text": "txt"
}  # of file names  # fmt: skip


def formats_of(game: str) -> list[str]:
    """The formats that can hold this game: a format belongs to one."""
    return {"riichi": list(WRITERS), "mcr": list(MCR_FORMATS)}.get(game, [])


def check_format(game: str, rules: Any, format: str) -> None:
    """Refuse rules whose games a format of this game cannot hold."""
    if game == "mcr" and format in MCR_FORMATS and not (rules.duplicate and rules.hands == 1):
        raise ValueError(f"{format} holds single hands with private walls: keep games of these rules in a store")


def write_stored(stored: Stored, format: str) -> bytes:
    """A stored game as a text of one of its game's formats."""
    formats = formats_of(stored.game)
    if format not in formats:
        known = ", ".join(formats) or "none"
        raise ValueError(f"{stored.id} is of {stored.game}, which {format!r} cannot hold: its formats are {known}")
    if stored.game == "riichi":
        return WRITERS[format](to_events(stored))
    from suzaku.records.mcr import tell, write_json, write_text  # Riichi needs none of its kernels

    return write_json(tell(stored)) if format == "botzone" else write_text(tell(stored))


def write_game(game: Game, format: str) -> bytes:
    """The game as a text of the format "mjai", "tenhou6" or "mjlog"."""
    if format not in WRITERS:
        raise ValueError(f"format {format!r} is unknown: choose one of {', '.join(WRITERS)}")
    return WRITERS[format](game)
