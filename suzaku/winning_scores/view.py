"""A one-player hand as its player sees it: the closed tiles and all that counts for winning it."""

import numpy as np

from suzaku.hand.tables import POW5
from suzaku.kernel import kernel
from suzaku.lookahead.query import draws_left
from suzaku.riichi.score import win_value
from suzaku.riichi.state import INDICATORS
from suzaku.riichi.visible import fill_unseen
from suzaku.riichi.yaku import YAKUMAN
from suzaku.tiles import DORA_OF

CLASSES = 5  # a hand is won with 0 (not at all), 1, 2, 3, or 4 and more han
ONE = np.uint64(1)
EVERY_SECOND, TWO_OF_FOUR = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
FOUR_OF_EIGHT, FIRST_OF_EIGHT = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
AIMS = 4  # at least 1, 2, 3 or 4 han

VIEW = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("hand", "i1", (34,)),  # closed tiles by kind, the drawn one included
                ("red", "i1", (3,)),  # red fives among them
                ("key", "i4", (4,)),
                ("unseen", "i1", (34,)),  # tiles of each kind that the player cannot see
                (
                    "unseen_bits",
                    "u8",
                    (3,),
                ),  # the same by the bits of the numbers: masks of kinds, see `fill_unseen_bits`
                ("dora", "i1", (5,)),  # the kinds that are dora, one for each indicator
                ("doras", "i1"),  # how many indicators
                ("discarded", "u8"),  # mask of the kinds in the own river
                ("round_wind", "i1"),
                ("seat_wind", "i1"),
                ("draws", "i1"),  # that follow after this discard, if nobody calls
                ("may_riichi", "i1"),  # whether enough tiles are left
                ("meld_type", "i1", (4,)),  # none: work space of the scoring
                ("meld_tile", "i1", (4,)),
            ],
            align=True,
        ),
    )
)


@kernel
def take(v, kind):
    """Put a tile into the hand."""
    v.hand[kind] += 1
    v.key[kind // 9] += POW5[kind % 9]


@kernel
def put(v, kind):
    """Take a tile out of the hand."""
    v.hand[kind] -= 1
    v.key[kind // 9] -= POW5[kind % 9]


@kernel
def fill_unseen_bits(v):
    """Bring `unseen_bits` up to date."""
    ones = twos = fours = np.uint64(0)
    for kind in range(34):
        n = np.uint64(v.unseen[kind])
        ones |= (n & ONE) << np.uint64(kind)
        twos |= ((n >> ONE) & ONE) << np.uint64(kind)
        fours |= ((n >> np.uint64(2)) & ONE) << np.uint64(kind)
    v.unseen_bits[0], v.unseen_bits[1], v.unseen_bits[2] = ones, twos, fours


@kernel
def _count(mask):
    """The bits that are set, added up side by side: compiled to one instruction where the processor has it."""
    mask -= (mask >> ONE) & EVERY_SECOND
    mask = (mask & TWO_OF_FOUR) + ((mask >> np.uint64(2)) & TWO_OF_FOUR)
    mask = (mask + (mask >> np.uint64(4))) & FOUR_OF_EIGHT
    return np.int64((mask * FIRST_OF_EIGHT) >> np.uint64(56))


@kernel
def count_unseen(v, mask):
    """The tiles of the kinds of a mask that the player cannot see."""
    bits = v.unseen_bits
    return _count(mask & bits[0]) + 2 * _count(mask & bits[1]) + 4 * _count(mask & bits[2])


@kernel
def throws_red(v, kind):
    """Whether discarding a kind throws its red five: the hand then has no plain one."""
    return kind < 27 and kind % 9 == 4 and v.red[kind // 9] > 0 and v.hand[kind] == v.red[kind // 9]


@kernel
def dora_of(v, kind):
    """Han that a tile of a kind gives."""
    han = 0
    for i in range(v.doras):
        if v.dora[i] == kind:
            han += 1
    return han


@kernel
def dora_han(v):
    """Han of the doras and red fives in the hand."""
    han = np.int64(v.red[0]) + v.red[1] + v.red[2]
    for i in range(v.doras):
        han += v.hand[v.dora[i]]
    return han


@kernel
def han_of(tables, rules, v, kind, flags):
    """The han of the complete hand won with a kind that is in it; 0 without a yaku. A yakuman counts 13."""
    mask, han, _, yakuman = win_value(
        tables, rules, v.hand, v.key, 0, v.meld_type, v.meld_tile, kind, flags, v.round_wind, v.seat_wind, dora_han(v)
    )
    if mask == 0:
        return 0
    return YAKUMAN * yakuman if yakuman > 0 else np.int64(han)


@kernel
def fill_table_view(s, p, v):
    """The view of seat p at a table, whose hand is closed and holds a drawn tile."""
    v.hand[:] = s.hand[p]
    v.red[:] = s.red[p]
    v.key[:] = s.key[p]
    fill_unseen(s, p, v.unseen)
    v.doras = s.indicators
    for i in range(s.indicators):
        v.dora[i] = DORA_OF[s.wall[INDICATORS[i]]]
    v.discarded = s.discarded[p]
    v.round_wind = (s.round_no // 4) & 3
    v.seat_wind = (p - s.dealer) & 3
    v.draws = draws_left(s, p)
    v.may_riichi = 1 if s.left >= s.rules.riichi_min_tiles else 0
