"""The look-ahead against brute force: every way to swap up to two tiles, scored by the public `evaluate_many`."""

import itertools

import numpy as np
import pytest

from suzaku.hand.shanten import shanten_many
from suzaku.hand.tables import tables
from suzaku.lookahead.patterns import patterns
from suzaku.lookahead.search import fill_query, probability, search_wins
from suzaku.lookahead.state import CANDIDATES, SEARCH, THRESHOLDS
from suzaku.riichi import Rules, Tables, evaluate_many
from suzaku.riichi.score import RIICHI
from suzaku.riichi.state import CLAIM, TURN
from suzaku.tiles import KIND_OF


def swaps(hand, unseen, k):
    """Every hand that k tiles added and as many taken (one less if no tile was drawn) make, and how."""
    held = np.flatnonzero(hand)
    taken = k if hand.sum() % 3 == 2 else k - 1
    out = set(itertools.combinations_with_replacement(held, taken))
    for add in itertools.combinations_with_replacement(np.flatnonzero(unseen), k):
        for remove in out:
            if set(add) & set(remove):
                continue
            change = np.bincount(add, minlength=34) - np.bincount(np.array(remove, int), minlength=34)
            if (np.bincount(add, minlength=34) <= unseen).all() and (hand + change >= 0).all():
                yield hand + change, add, remove


def points_of(q, hands, wins, rules):
    """What each hand pays on a discard of the given tile, 0 without a yaku."""
    n = len(hands)
    dora = hands.astype(int) @ q.dora + q.meld_dora
    for suit in range(3):
        dora += np.minimum(hands[:, 9 * suit + 4], q.red[suit])
    result = evaluate_many(
        hands.astype(np.int8),
        np.array(wins, np.int8),
        np.tile(q.meld_type, (n, 1)),
        np.tile(q.meld_tile, (n, 1)),
        np.full(n, RIICHI if q.closed else 0),
        np.full(n, q.round_wind),
        np.full(n, q.seat_wind),
        dora,
        rules,
    )
    return result["ron"]


def brute_force(q, k, rules):
    """best, ways (by threshold reached or passed) and number of wins at distance k, as the search reports them."""
    best, ways = np.zeros(35, int), np.zeros((35, len(THRESHOLDS)))
    found = list(swaps(q.hand.astype(int), q.unseen.astype(int), k))
    hands = np.array([hand for hand, _, _ in found]).reshape(-1, 34).astype(np.int8)
    shanten = np.zeros(len(found), np.int8)
    shanten_many(tables(), hands, np.full(len(found), q.melds, np.int8), shanten)
    wins = [found[i] for i in np.flatnonzero(shanten == -1)]
    count = 0
    for hand, add, remove in wins:
        last = sorted(set(add)) or [int(q.last)]
        points = int(points_of(q, np.tile(hand, (len(last), 1)), last, rules).max())
        if points == 0:
            continue
        count += 1
        number = 1.0
        for kind in set(add):
            n, c = int(q.unseen[kind]), add.count(kind)
            number *= [1, n, n * (n - 1) / 2, n * (n - 1) * (n - 2) / 6][c]
        for row in {34, *remove}:
            best[row] = max(best[row], points)
            ways[row] += number * (points >= np.maximum(THRESHOLDS, 0))
            ways[row, 0] += number * (points < THRESHOLDS[0])
    return best, ways, count


@pytest.fixture(scope="module")
def states():
    """Table records from long random play, where hands of all sizes and many melds occur."""
    many = Tables(4000, seed=11)
    many.play_random(150, 11)
    return many.records


def near(states, n):
    """The first n states whose asked seat can win by at most two swaps."""
    q = np.zeros(1, SEARCH)[0]
    for s in states:
        fill_query(s, s.seat, 2, q)
        search_wins(tables(), patterns(), s.rules, q)
        if q.wins.sum() > 0:
            yield s
            n -= 1
            if n == 0:
                return


def test_equals_brute_force_up_to_two_swaps(states):
    rules = Rules.tenhou()
    q = np.zeros(1, SEARCH)[0]
    phases = set()
    for s in near(states, 60):
        phases.add(int(s.phase))
        fill_query(s, s.seat, 2, q)
        search_wins(tables(), patterns(), s.rules, q)
        for k in range(3):
            if k == 0 and q.last < 0:
                continue
            best, ways, count = brute_force(q, k, rules)
            assert q.wins[k] == count
            assert (q.best[:, k] == best).all()
            assert q.ways[:, k] == pytest.approx(ways)
    assert {TURN, CLAIM} <= phases


def test_reaches_of_three_contain_those_of_two(states):
    q, r = np.zeros(2, SEARCH)
    for s in states[:500]:
        fill_query(s, s.seat, 2, q)
        search_wins(tables(), patterns(), s.rules, q)
        fill_query(s, s.seat, 3, r)
        search_wins(tables(), patterns(), s.rules, r)
        assert (q.best[:, :3] == r.best[:, :3]).all()
        assert (q.ways[:, :3] == r.ways[:, :3]).all()


def test_probability_of_one_tile_is_exact():
    unseen, ways, draws = 20, 5, 4
    sets = list(itertools.combinations(range(unseen), draws))
    exact = np.mean([min(drawn) < ways for drawn in sets])
    assert probability(float(ways), 1, unseen, draws) == pytest.approx(exact)


def test_probability_of_two_tiles_is_close_for_disjoint_sets():
    unseen, draws = 24, 6
    sets = np.array(list(itertools.combinations(range(unseen), draws)))
    held = np.zeros((len(sets), unseen), bool)
    np.put_along_axis(held, sets, True, 1)
    exact = ((held[:, 0] & held[:, 1]) | (held[:, 2] & held[:, 3])).mean()
    assert probability(2.0, 2, unseen, draws) == pytest.approx(exact, abs=0.005)


@pytest.mark.parametrize("hand", ["11123456789999m", "22334455667788s", "11122233344455p", "13579m13579p1357s"])
def test_flushes_fit_into_the_work_space(hand):
    from suzaku.tiles import parse

    s = Tables(1, seed=1).records[0]
    q = np.zeros(1, SEARCH)[0]
    s.hand[0] = np.bincount(KIND_OF[parse(hand)], minlength=34)
    s.red[0] = 0
    from suzaku.hand.shanten import fill_keys

    fill_keys(s.hand[0], s.key[0])
    fill_query(s, 0, 3, q)
    q.unseen[:] = 4 - q.hand
    search_wins(tables(), patterns(), s.rules, q)
    assert q.first[:, 10].max() < CANDIDATES
