"""What must hold in every state of every game: long play inside kernels, checked after each decision."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.riichi import ACTIONS, Table, Tables
from suzaku.riichi import state as st
from suzaku.riichi.legal import fill_legal
from suzaku.riichi.step import step
from suzaku.seeds import GOLDEN, mix
from tests.riichi.soak import (
    PROBLEMS,
    decide,
    new_tables,
    same,
    soak,
    some,
)


@pytest.mark.parametrize(("skilled", "rounds"), [(False, 80_000), (True, 40_000)])
def test_long_play(skilled: bool, rounds: int) -> None:
    """Tiles and points are conserved, the mask is never empty, keys and waits are up to date, in 120,000 rounds.

    No river can hold more than 27 tiles: a seat discards once for every four tiles drawn, unless calls give it turns.
    Each seat makes at most four calls. The seat's own calls cost at least one drawn tile each, those of the seat before
    it at least one, of the seat across two, and of the next seat three: 16 discards from 28 of the 70 tiles, and at
    most 11 from the other 42.
    """
    s = new_tables(1, seed=7 + skilled)[0]
    results = np.zeros(10, np.int64)
    legal = np.zeros(ACTIONS, np.bool_)
    seed = np.uint64(1 + skilled)
    problem, done, longest, decisions = soak(
        hand_tables(), s, legal, rounds, skilled, seed, results, np.zeros(37, np.int64)
    )
    assert PROBLEMS[problem] == "ok", f"round {s.deal} of game {s.game} of seed {s.seed}"
    assert done == rounds
    assert longest <= 27
    assert decisions > 50 * rounds
    if skilled:  # every way to end a round but the rarest came up
        ways = [st.WIN_BY_DRAW, st.WIN_BY_DISCARD, st.EXHAUSTED, st.NINE_KINDS, st.FOUR_RIICHI, st.FOUR_KONGS]
        assert (results[ways] > 0).all(), results


def test_masked_actions_are_refused(scattered: np.ndarray) -> None:
    for record in some(scattered, 12):
        table = Table.from_record(record)
        before = table.copy()
        legal = table.legal_actions()
        for action in [*range(ACTIONS), -1, ACTIONS, 10**6]:
            if action not in legal:
                with pytest.raises(ValueError, match="is not legal"):
                    table.act(action)
        assert same(table.record, before.record)


def test_tables_refuse_masked_actions() -> None:
    tables = Tables(3, seed=5)
    rng = np.random.default_rng(0)
    for _ in range(200):
        before = tables.records.copy(), tables.legal.copy(), tables.seat.copy()
        actions = np.array([rng.choice(np.flatnonzero(row)) for row in tables.legal])
        wrong = actions.copy()
        wrong[rng.integers(3)] = rng.choice(np.flatnonzero(~tables.legal.any(0)))
        with pytest.raises(ValueError, match="is not legal for seat"):
            tables.step(wrong)
        assert same(before[0], tables.records)
        assert (before[1] == tables.legal).all()
        assert (before[2] == tables.seat).all()
        tables.step(actions)


def test_copies_evolve_equally(scattered: np.ndarray) -> None:
    a = scattered[::10].copy()
    b = a.copy()
    _go_on(hand_tables(), a, np.zeros(ACTIONS, np.bool_), np.uint64(9))
    assert not same(a, b)
    _go_on(hand_tables(), b, np.zeros(ACTIONS, np.bool_), np.uint64(9))
    assert same(a, b)


@kernel
def _go_on(tables, records, legal, x):
    for i in range(records.shape[0]):
        s = records[i]
        for _ in range(100):
            x += GOLDEN
            if s.phase < st.ROUND_OVER:
                fill_legal(tables, s, legal)
                step(tables, s, decide(tables, s, legal, mix(x), True))


def play_games(n: int, threads: int, games: int) -> dict[int, list[int]]:
    """The first games of a seed on n tables; what a seat does depends on the game and its decision alone."""
    tables = Tables(n, seed=11, length="east", threads=threads)
    found: dict[int, list[int]] = {}
    taken = np.zeros(10_000, np.int64)
    while len([g for g in found if g < games]) < games:
        numbers = tables.records["game"].copy()
        wanted = (numbers * 1_000_003 + taken[numbers] * 7919 + 12345) % 2**31
        taken[numbers] += 1
        order = np.cumsum(tables.legal, axis=1)
        picks = wanted % order[:, -1]
        tables.step((order > picks[:, None]).argmax(axis=1))
        for row in tables.finished:
            found[int(row["game"])] = [*row["scores"].tolist(), *row["ranks"].tolist()]
    return {g: found[g] for g in range(games)}


def test_games_do_not_depend_on_the_number_of_tables() -> None:
    one = play_games(1, 1, 6)
    assert one == play_games(3, 1, 6)
    assert one == play_games(7, 2, 6)
    assert one == play_games(16, 3, 6)


PLAY = """
import sys
import numpy as np
from suzaku.riichi import Table
table = Table(seed=21, length="east")
x = 1
while not table.game_over:
    if table.round_over:
        table.next_round()
    legal = table.legal_actions()
    x = x * 1103515245 % 2**31 + 12345
    calls = [a for a in legal if 38 <= a <= 118]
    action = (calls or legal)[x // 65536 % len(calls or legal)]
    table.act(action)
    table.view(table.seat if table.seat >= 0 else 0)
print({name: table.record[name].tolist() for name in table.record.dtype.names if name != "rules"})
"""


def test_uncompiled_kernels_play_the_same_game() -> None:
    root = Path(__file__).parents[2]
    runs = []
    for disabled in ("1", "0"):
        env = {**os.environ, "NUMBA_DISABLE_JIT": disabled, "PYTHONPATH": str(root)}
        command = [sys.executable, "-W", "ignore", "-c", PLAY]  # uncompiled, wrapping integers warn
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        runs.append(done.stdout)
    assert runs[0] == runs[1]
