"""Shanten and waits against brute force and two independent judges."""

from functools import cache
from itertools import combinations_with_replacement

import numpy as np
import pytest

from suzaku.hand.shanten import FAR, fill_keys, shanten_counts, shanten_many, shanten_parts, waits_counts
from suzaku.hand.suit_patterns import PAIR_SHIFT, RUN_SHIFT
from suzaku.hand.tables import LAST_READING, tables
from tests.hand.random_hands import melds_beside, random_hands

HANDS = 24_000


@pytest.fixture(scope="module")
def hands() -> list[np.ndarray]:
    return random_hands(7, HANDS)


@pytest.fixture(scope="module")
def parts(hands) -> list[tuple[int, int, int]]:
    key = np.empty(4, np.int64)
    found = []
    for hand in hands:
        fill_keys(hand, key)
        found.append(tuple(int(n) for n in shanten_parts(tables(), *key, melds_beside(hand))))
    return found


@cache
def _patterns(places: int) -> dict[tuple[int, bool], np.ndarray]:
    """All complete suits of so many kinds, by the number of melds and whether there is a pair."""
    melds = [np.eye(places, dtype=int)[k] * 3 for k in range(places)]
    if places == 9:
        melds += [np.eye(9, dtype=int)[k : k + 3].sum(0) for k in range(7)]
    pairs = [np.eye(places, dtype=int)[k] * 2 for k in range(places)]
    found = {}
    for j in range(5):
        bare = [sum(group, np.zeros(places, int)) for group in combinations_with_replacement(melds, j)]
        found[j, False] = np.array([p for p in bare if p.max() <= 4])
        found[j, True] = np.array([p + pair for p in bare for pair in pairs if (p + pair).max() <= 4])
    return found


def _brute_force(hand: np.ndarray, melds: int) -> int:
    """Normal shanten from the definition: the fewest tiles missing from any complete hand."""
    best = {(0, False): 0}
    for first, places in ((0, 9), (9, 9), (18, 9), (27, 7)):
        short = {
            size: np.maximum(patterns - hand[first : first + places], 0).sum(1).min()
            for size, patterns in _patterns(places).items()
        }
        joined: dict[tuple[int, bool], int] = {}
        for (i, pair), n in best.items():
            for (j, other), m in short.items():
                if i + j <= 4 and not (pair and other):
                    size = (i + j, pair or other)
                    joined[size] = min(joined.get(size, FAR), n + m)
        best = joined
    return int(best[4 - melds, True]) - 1


def test_brute_force_agrees(hands, parts) -> None:
    for hand, (normal, _, _) in list(zip(hands, parts, strict=True))[:400]:
        assert normal == _brute_force(hand, melds_beside(hand)), hand


def test_readings_are_all_and_right() -> None:
    reading_of, reading = tables().reading_of, tables().reading
    complete = {tuple(row) for patterns in _patterns(9).values() for row in patterns}
    keys = {sum(int(n) * 5**i for i, n in enumerate(row)): row for row in complete}
    assert set(np.flatnonzero(reading_of)) == set(keys)
    for key, row in keys.items():
        at = int(reading_of[key]) - 1
        seen = set()
        while True:
            packed = int(reading[at])
            counts = [3 * (packed >> k & 1) for k in range(9)]
            for k in range(7):
                for i in range(3):
                    counts[k + i] += packed >> RUN_SHIFT + 3 * k & 7
            pair = packed >> PAIR_SHIFT & 15
            if pair:
                counts[pair - 1] += 2
            assert tuple(counts) == row
            seen.add(packed & ~int(LAST_READING))
            at += 1
            if packed & int(LAST_READING):
                break
        assert len(seen) == at - int(reading_of[key]) + 1  # no reading twice


def test_riichienv_agrees(hands, parts) -> None:
    riichienv = pytest.importorskip("riichienv", reason="the judge 'riichienv' is not installed (extra 'dev')")
    for hand, found in zip(hands, parts, strict=True):
        ids = [4 * kind + i for kind in range(34) for i in range(hand[kind])]
        assert min(found) == riichienv.calculate_shanten(ids), hand


def test_mahjong_agrees(hands, parts) -> None:
    shanten = pytest.importorskip("mahjong.shanten", reason="the judge 'mahjong' is not installed (extra 'dev')")
    judge = shanten.Shanten()
    for hand, (normal, seven, thirteen) in zip(hands, parts, strict=True):
        counts = hand.tolist()
        theirs = judge.calculate_shanten_for_regular_hand(counts)
        if theirs != normal:
            # It lets a hand wait for the fifth tile of a kind (234234555m9999m for 9m). There is none: by the
            # definition ours is right.
            assert theirs < normal, hand
            assert hand.max() == 4, hand
            assert normal == _brute_force(hand, melds_beside(hand)), hand
        if melds_beside(hand):
            assert (seven, thirteen) == (FAR, FAR)
            continue
        # It counts pairs alone. The seven pairs must differ (a kind held four times is one pair), so a hand of fewer
        # than seven kinds needs a tile more for each kind it lacks.
        lacking = max(0, 7 - int((hand > 0).sum()))
        assert seven == judge.calculate_shanten_for_chiitoitsu_hand(counts) + lacking, hand
        assert thirteen == judge.calculate_shanten_for_kokushi_hand(counts), hand


def test_many_at_once(hands, parts) -> None:
    out = np.empty(len(hands), np.int8)
    shanten_many(tables(), np.array(hands), np.array([melds_beside(hand) for hand in hands], np.int8), out)
    assert out.tolist() == [min(found) for found in parts]


def test_waits_are_the_kinds_that_complete(hands) -> None:
    tenpai = 0
    for hand in hands[:6000]:
        melds = melds_beside(hand)
        if hand.sum() % 3 != 1:
            continue
        expected = 0
        for kind in range(34):
            if hand[kind] < 4:
                hand[kind] += 1
                if shanten_counts(tables(), hand, melds) == -1:
                    expected |= 1 << kind
                hand[kind] -= 1
        assert int(waits_counts(tables(), hand, melds)) == expected
        assert (shanten_counts(tables(), hand, melds) == 0) == (expected != 0)
        tenpai += expected != 0
    assert tenpai > 300


def test_uncompiled_is_the_same(hands, parts) -> None:
    key = np.empty(4, np.int64)
    for hand, found in list(zip(hands, parts, strict=True))[:100]:
        fill_keys.py_func(hand, key)
        assert tuple(int(n) for n in shanten_parts.py_func(tables(), *key, melds_beside(hand))) == found
