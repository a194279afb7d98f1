"""Ukeire against plain shanten of every hand one tile away."""

import numpy as np
import pytest

from suzaku.hand.notation import to_counts
from suzaku.hand.shanten import FAR, fill_keys, shanten_counts, waits_counts
from suzaku.hand.tables import tables
from suzaku.lookahead.ukeire import UKEIRE, fill_ukeire, ukeire_many
from suzaku.riichi import Tables
from suzaku.riichi.redraw import fill_unseen
from suzaku.riichi.state import CLAIM, TURN
from suzaku.tiles import parse
from tests.hand.random_hands import melds_beside, random_hands


def keys_of(hand):
    keys = np.zeros(4, np.int32)
    fill_keys(hand, keys)
    return keys


def plain(hand, melds, unseen):
    """Shanten, accepted kinds and their number of a hand of 3n+1 tiles, one shanten call a tile."""
    now = shanten_counts(tables(), hand, melds)
    mask = count = 0
    for kind in np.flatnonzero(hand < 4):
        more = hand.copy()
        more[kind] += 1
        if shanten_counts(tables(), more, melds) < now:
            mask |= 1 << int(kind)
            count += int(unseen[kind])
    return now, mask, count


def check(hand, melds, unseen, out):
    if hand.sum() % 3 == 1:
        assert (out.shanten[34], int(out.accepts[34]), out.unseen[34]) == plain(hand, melds, unseen)
        assert (out.shanten[:34] == FAR).all()
        return
    assert out.shanten[34] == shanten_counts(tables(), hand, melds)
    for kind in range(34):
        if hand[kind] == 0:
            assert out.shanten[kind] == FAR
            continue
        left = hand.copy()
        left[kind] -= 1
        assert (out.shanten[kind], int(out.accepts[kind]), out.unseen[kind]) == plain(left, melds, unseen)


def test_equals_plain_shanten_on_random_hands():
    out = np.zeros(1, UKEIRE)[0]
    rng = np.random.default_rng(3)
    for hand in random_hands(8, 400):
        unseen = np.minimum(4 - hand, rng.integers(0, 5, 34)).astype(np.int8)
        fill_ukeire(tables(), hand, keys_of(hand), melds_beside(hand), unseen, out)
        check(hand, melds_beside(hand), unseen, out)


def test_many_tables_at_once():
    many = Tables(300, seed=5)
    many.play_random(70, 5)
    out = np.zeros(300, UKEIRE)
    ukeire_many(tables(), many.records, many.seat, out)
    unseen = np.zeros(34, np.int8)
    for s, p, answer in zip(many.records[:60], many.seat, out, strict=False):
        fill_unseen(s, p, unseen)
        assert s.phase in (TURN, CLAIM) or s.hand[p].sum() % 3 == 2
        check(s.hand[p].copy(), int(s.melds[p]), unseen, answer)


@pytest.mark.parametrize(
    ("text", "shanten", "accepts", "count"),
    [
        ("123m456p23478s11z", 0, "69s", 8),
        ("1112345678999m", 0, "123456789m", 23),
        ("19m19p19s1234567z", 0, "19m19p19s1234567z", 39),
        ("113355m7799p22s6z", 0, "6z", 3),
        ("123m456p2347s1122z", 0, None, None),
    ],
)
def test_hands_everyone_knows(text, shanten, accepts, count):
    out = np.zeros(1, UKEIRE)[0]
    hand = to_counts(parse(text))
    fill_ukeire(tables(), hand, keys_of(hand), 0, (4 - hand).astype(np.int8), out)
    if accepts is None:  # fourteen tiles: the best discard
        assert out.shanten[34] == shanten
        return
    assert out.shanten[34] == shanten
    assert int(out.accepts[34]) == sum(1 << kind for kind in parse(accepts))
    assert out.unseen[34] == count
    assert out.accepts[34] == waits_counts(tables(), hand, 0)
