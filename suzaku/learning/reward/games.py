"""The games that the reward predictor learns from: all of a store, replayed once, in memory (400 bytes a game)."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from suzaku.learning.reward.predict import pad
from suzaku.records.filters import Filters
from suzaku.records.rounds import round_tables
from suzaku.records.store import Store


@dataclass
class Played:
    """Finished games of one length."""

    tables: list[np.ndarray]  # of each game, SITUATION[rounds + 1]
    ranks: np.ndarray  # int64[games, 4]: the place of each seat, 0 = first

    def __len__(self) -> int:
        return len(self.tables)

    def at(self, games: np.ndarray, first: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Some games as an array: rows [games, longest], how many rows each has, and the places of the seats.

        `first` cuts off so many rows: the games seem to begin there.
        """
        cut = np.zeros(len(games), np.int64) if first is None else first
        tables = [self.tables[game][start:] for game, start in zip(games, cut, strict=True)]
        return pad(tables), np.array([len(table) for table in tables]), self.ranks[games]


def read_played(store: Store | str | Path, length: str, split: str = "") -> Played:
    """The finished games of a store, of one length and split."""
    store = Store(store) if isinstance(store, (str, Path)) else store
    tables: list[np.ndarray] = []
    ranks: list[list[int]] = []
    for stored in store.games(Filters(length=length), split):
        if stored.finished and stored.game == "riichi":
            tables += round_tables([stored])
            ranks.append(stored.ranks)
    return Played(tables, np.array(ranks, np.int64).reshape(-1, 4))


def batches(games: int, batch: int, seed: int, step: int) -> Iterator[tuple[int, np.ndarray]]:
    """From a step on, its number and the games of its batch; each game comes once before any comes twice."""
    each = max(1, games // batch)
    epoch = -1
    while True:
        if step // each != epoch:
            epoch = step // each
            order = np.random.default_rng([seed, epoch]).permutation(games)
        yield step, order[(step % each) * batch : (step % each + 1) * batch]
        step += 1
