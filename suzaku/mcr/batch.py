"""Kernels over many tables: start, step, legal actions, random play and rollouts."""

import numpy as np

from suzaku.kernel import kernel
from suzaku.mcr.deal import deal_round, start_game
from suzaku.mcr.hidden import resample_one
from suzaku.mcr.legal import fill_legal
from suzaku.mcr.state import GAME_OVER, ROUND_OVER
from suzaku.mcr.step import step
from suzaku.seeds import GOLDEN, below, mix

FINISHED = np.dtype(
    [
        ("table", "i4"),  # index of the table
        ("game", "i8"),  # number of the game
        ("scores", "i4", (4,)),  # final scores by seat
        ("ranks", "i1", (4,)),  # 0 = first
    ]
)


@kernel
def start_many(tables, records, first, seed, legal, seats):
    """Start game number `first + i` on table i."""
    for i in range(records.shape[0]):
        start_game(records[i], seed, first + i)
        deal_round(tables, records[i])
        seats[i] = records[i].seat
        fill_legal(tables, records[i], legal[i])


@kernel
def legal_many(tables, records, legal, seats):
    """Work out who is asked and what is legal on every table."""
    for i in range(records.shape[0]):
        seats[i] = records[i].seat
        fill_legal(tables, records[i], legal[i])


@kernel
def _note_end(s, i, row):
    row.table = i
    row.game = s.game
    for p in range(4):
        row.scores[p] = s.scores[p]
        row.ranks[p] = s.ranks[p]


@kernel
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
        ended[i] = s.deal != deal or s.phase >= ROUND_OVER
        if s.phase == GAME_OVER:
            _note_end(s, first + i, finished[n])
            n += 1
            if restart:
                start_game(s, s.seed, s.game + stride)
                deal_round(tables, s)
        seats[i] = s.seat
        fill_legal(tables, s, legal[i])
    return n


@kernel
def choose_random(legal, x):
    """A random legal action from 64 random bits."""
    n = 0
    for a in range(legal.shape[0]):
        n += legal[a]
    k = below(x, n)
    a = -1
    while k >= 0:
        a += 1
        k -= legal[a]
    return a


@kernel
def play_random_many(tables, records, legal, seats, steps, stride, x):
    """Take `steps` random decisions on every table, restarting finished games; hands and games that ended."""
    rounds = 0
    games = 0
    for i in range(records.shape[0]):
        s = records[i]
        for _ in range(steps):
            x += GOLDEN
            deal = s.deal
            step(tables, s, choose_random(legal[i], mix(x)))
            if s.phase == GAME_OVER:
                games += 1
                rounds += 1
                start_game(s, s.seed, s.game + stride)
                deal_round(tables, s)
            elif s.deal != deal:
                rounds += 1
            fill_legal(tables, s, legal[i])
        seats[i] = s.seat
    return rounds, games


@kernel
def rollout_many(tables, record, seat, x, work, legal, deltas):
    """Redraw what `seat` cannot see and play at random to the end of the hand, once for every row of `deltas`."""
    s = work[0]
    for i in range(deltas.shape[0]):
        work[0] = record
        s.auto = 0
        x += GOLDEN
        resample_one(tables, s, seat, mix(x))
        fill_legal(tables, s, legal)
        while s.phase < ROUND_OVER:
            x += GOLDEN
            step(tables, s, choose_random(legal, mix(x)))
            fill_legal(tables, s, legal)
        for p in range(4):
            deltas[i, p] = s.scores[p] - record.scores[p]
