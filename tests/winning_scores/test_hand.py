"""The one-player hand against the engine's own table, and its distances against slow ways to count them."""

from itertools import combinations_with_replacement
from random import Random

import numpy as np
import pytest

from suzaku.hand.notation import to_counts
from suzaku.hand.shanten import fill_keys, shanten_parts, waits_keys
from suzaku.hand.tables import tables
from suzaku.riichi import actions as act
from suzaku.riichi import yaku
from suzaku.riichi.evaluate import rules_record
from suzaku.riichi.rules import Rules
from suzaku.riichi.state import CLAIM, ROUND_OVER
from suzaku.riichi.table import Table
from suzaku.tiles import KIND_OF, RED, parse
from suzaku.winning_scores import hand as solo
from suzaku.winning_scores.distance import ANY, RUNS, accepted, distance, shapes
from suzaku.winning_scores.hand import VIEW, count_unseen, fill_unseen_bits, throws_red
from suzaku.winning_scores.plans import PLAN, fill_plans, tenpai_waits
from suzaku.winning_scores.play import choose_baseline, new_hand
from tests.hand.random_hands import near_complete, scattered

RULES = rules_record(Rules.tenhou())
LUCK = (yaku.IPPATSU, yaku.HAITEI, yaku.HOUTEI)


def keys_of(counts):
    keys = np.zeros(4, np.int64)
    fill_keys(counts, keys)
    return keys


def random_hands(n, size=13):
    rng = Random(5)
    return [(near_complete if i % 2 else scattered)(rng, size) for i in range(n)]


def test_distances_are_shanten():
    for counts in random_hands(600):
        keys = keys_of(counts)
        assert distance(shapes(), ANY, *keys, 4) == shanten_parts(tables(), *keys, 0)[0] + 1


def test_accepted_tiles_bring_the_hand_nearer():
    for counts in random_hands(120):
        for form in (ANY, RUNS):
            keys = keys_of(counts)
            now = distance(shapes(), form, *keys, 4)
            mask = int(accepted(shapes(), form, *keys, 4, now))
            for kind in np.flatnonzero(counts < 4):
                counts[kind] += 1
                assert bool(mask >> kind & 1) == (distance(shapes(), form, *keys_of(counts), 4) < now)
                counts[kind] -= 1


def test_accepted_tiles_of_three_melds_and_a_pair():
    for counts in random_hands(60, 10):
        keys = keys_of(counts)
        now = distance(shapes(), ANY, *keys, 3)
        mask = int(accepted(shapes(), ANY, *keys, 3, now))
        for kind in np.flatnonzero(counts < 4):
            counts[kind] += 1
            assert bool(mask >> kind & 1) == (distance(shapes(), ANY, *keys_of(counts), 3) < now)
            counts[kind] -= 1


def test_waits_without_a_trial_are_the_waits():
    v, plan = np.zeros(1, VIEW)[0], np.zeros(1, PLAN)[0]
    v.unseen[:] = 4
    orphans = "19m19p19s1234567z"
    found = 0
    for counts in [to_counts(parse(orphans)), *random_hands(900)]:
        v.hand[:] = counts
        fill_keys(v.hand, v.key)
        fill_plans(tables(), shapes(), v, plan)
        if min(plan.tiles[0], plan.tiles[1]) == 1:
            found += 1
            assert tenpai_waits(tables(), shapes(), v, plan) == waits_keys(tables(), v.hand, v.key, 0)
    assert found > 50


def test_unseen_tiles_are_counted():
    v = np.zeros(1, VIEW)[0]
    v.unseen[:] = np.random.default_rng(1).integers(0, 5, 34)
    fill_unseen_bits(v)
    for mask in np.random.default_rng(2).integers(0, 1 << 34, 50, np.uint64):
        assert count_unseen(v, mask) == sum(int(v.unseen[kind]) for kind in range(34) if int(mask) >> kind & 1)


def test_runs_alone_against_every_hand_of_four_runs():
    wins = []
    for runs in combinations_with_replacement(range(7), 4):
        for pair in range(9):
            counts = np.zeros(9, np.int64)
            counts[pair] += 2
            for run in runs:
                counts[run : run + 3] += 1
            if counts.max() <= 4:
                wins.append(counts)
    wins = np.array(wins)
    rng = np.random.default_rng(3)
    for _ in range(100):
        counts = np.zeros(34, np.int8)
        counts[9:18] = np.bincount(rng.permutation(np.repeat(np.arange(9), 4))[:13], minlength=9)
        expected = np.maximum(0, wins - counts[9:18]).sum(1).min()
        keys = keys_of(counts)
        assert distance(shapes(), RUNS, *keys, 4) <= expected  # other suits may hold some of the runs
        if expected <= 3:
            assert distance(shapes(), RUNS, *keys, 4) == expected


def engine_han(table):
    """The han of the win, without what the one-player hand leaves out."""
    record = table.record
    if record.win_yakuman[0]:
        return 13 * int(record.win_yakuman[0])
    mask = int(record.win_yaku[0])
    han = int(record.win_han[0]) - int(record.win_dora[0][1]) - sum(mask >> bit & 1 for bit in LUCK)
    return han - (mask >> yaku.DOUBLE_RIICHI & 1)


def follow(table, tile, kind, red, riichi):
    """Carry out a discard at the table."""
    if riichi:
        table.act(act.RIICHI)
    wanted = RED + kind // 9 if red else kind
    table.act(act.DISCARD_DRAWN if wanted == tile else wanted)


@pytest.mark.parametrize("aim", [1, 4])
def test_every_hand_goes_as_at_a_table(aim):
    """Draws, waits, furiten, who may win and with how many han: the same wall and discards at an engine table."""
    s, w = new_hand()
    wins = furiten = 0
    for number in range(60):
        solo.start(s, 11, number)
        s.plays[:] = 1
        solo.shuffle(s)
        solo.deal(tables(), s, 0)
        table = Table.deal([s.wall.copy()])
        while s.left > 0:
            seat = int(s.turn)
            tile = solo.draw(s)
            assert (table.seat, table.record.drawn, table.record.left) == (seat, tile, s.left)
            kind, red, riichi, tenpai = int(KIND_OF[tile]), tile >= RED, False, False
            han = solo.drawn_han(tables(), RULES, s, seat, tile)
            assert (han > 0) == table.legal_mask()[act.WIN_DRAW]
            if han > 0:
                table.act(act.WIN_DRAW)
                lucky = (
                    int(table.record.win_yaku[0]) >> yaku.CHIIHOU & 1
                    or int(table.record.win_yaku[0]) & 1 << yaku.TENHOU
                )
                assert lucky or engine_han(table) == han
                wins += 1
                break
            v = s.seat[seat]
            if not s.riichi[seat]:
                kind, riichi, tiles = choose_baseline(tables(), shapes(), RULES, v, aim, w.plan)
                red, tenpai = throws_red(v, kind), tiles == 1
                assert table.legal_mask()[act.RIICHI] or not riichi
            follow(table, tile, kind, red, riichi)
            solo.discard(tables(), s, seat, kind, red, riichi, tenpai)
            assert s.waits[seat] == table.record.waits[seat]
            assert np.array_equal(v.hand, table.record.hand[seat])
            can_win = int(table.record.can_win) if table.record.phase == CLAIM else 0
            found = {}
            for q in range(4):
                if q != seat:
                    found[q] = solo.discard_han(tables(), RULES, s, q, kind, red)
                    furiten += int(s.waits[q]) >> kind & 1 and not found[q]
            if s.left > 0:  # the last discard is a yaku of its own at the table
                assert {q for q in found if found[q] > 0} == {q for q in range(4) if can_win >> q & 1}
            if can_win:
                first = table.seat
                table.act(act.WIN_DISCARD)
                while table.record.phase == CLAIM:
                    table.act(act.PASS)
                assert s.left == 0 or engine_han(table) == found[first]
                wins += 1
                break
            while table.record.phase == CLAIM:
                table.act(act.PASS)
            if table.record.phase >= ROUND_OVER:
                break
            s.turn = (seat + 1) & 3
    assert wins > 30
    assert furiten > 0 or aim == 1  # in riichi nobody lets a tile pass, and few wait for what they threw
