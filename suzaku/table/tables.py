"""Many tables at once: one array of records, one compiled call a step.

- Copying table records: NumPy copies them field by field unless they are taken as plain bytes, fifty times as fast.
- Kernels over many tables of a game: start, step, legal actions and random play.
- Many tables at once: one array of records, one compiled call a step.
"""

import itertools
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar, NamedTuple

import numpy as np

from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.seeds import GOLDEN, mix, read_seed
from suzaku.table.game import Engine, Kernel, choose_random, find_illegal


def take(records: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """A copy of some records, chosen by numbers or by a mask."""
    rows = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
    return records.view(_plain(records)).take(rows).view(records.dtype)


def join(parts: Sequence[np.ndarray]) -> np.ndarray:
    """A copy of several arrays of records, one after the other."""
    return np.concatenate([part.view(_plain(part)) for part in parts]).view(parts[0].dtype)


def _plain(records: np.ndarray) -> np.dtype:
    return np.dtype(f"V{records.dtype.itemsize}")


FINISHED = np.dtype(
    [
        ("table", "i4"),  # index of the table
        ("game", "i8"),  # number of the game
        ("scores", "i4", (4,)),  # final scores by seat
        ("ranks", "i1", (4,)),  # 0 = first
    ]
)


class Batch(NamedTuple):
    """The kernels by name."""

    start_many: Kernel
    legal_many: Kernel
    step_many: Kernel
    play_random_many: Kernel


@kernel
def _note_end(s, i, row):
    row.table = i
    row.game = s.game
    for p in range(4):
        row.scores[p] = s.scores[p]
        row.ranks[p] = s.ranks[p]


def batch_kernels(engine: Engine, module: str) -> Batch:
    """The kernels of a game, for a module of it that gives them these names."""
    start_game, deal_round, fill_legal, step = engine.start_game, engine.deal_round, engine.fill_legal, engine.step
    round_over, game_over = engine.round_over, engine.game_over

    @kernel(module=module)
    def start_many(tables, records, first, seed, legal, seats):
        """Start game number `first + i` on table i."""
        for i in range(records.shape[0]):
            start_game(records[i], seed, first + i)
            deal_round(tables, records[i])
            seats[i] = records[i].seat
            fill_legal(tables, records[i], legal[i])

    @kernel(module=module)
    def legal_many(tables, records, legal, seats):
        """Work out who is asked and what is legal on every table."""
        for i in range(records.shape[0]):
            seats[i] = records[i].seat
            fill_legal(tables, records[i], legal[i])

    @kernel(module=module)
    def step_many(tables, records, actions, legal, seats, ended, first, stride, restart, finished):
        """Carry out one legal action on every table; how many games finished. Table i is number `first + i`."""
        n = 0
        for i in range(records.shape[0]):
            s = records[i]
            if seats[i] < 0:
                ended[i] = False
                continue
            deal = s.deal
            step(tables, s, actions[i])
            ended[i] = s.deal != deal or s.phase >= round_over
            if s.phase == game_over:
                _note_end(s, first + i, finished[n])
                n += 1
                if restart:
                    start_game(s, s.seed, s.game + stride)
                    deal_round(tables, s)
            seats[i] = s.seat
            fill_legal(tables, s, legal[i])
        return n

    @kernel(module=module)
    def play_random_many(tables, records, legal, seats, steps, stride, x):
        """Take `steps` random decisions on every table, restarting finished games; rounds and games that ended."""
        rounds = 0
        games = 0
        for i in range(records.shape[0]):
            s = records[i]
            for _ in range(steps):
                x += GOLDEN
                deal = s.deal
                step(tables, s, choose_random(legal[i], mix(x)))
                if s.phase == game_over:
                    games += 1
                    rounds += 1
                    start_game(s, s.seed, s.game + stride)
                    deal_round(tables, s)
                elif s.deal != deal:
                    rounds += 1
                fill_legal(tables, s, legal[i])
            seats[i] = s.seat
        return rounds, games

    return Batch(start_many, legal_many, step_many, play_random_many)


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
