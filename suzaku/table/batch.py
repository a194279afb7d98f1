"""Kernels over many tables of a game: start, step, legal actions and random play."""

from typing import NamedTuple

import numpy as np

from suzaku.choices import choose_random
from suzaku.kernel import kernel
from suzaku.seeds import GOLDEN, mix
from suzaku.table.engine import Engine, Kernel

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
