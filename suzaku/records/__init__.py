"""Game records: reading and writing the world's formats, and the store of walls and actions."""

from suzaku.records.decisions import Decisions, decisions
from suzaku.records.formats import read_games, write_game
from suzaku.records.importing import import_records
from suzaku.records.store import Filters, Store
from suzaku.records.to_events import to_events
from suzaku.records.types import Game, RecordError, SkippedError

__all__ = [
    "Decisions",
    "Filters",
    "Game",
    "RecordError",
    "SkippedError",
    "Store",
    "decisions",
    "import_records",
    "read_games",
    "to_events",
    "write_game",
]
