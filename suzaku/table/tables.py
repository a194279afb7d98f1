"""Many tables at once: one array of records, one compiled call a step.

- Copying table records: NumPy copies them field by field unless they are taken as plain bytes, fifty times as fast.
- Many tables at once: one array of records, one compiled call a step.
"""

import itertools
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar

import numpy as np

from suzaku.seeds import read_seed
from suzaku.table.game import Game
from suzaku.table.kernels import find_illegal


def take(records: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """A copy of some records, chosen by numbers or by a mask."""
    rows = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
    return records.view(_plain(records)).take(rows).view(records.dtype)


def join(parts: Sequence[np.ndarray]) -> np.ndarray:
    """A copy of several arrays of records, one after the other."""
    return np.concatenate([part.view(_plain(part)) for part in parts]).view(parts[0].dtype)


def _plain(records: np.ndarray) -> np.dtype:
    return np.dtype(f"V{records.dtype.itemsize}")


class ManyTables:
    """`n` tables that each wait for one decision.

    Table i plays the games i, i + n, i + 2n ... of the seed, and a game's walls depend on seed and number alone: the
    same seed and the same actions give the same games, whatever the machine and the number of tables.
    A step changes `records`, `seat`, `legal` and `round_ended` in place (copy what is to stay); `finished` is new.
    """

    game: ClassVar[Game]

    records: np.ndarray  # the table records
    seat: np.ndarray  # int8[n]: who is asked; -1 where a game is over and tables do not restart
    legal: np.ndarray  # bool[n, actions]: what that seat may do
    finished: np.ndarray  # the games that ended in the last step: table, game, scores, ranks
    round_ended: np.ndarray  # bool[n]: a round ended in the last step (the record keeps its result if the game goes on)

    def __init__(
        self,
        n: int,
        rules: Any = None,
        seed: int = 0,
        length: str | None = None,
        *,
        restart: bool = True,
        threads: int = 1,
    ) -> None:
        if n < 1 or threads < 1:
            raise ValueError(f"Tables needs at least one table and one thread, not n={n} and threads={threads}")
        first_seed = read_seed(seed)
        self.rules = self.game.rules.chosen(rules, length)
        self.restart = restart
        self.records = np.zeros(n, self.game.record)
        self.records["rules"] = self.rules.to_record()
        self.records["auto"] = 1
        self.seat = np.zeros(n, np.int8)
        self.legal = np.zeros((n, self.game.actions), np.bool_)
        self.round_ended = np.zeros(n, np.bool_)
        self._finished = np.zeros(n, self.game.finished)
        self.finished = self._finished[:0]
        self._tables = self.game.tables()
        cuts = np.linspace(0, n, min(threads, n) + 1).astype(int)
        self._parts = [slice(a, b) for a, b in itertools.pairwise(cuts)]
        self._pool = ThreadPoolExecutor(len(self._parts)) if len(self._parts) > 1 else None
        self.game.start_many(self._tables, self.records, 0, first_seed, self.legal, self.seat)

    def __len__(self) -> int:
        return len(self.records)

    def step(self, actions: np.ndarray) -> None:
        """Carry out one action on every table. If any is illegal, a ValueError says which and nothing is changed."""
        if np.asarray(actions).dtype.kind not in "iu":
            raise ValueError(f"actions are whole numbers, not {np.asarray(actions).dtype}")
        actions = np.ascontiguousarray(actions, np.int64)
        if actions.shape != self.seat.shape:
            raise ValueError(f"expected {len(self)} actions, one for each table, not an array of shape {actions.shape}")
        bad = find_illegal(actions, self.legal, self.seat)
        if bad >= 0:
            names = self.game.action_names
            name = names[actions[bad]] if 0 <= actions[bad] < len(names) else "no action"
            raise ValueError(f"action {actions[bad]} ({name}) is not legal for seat {self.seat[bad]} of table {bad}")
        if self._pool is None:
            n = self._step_part(self._parts[0], actions)
            self.finished = self._finished[:n].copy()  # the next step writes over the buffer
        else:
            counts = list(self._pool.map(lambda part: self._step_part(part, actions), self._parts))
            rows = [self._finished[part][:n] for part, n in zip(self._parts, counts, strict=True)]
            self.finished = np.concatenate(rows)

    def _step_part(self, part: slice, actions: np.ndarray) -> int:
        return self.game.step_many(
            self._tables,
            self.records[part],
            actions[part],
            self.legal[part],
            self.seat[part],
            self.round_ended[part],
            part.start,
            len(self),
            self.restart,
            self._finished[part],
        )

    def refresh(self) -> None:
        """Work out `seat` and `legal` anew after the records were changed from outside."""
        self.game.legal_many(self._tables, self.records, self.legal, self.seat)

    def play_random(self, steps: int, rng: np.random.Generator | int = 0) -> tuple[int, int]:
        """Take `steps` random decisions on every table inside the kernel; the rounds and games that ended."""
        if not self.restart:
            raise ValueError("play_random needs tables that restart")
        seed = read_seed(rng)
        seeds = [seed + np.uint64(i << 32) for i in range(len(self._parts))]

        def run(part: slice, x: np.uint64) -> tuple[int, int]:
            return self.game.play_random_many(
                self._tables, self.records[part], self.legal[part], self.seat[part], steps, len(self), x
            )

        ends = list(self._pool.map(run, self._parts, seeds)) if self._pool else [run(self._parts[0], seeds[0])]
        return sum(rounds for rounds, _ in ends), sum(games for _, games in ends)
