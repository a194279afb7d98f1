"""Figures of a store: what there is, and the rates that players know."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from suzaku.game import game_named
from suzaku.records.filters import Filters
from suzaku.records.game import RecordError
from suzaku.records.replay import illegal, new_table
from suzaku.records.store import Store
from suzaku.records.views.counted import Counted, counted


@dataclass
class Stats:
    """The counts of some games, all of one game."""

    game: str
    counted: Counted
    games: int = 0
    bytes: int = 0  # of the store's files
    known: int = 0  # games whose walls are wholly known
    dan: Counter[int] = field(default_factory=Counter)  # players (seats of games) by dan
    years: Counter[str] = field(default_factory=Counter)
    sources: Counter[str] = field(default_factory=Counter)
    places: np.ndarray = field(default_factory=lambda: np.zeros((4, 4), np.int64))  # by first seat and place

    def __post_init__(self) -> None:
        self.tally = np.zeros(1, self.counted.counts)

    @property
    def counts(self) -> np.record:
        """The counts of all rounds together."""
        return self.tally.view(np.recarray)[0]

    def rates(self) -> list[tuple[str, float, str]]:
        """Name, value and unit of the rates that players know."""
        t = self.counts
        return [
            *self.counted.rates(t),
            (self.counted.drawn_name, 100 * t.results[self.counted.drawn] / max(int(t.rounds), 1), "% of rounds"),
            ("rounds a game", t.rounds / max(self.games, 1), ""),
        ]

    def decisions(self) -> list[tuple[str, int, int]]:
        """Type of decision, how often it was asked, and how often it was taken."""
        taken, asked = self.counts.taken, self.counts.decisions
        ranges = self.counted.decisions.items()
        return [(name, int(asked[i]), int(taken[slice(*found)].sum())) for i, (name, found) in enumerate(ranges)]

    def results(self) -> list[tuple[str, int]]:
        """Rounds by how they ended."""
        return [(self.counted.results[i], int(n)) for i, n in enumerate(self.counts.results) if n]

    def parts(self) -> list[tuple[str, int]]:
        """Wins by yaku or fans, the most frequent first."""
        return sorted(self.counted.parts(self.counts), key=lambda pair: -pair[1])


def collect_stats(
    store: Store, filters: Filters | None = None, split: str = "", progress: Callable[[int], None] | None = None
) -> Stats:
    """Replay all games of a store and count."""
    stats: Stats | None = None
    for stored in store.games(filters, split):
        if stats is None:
            game = game_named(stored.game)
            stats = Stats(game.name, counted(game.name), bytes=sum(path.stat().st_size for path in store.parts))
            legal, row = np.zeros(game.actions, np.bool_), stats.counts
        if stored.game != stats.game:
            raise RecordError(f"{store.path}: game {stored.id} is of {stored.game}, and others are of {stats.game}")
        if not stats.counted.tally(game.tables(), new_table(stored)[0], stored.walls, stored.actions, legal, row):
            raise illegal(stored)
        stats.games += 1
        stats.known += stored.walls_known
        stats.dan.update(stored.dan)
        stats.years[stored.time[:4] or "unknown"] += 1
        stats.sources[stored.lobby or stored.format] += 1
        for seat in range(4):
            stats.places[seat, stored.ranks[seat]] += stored.finished
        if progress:
            progress(stats.games)
    if stats is None:
        raise RecordError(f"{store.path}: no game of the store passes the filters")
    return stats
