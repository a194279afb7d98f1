"""The fans of pungs and kongs. A pung here is a triplet or a kong, concealed or not."""

from suzaku.hand.masks import popcount
from suzaku.kernel import kernel
from suzaku.mcr import fans
from suzaku.tiles import TERMINALS

WINDS, DRAGONS = 27, 31  # first kinds


@kernel
def _of_suits(pungs):
    """The fans of pungs by suit and number, and how many double pungs."""
    a, b, c = pungs & 511, pungs >> 9 & 511, pungs >> 18 & 511
    for suit in (a, b, c):
        if suit & suit >> 1 & suit >> 2 != 0:
            if suit & suit >> 1 & suit >> 2 & suit >> 3 != 0:
                return fans.FOUR_PURE_SHIFTED_PUNGS, 0
            doubles = popcount(a & b) + popcount(a & c) + popcount(b & c)
            return fans.PURE_SHIFTED_PUNGS, doubles
    if a & b & c != 0:
        return fans.TRIPLE_PUNG, 0
    big = 0
    if (
        a & (b >> 1 & c >> 2 | c >> 1 & b >> 2) != 0
        or b & (a >> 1 & c >> 2 | c >> 1 & a >> 2) != 0
        or c & (a >> 1 & b >> 2 | b >> 1 & a >> 2) != 0
    ):
        big = fans.MIXED_SHIFTED_PUNGS
    return big, popcount(a & b) + popcount(a & c) + popcount(b & c)


@kernel
def pung_fans(pungs, pair, seat_wind, round_wind):
    """The fans of some pungs and the kind of the pair: bits of big, of small, and more."""
    big = small = more = 0
    if pungs & (1 << 27) - 1 != 0:
        big, doubles = _of_suits(pungs)
        if doubles > 0:
            small |= fans.DOUBLE_PUNG
            more |= doubles - 1 << fans.MORE_DOUBLE_PUNGS
    outer = popcount(pungs & TERMINALS)
    winds, dragons = pungs >> WINDS & 15, pungs >> DRAGONS & 7
    if winds != 0:
        n = popcount(winds)
        if winds >> seat_wind & 1 != 0:
            small |= fans.SEAT_WIND
        if winds >> round_wind & 1 != 0:
            small |= fans.PREVALENT_WIND
        if n == 4:
            big |= fans.BIG_FOUR_WINDS
        elif n == 3:
            big |= fans.LITTLE_FOUR_WINDS if WINDS <= pair < DRAGONS else fans.BIG_THREE_WINDS
        else:
            outer += popcount(winds & ~(1 << seat_wind | 1 << round_wind))
    if dragons != 0:
        n = popcount(dragons)
        small |= fans.DRAGON_PUNG
        more |= n - 1 << fans.MORE_DRAGONS
        if n == 3:
            big |= fans.BIG_THREE_DRAGONS
        elif n == 2:
            if pair >= DRAGONS:
                big |= fans.LITTLE_THREE_DRAGONS
            else:
                small |= fans.TWO_DRAGON_PUNGS
    if outer > 0:
        small |= fans.PUNG_OF_TERMINALS_OR_HONORS
        more |= outer - 1 << fans.MORE_TERMINAL_PUNGS
    return big, small, more


@kernel
def concealed_fans(hidden, closed_kongs, open_kongs, mixed):
    """The fans of kongs and of so many concealed pungs (concealed kongs among them); `mixed`: fan 82 is played."""
    big = small = 0
    kongs = closed_kongs + open_kongs
    if kongs == 4:
        big |= fans.FOUR_KONGS
    elif kongs == 3:
        big |= fans.THREE_KONGS
    elif kongs == 2:
        if open_kongs == 0:
            small |= fans.TWO_CONCEALED_KONGS
        elif closed_kongs == 0:
            small |= fans.TWO_MELDED_KONGS
        elif mixed:
            small |= fans.MIXED_KONGS
        else:
            small |= fans.CONCEALED_KONG | fans.MELDED_KONG
    elif kongs == 1:
        small |= fans.CONCEALED_KONG if closed_kongs == 1 else fans.MELDED_KONG
    if hidden == 4:
        big |= fans.FOUR_CONCEALED_PUNGS
    elif hidden == 3:
        big |= fans.THREE_CONCEALED_PUNGS
    elif hidden == 2:
        small |= fans.TWO_CONCEALED_PUNGS
    return big, small
