"""Game records: reading and writing the world's formats, and the store of walls and actions."""

from suzaku.records.decisions import Batch, decisions
from suzaku.records.filters import Filters
from suzaku.records.game import Game, RecordError, SkippedError
from suzaku.records.imports import import_records
from suzaku.records.read import read_games
from suzaku.records.store import Store
from suzaku.records.tell import tell
from suzaku.records.write import write_game

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
    "tell",
    "write_game",
]
