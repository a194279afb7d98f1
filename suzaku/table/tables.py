"""Many tables at once: one array of records, one compiled call a step."""

import itertools
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar

import numpy as np

from suzaku.choices import find_illegal
from suzaku.hand.tables import tables as hand_tables
from suzaku.seeds import read_seed
from suzaku.table.batch import FINISHED, Batch
from suzaku.table.engine import Engine


class ManyTables:
    """`n` tables that each wait for one decision.

    Table i plays the games i, i + n, i + 2n ... of the seed, and a game's walls depend on seed and number alone: the
    same seed and the same actions give the same games, whatever the machine and the number of tables.
    A step changes `records`, `seat`, `legal` and `round_ended` in place (copy what is to stay); `finished` is new.
    """

    engine: ClassVar[Engine]
    batch: ClassVar[Batch]

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
        self.rules = self.engine.rules.chosen(rules, length)
        self.restart = restart
        self.records = np.zeros(n, self.engine.state)
        self.records["rules"] = self.rules.to_record()
        self.records["auto"] = 1
        self.seat = np.zeros(n, np.int8)
        self.legal = np.zeros((n, self.engine.actions), np.bool_)
        self.round_ended = np.zeros(n, np.bool_)
        self._finished = np.zeros(n, FINISHED)
        self.finished = self._finished[:0]
        self._tables = hand_tables()
        cuts = np.linspace(0, n, min(threads, n) + 1).astype(int)
        self._parts = [slice(a, b) for a, b in itertools.pairwise(cuts)]
        self._pool = ThreadPoolExecutor(len(self._parts)) if len(self._parts) > 1 else None
        self.batch.start_many(self._tables, self.records, 0, first_seed, self.legal, self.seat)

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
            names = self.engine.action_names
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
        return self.batch.step_many(
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
        self.batch.legal_many(self._tables, self.records, self.legal, self.seat)

    def play_random(self, steps: int, rng: np.random.Generator | int = 0) -> tuple[int, int]:
        """Take `steps` random decisions on every table inside the kernel; the rounds and games that ended."""
        if not self.restart:
            raise ValueError("play_random needs tables that restart")
        seed = read_seed(rng)
        seeds = [seed + np.uint64(i << 32) for i in range(len(self._parts))]

        def run(part: slice, x: np.uint64) -> tuple[int, int]:
            return self.batch.play_random_many(
                self._tables, self.records[part], self.legal[part], self.seat[part], steps, len(self), x
            )

        ends = list(self._pool.map(run, self._parts, seeds)) if self._pool else [run(self._parts[0], seeds[0])]
        return sum(rounds for rounds, _ in ends), sum(games for _, games in ends)
