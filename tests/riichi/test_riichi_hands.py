"""Hands of seats in riichi, drawn from few tiles and compared with all hands there are."""

from collections import Counter
from collections.abc import Callable, Iterator
from math import comb, prod

import numpy as np
import pytest

from suzaku.hand.shanten import fill_keys, shanten_parts, waits_counts
from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.riichi import STATE
from suzaku.riichi import state as st
from suzaku.riichi.riichi_hands import FURITEN_WEIGHT, draw_riichi_hands
from suzaku.riichi.tenpai_hands import WORK, draw_tenpai, sum_tenpai
from suzaku.tiles import parse

POOLS = {  # tiles to draw from, and the size of the hand
    "one suit": ("11123334567899m", 13),
    "all suits": ("112345m 456789p 22334s 5z", 13),
    "pairs": ("112233445566m 77p 11z 5s", 13),
    "orphans": ("119m 19p 19s 12345677z 2m", 13),
    "no fifth tile": ("1111m 123p 23s 5555z", 10),
    "beside two kongs": ("1223344m 22p 345s 666z", 7),
    "four tiles": ("11123m 57p 5z 99s 66z", 4),
    "one tile": ("119m 5p", 1),
}


def counts_of(text: str) -> np.ndarray:
    return np.bincount([tile for part in text.split() for tile in parse(part)], minlength=34).astype(np.int64)


def hands_of(pool: np.ndarray, size: int) -> Iterator[np.ndarray]:
    """All hands of so many tiles."""
    kinds = np.flatnonzero(pool)

    def choose(i: int, left: int) -> Iterator[list[int]]:
        if i == len(kinds):
            if left == 0:
                yield []
            return
        for n in range(min(left, pool[kinds[i]]) + 1):
            for rest in choose(i + 1, left - n):
                yield [n, *rest]

    for counts in choose(0, size):
        hand = np.zeros(34, np.int64)
        hand[kinds] = counts
        yield hand


def sets_of(hand: np.ndarray, pool: np.ndarray) -> int:
    """How many sets of the pool's tiles are such a hand."""
    return prod(comb(int(there), int(n)) for there, n in zip(pool, hand, strict=True) if n)


def waits(hand: np.ndarray) -> int:
    return int(waits_counts(hand_tables(), hand, (13 - hand.sum()) // 3))


def check_fit(found: Counter, weights: dict) -> None:
    """What was drawn is possible, and as frequent as its weight says (chi-square, one in a million by chance)."""
    assert set(found) <= {hand for hand, weight in weights.items() if weight > 0}
    share = sum(found.values()) / sum(weights.values())
    often = [hand for hand, weight in weights.items() if weight * share >= 5]
    rest_found = sum(found.values()) - sum(found[hand] for hand in often)
    rest = sum(weights.values()) - sum(weights[hand] for hand in often)
    chi = sum((found[hand] - weights[hand] * share) ** 2 / (weights[hand] * share) for hand in often)
    chi += (rest_found - rest * share) ** 2 / max(rest * share, 1)
    assert chi < len(often) + 7 * (2 * len(often)) ** 0.5 + 10, (chi, len(often))


@pytest.mark.parametrize("name", POOLS)
def test_sums_are_those_of_all_hands(name: str) -> None:
    pool, size = counts_of(POOLS[name][0]), POOLS[name][1]
    sums, keys = np.zeros(3, np.int64), np.zeros(4, np.int64)
    for hand in hands_of(pool, size):
        fill_keys(hand, keys)
        sums += sets_of(hand, pool) * (np.array(shanten_parts(hand_tables(), *keys, (13 - size) // 3)) == 0)
    work = np.zeros(1, WORK)[0]
    assert sum_tenpai(hand_tables(), pool, size, work)
    assert [work.usual, work.seven, work.thirteen] == sums.tolist()


@kernel
def _draw_many(tables, pool, size, work, out, x):
    for i in range(out.shape[0]):
        while out[i].sum() == 0:
            x = draw_tenpai(tables, pool, size, work, out[i], x)


@pytest.mark.parametrize("name", POOLS)
def test_every_set_of_tiles_is_drawn_equally_often(name: str) -> None:
    pool, size = counts_of(POOLS[name][0]), POOLS[name][1]
    work, out = np.zeros(1, WORK)[0], np.zeros((20_000, 34), np.int64)
    sum_tenpai(hand_tables(), pool, size, work)
    _draw_many(hand_tables(), pool, size, work, out, np.uint64(5))
    check_fit(
        Counter(hand.tobytes() for hand in out),
        {hand.tobytes(): sets_of(hand, pool) for hand in hands_of(pool, size) if waits(hand)},
    )


def test_where_no_hand_is_tenpai_none_is_drawn() -> None:
    assert not sum_tenpai(hand_tables(), counts_of("159m 159p 159s 1234z"), 10, np.zeros(1, WORK)[0])


@kernel
def _draw_riichi_many(tables, s, pool, work, out, x):
    """Draw the riichi hands many times; how often they were found."""
    found = 0
    for i in range(out.shape[0]):
        done, x = draw_riichi_hands(tables, s, 0, pool.copy(), out[i], work, x)
        found += done
    return found


def riichi_table(*seats: int, melds: int) -> np.record:
    """A table where these seats are in riichi beside closed kongs of honours made before."""
    s = np.zeros(1, STATE)[0]
    s.phase, s.riichi_due, s.meld_added[:] = st.TURN, -1, -1
    for p in seats:
        s.riichi[p] = 1
        s.melds[p] = melds
        s.river_size[p] = 1
        s.river_flag[p, 0] = st.RIVER_RIICHI
    return s


def drawn(s: np.record, pool: np.ndarray, n: int = 20_000) -> np.ndarray:
    out = np.zeros((n, 4, 34), np.int64)
    assert _draw_riichi_many(hand_tables(), s, pool, np.zeros(1, WORK)[0], out, np.uint64(9)) == n
    return out


def mask_of(text: str) -> int:
    return sum(1 << kind for kind in set(parse(text)))


def single(s: np.record, pool: np.ndarray, weight: Callable[[np.ndarray], float]) -> None:
    check_fit(
        Counter(hands[1].tobytes() for hands in drawn(s, pool)),
        {hand.tobytes(): sets_of(hand, pool) * weight(hand) for hand in hands_of(pool, 13 - 3 * s.melds[1])},
    )


def test_a_furiten_riichi_is_rare() -> None:
    """Kinds of the own river, tiles that passed since riichi and tiles added to a pong."""
    s = riichi_table(1, melds=3)
    s.discarded[1] = mask_of("3m")
    s.river_size[2], s.river[2, :2], s.river_order[2, :2], s.discards = 2, parse("5z1m"), [0, 1], 2
    s.river_order[1, 0] = 0  # so 5z passed before
    s.melds[3], s.meld_type[3, 0], s.meld_tile[3, 0], s.meld_added[3, 0] = 1, st.ADDED_KONG, 14, 14  # 6p
    s.added_order[3, 0] = 2
    barred = mask_of("13m6p")
    single(
        s, counts_of("11123m 57p 5z 99s 66z"), lambda h: (FURITEN_WEIGHT if waits(h) & barred else 1) * (waits(h) != 0)
    )


def test_a_hand_that_can_only_be_furiten_is_drawn() -> None:
    s = riichi_table(1, melds=4)
    s.discarded[1] = mask_of("19m5p")
    single(s, counts_of("119m 5p"), lambda _: FURITEN_WEIGHT)


def test_a_kong_in_riichi_had_kept_the_waits() -> None:
    """After the kong of 2m, no hand is drawn that waited for more before it."""
    s = riichi_table(1, melds=3)
    s.meld_type[1, :3] = st.CLOSED_KONG
    s.meld_tile[1, :3] = [31, 32, 1]
    s.meld_order[1, :3] = [0, 0, 4]
    pool = counts_of("113445m 35p 7799s")
    before = {}
    for hand in hands_of(pool, 4):
        triplet = hand.copy()
        triplet[1] += 3
        before[hand.tobytes()] = waits(triplet) == waits(hand) != 0
    assert any(waits(hand) and not before[hand.tobytes()] for hand in hands_of(pool, 4))
    single(s, pool, lambda hand: before[hand.tobytes()])


def test_before_its_discard_a_riichi_hand_can_become_tenpai() -> None:
    s = riichi_table(melds=3)
    s.phase, s.seat, s.turn, s.melds[1] = st.RIICHI_DISCARD, 1, 1, 3
    s.discarded[1] = mask_of("3m")
    pool = counts_of("11123m 57p 5z 99s 6z")

    def weight(hand: np.ndarray) -> float:
        best = 0.0
        for kind in np.flatnonzero(hand):
            rest = hand.copy()
            rest[kind] -= 1
            if waits(rest):
                best = max(best, FURITEN_WEIGHT if waits(rest) & (mask_of("3m") | 1 << int(kind)) else 1)
        return best

    check_fit(
        Counter(hands[1].tobytes() for hands in drawn(s, pool)),
        {hand.tobytes(): sets_of(hand, pool) * weight(hand) for hand in hands_of(pool, 5)},
    )


@pytest.mark.parametrize("text", ["1123m 99p 122s 5z", "111234m 5p 777z"])
def test_two_riichi_hands_fit_together(text: str) -> None:
    s, pool = riichi_table(1, 3, melds=3), counts_of(text)
    tenpai = [hand for hand in hands_of(pool, 4) if waits(hand)]
    weights = {
        one.tobytes() + two.tobytes(): sets_of(one, pool) * sets_of(two, pool - one)
        for one in tenpai
        for two in tenpai
        if (one + two <= pool).all()
    }
    check_fit(Counter(hands[1].tobytes() + hands[3].tobytes() for hands in drawn(s, pool, 4000)), weights)


def test_hands_that_only_just_fit_are_found() -> None:
    """Three riichi hands out of 41 tiles, of which one is thirteen orphans and one seven pairs."""
    s = riichi_table(1, 2, 3, melds=0)
    pool = counts_of("19m19p19s1234567z 114477m225588p3s 234567m345p678s9s 12z")
    out = drawn(s, pool, 20)
    assert all(waits(hand) for hands in out for hand in hands[1:])
    assert (out.sum(1) <= pool).all()
    assert len({hands.tobytes() for hands in out}) == 20
