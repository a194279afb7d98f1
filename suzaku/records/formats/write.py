"""Writing a game in any of the formats."""

from collections.abc import Callable

from suzaku.records.formats.mjai_write import write_mjai
from suzaku.records.formats.mjlog_write import write_mjlog
from suzaku.records.formats.tenhou6_write import write_tenhou6
from suzaku.records.game import Game

WRITERS: dict[str, Callable[[Game], bytes]] = {"mjai": write_mjai, "tenhou6": write_tenhou6, "mjlog": write_mjlog}
ENDINGS = {"mjai": "mjson", "tenhou6": "json", "mjlog": "mjlog"}  # of file names


def formats_of(game: str) -> list[str]:
    """The formats that can hold this game: a format belongs to one, and all there are belong to Riichi."""
    return list(WRITERS) if game == "riichi" else []


def write_game(game: Game, format: str) -> bytes:
    """The game as a text of the format "mjai", "tenhou6" or "mjlog"."""
    if format not in WRITERS:
        raise ValueError(f"format {format!r} is unknown: choose one of {', '.join(WRITERS)}")
    return WRITERS[format](game)
