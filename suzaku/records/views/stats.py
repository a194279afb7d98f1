"""Figures of a store: what there is, and the rates that players know."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from suzaku.hand.tables import tables as hand_tables
from suzaku.records.filters import Filters
from suzaku.records.game import RecordError
from suzaku.records.replay import new_table
from suzaku.records.store import Store
from suzaku.riichi.actions import ACTIONS, CHOW_LOW, NINE_KINDS, OPEN_KONG, PONG, RIICHI, WIN_DRAW
from suzaku.riichi.decision_types import DECISION_TYPES
from suzaku.riichi.hand_counts import hand_rates
from suzaku.riichi.loops.tally import TALLY, tally
from suzaku.riichi.state import EXHAUSTED, RESULT_NAMES
from suzaku.riichi.yaku import YAKU


@dataclass
class Stats:
    """The counts of some games."""

    games: int = 0
    bytes: int = 0  # of the store's files
    known: int = 0  # games whose walls are wholly known
    dan: Counter[int] = field(default_factory=Counter)  # players (seats of games) by dan
    years: Counter[str] = field(default_factory=Counter)
    sources: Counter[str] = field(default_factory=Counter)
    places: np.ndarray = field(default_factory=lambda: np.zeros((4, 4), np.int64))  # by first seat and place
    tally: np.ndarray = field(default_factory=lambda: np.zeros(1, TALLY))

    @property
    def counts(self) -> np.record:
        """The counts of all rounds together."""
        return self.tally.view(np.recarray)[0]

    def rates(self) -> list[tuple[str, float, str]]:
        """Name, value and unit of the rates that players know."""
        t = self.counts
        return [
            *hand_rates(t),
            ("exhaustive draws", 100 * t.results[EXHAUSTED] / max(int(t.rounds), 1), "% of rounds"),
            ("rounds a game", t.rounds / max(self.games, 1), ""),
        ]

    def decisions(self) -> list[tuple[str, int, int]]:
        """Type of decision, how often it was asked, and how often it was taken."""
        taken = self.counts.taken
        ranges = {
            "discard": (0, RIICHI), "riichi": (RIICHI, CHOW_LOW), "chow": (CHOW_LOW, PONG), "pong": (PONG, OPEN_KONG),
            "kong": (OPEN_KONG, WIN_DRAW), "win": (WIN_DRAW, NINE_KINDS), "nine_kinds": (NINE_KINDS, NINE_KINDS + 1),
        }  # fmt: skip
        asked = self.counts.decisions
        return [(name, int(asked[i]), int(taken[slice(*ranges[name])].sum())) for i, name in enumerate(DECISION_TYPES)]

    def results(self) -> list[tuple[str, int]]:
        """Rounds by how they ended."""
        return [(RESULT_NAMES[i], int(n)) for i, n in enumerate(self.counts.results) if n]

    def yaku(self) -> list[tuple[str, int]]:
        """Wins by yaku, the most frequent first."""
        return sorted(((row.name, int(self.counts.yaku[row.number])) for row in YAKU), key=lambda pair: -pair[1])


def collect_stats(
    store: Store, filters: Filters | None = None, split: str = "", progress: Callable[[int], None] | None = None
) -> Stats:
    """Replay all games of a store and count."""
    stats = Stats(bytes=sum(path.stat().st_size for path in store.parts))
    legal = np.zeros(ACTIONS, np.bool_)
    row = stats.tally[0:1].view(np.recarray)[0]
    for game in store.games(filters, split):
        if game.game != "riichi":
            raise RecordError(f"{store.path}: game {game.id} is of {game.game}: these figures are of Riichi")
        if not tally(hand_tables(), new_table(game)[0], game.walls, game.actions, legal, row):
            raise RecordError(f"game {game.id} holds an action that is not legal; was the store made by other rules?")
        stats.games += 1
        stats.known += game.walls_known
        stats.dan.update(game.dan)
        stats.years[game.time[:4] or "unknown"] += 1
        stats.sources[game.lobby or game.format] += 1
        for seat in range(4):
            stats.places[seat, game.ranks[seat]] += game.finished
        if progress:
            progress(stats.games)
    if not stats.games:
        raise RecordError(f"{store.path}: no game of the store passes the filters")
    return stats
