"""Game records: reading and writing the world's formats, and the store of walls and actions."""

from suzaku.records.decisions import Batch, decisions
from suzaku.records.filters import Filters
from suzaku.records.formats.read import read_games
from suzaku.records.formats.write import write_game
from suzaku.records.game import Game, RecordError, SkippedError
from suzaku.records.importing.import_records import import_records
from suzaku.records.store import Store
from suzaku.records.to_events import to_events

__all__ = [
    "Batch",
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
