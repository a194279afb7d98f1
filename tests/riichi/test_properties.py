"""What must hold in every state of every game: long play inside kernels, checked after each decision."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from suzaku.hand.shanten import shanten_keys, waits_keys
from suzaku.hand.tables import POW5
from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.riichi import ACTIONS, STATE, Rules, Table, Tables, resample_hidden
from suzaku.riichi import actions as act
from suzaku.riichi import state as st
from suzaku.riichi.batch import choose_random
from suzaku.riichi.deal import GOLDEN, deal_round, mix, start_game
from suzaku.riichi.hidden import hide, resample_one
from suzaku.riichi.legal import fill_legal
from suzaku.riichi.step import step
from suzaku.tiles import KIND_OF, RED, full_set

FULL = np.bincount(full_set(True), minlength=37).astype(np.int64)
OK, TILES_LOST, POINTS_LOST, NOTHING_LEGAL, WRONG_KEYS, WRONG_WAITS, RIVER_FULL, WRONG_HAND_SIZE = range(8)
PROBLEMS = ("ok", "tiles lost", "points lost", "nothing legal", "wrong keys", "wrong waits", "river full", "hand size")


@kernel
def count_tiles(s, counts):
    """Count the 37 sorts of tiles in hands, melds, rivers (called tiles lie in melds) and the undrawn wall."""
    counts[:] = 0
    for p in range(4):
        for kind in range(34):
            red = s.red[p, kind // 9] if kind < 27 and kind % 9 == 4 else 0
            counts[kind] += s.hand[p, kind] - red
            if red:
                counts[RED + kind // 9] += red
        for i in range(s.melds[p]):
            first = s.meld_tile[p, i]
            if s.meld_kind[p, i] == st.CHOW:
                for kind in range(first, first + 3):
                    counts[kind] += 1
            else:
                counts[first] += 3 if s.meld_kind[p, i] == st.PONG else 4
            if s.meld_red[p, i]:
                suit = first // 9
                counts[9 * suit + 4] -= s.meld_red[p, i]
                counts[RED + suit] += s.meld_red[p, i]
        for i in range(s.river_size[p]):
            if not s.river_flag[p, i] & st.RIVER_CALLED:
                counts[s.river[p, i]] += 1
    for i in range(14, s.next + 1):
        counts[s.wall[i]] += 1
    for i in range(s.kongs, 4):
        counts[s.wall[st.REPLACEMENTS[i]]] += 1
    for i in range(5):
        counts[s.wall[st.INDICATORS[i]]] += 1
        counts[s.wall[st.URA_INDICATORS[i]]] += 1


@kernel
def check(tables, s, legal, counts):
    """The number of the first thing that is wrong with a table that asks somebody, or OK."""
    count_tiles(s, counts)
    for tile in range(37):
        if counts[tile] != FULL[tile]:
            return TILES_LOST
    if s.scores.sum() + 1000 * s.sticks != 100_000:
        return POINTS_LOST
    for p in range(4):
        size = 0
        for suit in range(4):
            key = 0
            for i in range(9 if suit < 3 else 7):
                size += s.hand[p, 9 * suit + i]
                key += s.hand[p, 9 * suit + i] * POW5[i]
            if key != s.key[p, suit]:
                return WRONG_KEYS
        holds = s.phase <= st.RIICHI_DISCARD and p == s.seat
        if size != 13 - 3 * s.melds[p] + holds:
            return WRONG_HAND_SIZE
        if not holds:
            if s.shanten[p] != shanten_keys(tables, s.key[p, 0], s.key[p, 1], s.key[p, 2], s.key[p, 3], s.melds[p]):
                return WRONG_WAITS
            if s.waits[p] != waits_keys(tables, s.hand[p], s.key[p], s.melds[p]):
                return WRONG_WAITS
        if s.river_size[p] > 27:
            return RIVER_FULL
    return OK if legal.sum() > 0 else NOTHING_LEGAL


@kernel
def choose(legal, x, eager):
    """A random legal action; an eager one takes wins, riichi and kongs when they come, and passes most other claims."""
    if eager:
        for action in (act.WIN_DRAW, act.WIN_DISCARD, act.RIICHI):
            if legal[action] and mix(x + np.uint64(action)) & np.uint64(7) != 0:
                return action
        for action in range(act.OPEN_KONG, act.WIN_DRAW):
            if legal[action]:
                return action
        if legal[act.PASS] and x & np.uint64(7) != 0:
            return act.PASS
    return choose_random(legal, x)


@kernel
def best_discard(tables, s, legal, x):
    """A legal discard after which the shanten is lowest, or -1; ties are broken by the random bits."""
    best = -1
    lowest = 99
    turn = np.int64(x >> np.uint64(40)) % 38
    for i in range(38):
        action = (i + turn) % 38
        if not legal[action]:
            continue
        tile = s.drawn if action == act.DISCARD_DRAWN else action
        kind = KIND_OF[tile]
        s.key[s.seat, kind // 9] -= POW5[kind % 9]
        k = s.key[s.seat]
        value = shanten_keys(tables, k[0], k[1], k[2], k[3], s.melds[s.seat])
        s.key[s.seat, kind // 9] += POW5[kind % 9]
        if value < lowest:
            lowest = value
            best = action
    return best


@kernel
def decide(tables, s, legal, x, skilled):
    """An action: at random, or towards a win."""
    action = choose(legal, x, skilled)
    if skilled and action <= act.DISCARD_DRAWN:
        return best_discard(tables, s, legal, x)
    return action


@kernel
def soak(tables, s, legal, rounds, skilled, x, results, counts):
    """Play `rounds` rounds and check every state; (problem, rounds played, longest river, decisions)."""
    done = 0
    longest = 0
    decisions = 0
    while done < rounds:
        fill_legal(tables, s, legal)
        problem = check(tables, s, legal, counts)
        if problem != OK:
            return problem, done, longest, decisions
        x += GOLDEN
        deal = s.deal
        step(tables, s, decide(tables, s, legal, mix(x), skilled))
        decisions += 1
        for p in range(4):
            longest = max(longest, s.river_size[p])
        if s.phase == st.GAME_OVER or s.deal != deal:
            done += 1
            results[s.result] += 1
            if s.deltas.sum() % 1000 != 0 or s.scores.sum() + 1000 * s.sticks != 100_000:
                return POINTS_LOST, done, longest, decisions
        if s.phase == st.GAME_OVER:
            start_game(s, s.seed, s.game + 1)
            deal_round(tables, s)
    return OK, done, longest, decisions


def new_tables(n: int, seed: int = 0, rules: Rules | None = None) -> np.ndarray:
    records = np.zeros(n, STATE)
    records["rules"] = (rules or Rules.tenhou()).to_record()
    records["auto"] = 1
    for i in range(n):
        start_game(records[i], np.uint64(seed), i)
        deal_round(hand_tables(), records[i])
    return records


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


def same(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether all fields of the records are equal (the bytes between fields mean nothing)."""
    return all(np.array_equal(a[name], b[name]) for name in a.dtype.names)


@kernel
def collect(tables, s, legal, out, x):
    """Fill out[phase, :] with states of skilled play: one in 40, and every one where a kong may be robbed."""
    found = np.zeros(out.shape[0], np.int64)
    while found.min() < out.shape[1]:
        x += GOLDEN
        fill_legal(tables, s, legal)
        if s.phase == st.ROB or mix(~x) % np.uint64(40) == 0:
            phase = min(s.phase, out.shape[0] - 1)  # with one row fewer, the last one holds robbed kongs too
            if found[phase] < out.shape[1]:
                out[phase, found[phase]] = s
                found[phase] += 1
        step(tables, s, decide(tables, s, legal, mix(x), True))
        if s.phase == st.GAME_OVER:
            start_game(s, s.seed, s.game + 1)
            deal_round(tables, s)


@pytest.fixture(scope="module")
def scattered() -> np.ndarray:
    """Many tables of every phase, in all sorts of situations: one row a phase."""
    out = np.zeros((st.ROUND_OVER, 24), STATE)
    collect(hand_tables(), new_tables(1, 3)[0], np.zeros(ACTIONS, np.bool_), out, np.uint64(3))
    more = np.zeros((st.ROB, 4000), STATE)
    collect(hand_tables(), new_tables(1, 4)[0], np.zeros(ACTIONS, np.bool_), more, np.uint64(4))
    return np.concatenate([out.ravel(), more.ravel()])


def some(records: np.ndarray, each: int) -> np.ndarray:
    """The same number of tables of every phase."""
    return records[np.concatenate([np.flatnonzero(records["phase"] == p)[:each] for p in range(st.ROUND_OVER)])]


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


# ---- hidden tiles


@kernel
def _resample_check(tables, records, seat, x, legal, counts, tables_out):
    """Redraw every table for `seat` and check it; the first problem and its index."""
    for i in range(records.shape[0]):
        s = records[i]
        resample_one(tables, s, seat, mix(x + np.uint64(i)))
        fill_legal(tables, s, legal)
        problem = check(tables, s, legal, counts)
        if problem != OK:
            return problem, i
        for p in range(4):
            if s.riichi[p] and s.waits[p] == 0:
                return WRONG_WAITS, i
        # and the round can be played to its end
        tables_out[0] = s
        t = tables_out[0]
        t.auto = 0
        y = x
        while t.phase < st.ROUND_OVER:
            fill_legal(tables, t, legal)
            if legal.sum() == 0:
                return NOTHING_LEGAL, i
            y += GOLDEN
            step(tables, t, choose(legal, mix(y), True))
        if t.scores.sum() + 1000 * t.sticks != 100_000:
            return POINTS_LOST, i
        for w in range(t.wins):
            if t.win_yaku[w] == 0:
                return WRONG_WAITS, i
    return OK, -1


@pytest.mark.parametrize("seat", range(4))
def test_redrawing_keeps_the_rules(scattered: np.ndarray, seat: int) -> None:
    records = scattered.copy()
    legal = np.zeros(ACTIONS, np.bool_)
    args = np.uint64(77), legal, np.zeros(37, np.int64), np.zeros(1, STATE)
    problem, i = _resample_check(hand_tables(), records, seat, *args)
    assert PROBLEMS[problem] == "ok", f"table {i}, phase {records[i].phase}, asked {records[i].seat}"


@pytest.mark.parametrize("seat", range(4))
def test_views_know_nothing_hidden(scattered: np.ndarray, seat: int) -> None:
    """A view before and after redrawing is the same in every field, and so is what its owner may do."""
    before = some(scattered, 24)
    after = before.copy()
    resample_hidden(after, seat, 5)
    changed = 0
    for i in range(len(before)):
        one, two = Table.from_record(before[i]), Table.from_record(after[i])
        changed += one.record.hand.tobytes() != two.record.hand.tobytes()
        assert same(one.view(seat).record, two.view(seat).record)
        assert one.view(seat).legal_actions() == two.view(seat).legal_actions()
    assert changed == len(before)


def test_views_hold_no_tile_of_others(scattered: np.ndarray) -> None:
    """Every tile in a view is the owner's, in a meld or river, or a dora indicator."""
    for record in some(scattered, 24):
        for seat in range(4):
            s = hide(np.array([record], STATE), seat)[0]
            others = [p for p in range(4) if p != seat]
            assert not s.hand[others].any()
            assert not s.red[others].any()
            assert not s.key[others].any()
            assert not s.waits[others].any()
            seen = np.flatnonzero(s.wall >= 0)
            assert set(seen) == set(st.INDICATORS[: s.indicators])
            assert s.drawn == -1 or s.turn == seat
            assert s.seed == 0


HIDDEN = {"hand", "red", "key", "waits", "missed", "past_key"}  # by seat, and only the owner's may be in a view
PARTLY = {"seed", "game", "wall", "shanten", "drawn", "seat", "queue", "can_win", "claim"}  # see `hide`
PUBLIC = (
    "rules deal auto round_no dealer honba sticks scores next left kongs indicators indicator_order due "
    "after_kong melds open_melds meld_kind meld_tile meld_called meld_added meld_from meld_red meld_order "
    "added_order river_size river river_flag river_order discards discarded riichi riichi_due ippatsu pao "
    "unbroken phase turn offer forbidden kong_kind result deltas wins win_seat win_from win_tile win_yaku "
    "win_han win_fu win_yakuman win_dora win_points tenpai repeats ranks"
)


def test_every_field_is_known_to_be_public_or_hidden(scattered: np.ndarray) -> None:
    """A new field of the record must be put into one of the lists above, and be hidden if others may not see it."""
    assert set(STATE.names) <= HIDDEN | PARTLY | set(PUBLIC.split())
    view = hide(scattered[-1:], 2)[0]
    for name in HIDDEN & set(STATE.names):
        assert not view[name][[0, 1, 3]].any(), name


def test_redrawing_depends_on_the_seed_alone(scattered: np.ndarray) -> None:
    a, b, c = (scattered[::5].copy() for _ in range(3))
    resample_hidden(a, 1, 5)
    resample_hidden(b, 1, 5)
    resample_hidden(c, 1, 6)
    assert same(a, b)
    assert (a["wall"] != c["wall"]).any(axis=1).all()


def test_redrawn_tiles_are_spread_evenly() -> None:
    """At the start of a round every hidden place gets every hidden tile equally often (chi-square, 33 degrees)."""
    table = Table(seed=4).record
    n = 20_000
    records = np.repeat(np.array([table], STATE), n)
    resample_hidden(records, 0, 8)
    hidden = 4 - table.hand[0].astype(int)
    hidden[KIND_OF[table.wall[5]]] -= 1
    for counts in (records["hand"][:, 2].sum(0), np.bincount(KIND_OF[records["wall"][:, 4]], minlength=34)):
        expected = hidden / hidden.sum() * counts.sum()
        assert counts[expected == 0].sum() == 0
        there = expected > 0
        chi = ((counts - expected)[there] ** 2 / expected[there]).sum()
        assert chi < 70  # one in 5,000 by chance, and the seed is fixed


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
