"""Writing a game in any of the formats."""

from collections.abc import Callable

from suzaku.records.formats.mjai_write import write_mjai
from suzaku.records.formats.mjlog_write import write_mjlog
from suzaku.records.formats.tenhou6_write import write_tenhou6
from suzaku.records.game import Game
from suzaku.records.mcr.match_json import write_json
from suzaku.records.mcr.match_text import write_text
from suzaku.records.mcr.recorded import Recorded
from suzaku.records.mcr.replay import tell
from suzaku.records.stored import Stored
from suzaku.records.to_events import to_events

WRITERS: dict[str, Callable[[Game], bytes]] = {"mjai": write_mjai, "tenhou6": write_tenhou6, "mjlog": write_mjlog}
MCR_WRITERS: dict[str, Callable[[Recorded], bytes]] = {"botzone": write_json, "botzone-text": write_text}
ENDINGS = {
    "mjai": "mjson", "tenhou6": "json", "mjlog": "mjlog", "botzone": "json", "botzone-text": "txt"
}  # of file names  # fmt: skip


def formats_of(game: str) -> list[str]:
    """The formats that can hold this game: a format belongs to one."""
    return {"riichi": list(WRITERS), "mcr": list(MCR_WRITERS)}.get(game, [])


def write_stored(stored: Stored, format: str) -> bytes:
    """A stored game as a text of one of its game's formats."""
    formats = formats_of(stored.game)
    if format not in formats:
        known = ", ".join(formats) or "none"
        raise ValueError(f"{stored.id} is of {stored.game}, which {format!r} cannot hold: its formats are {known}")
    return MCR_WRITERS[format](tell(stored)) if stored.game == "mcr" else WRITERS[format](to_events(stored))


def write_game(game: Game, format: str) -> bytes:
    """The game as a text of the format "mjai", "tenhou6" or "mjlog"."""
    if format not in WRITERS:
        raise ValueError(f"format {format!r} is unknown: choose one of {', '.join(WRITERS)}")
    return WRITERS[format](game)
