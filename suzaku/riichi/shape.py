"""The yaku that lie in the shape of a hand: kernels over one reading of the whole hand, melds included.

A reading is three numbers: the mask of kinds that are triplets (or kongs), the runs (3 bits say how often a run starts
at a place; 7 places a suit), and the kind of the pair.
"""

from suzaku.hand.masks import popcount
from suzaku.kernel import kernel
from suzaku.riichi import yaku
from suzaku.tiles import HONOURS, ORPHANS, TERMINALS

RUN_BITS = 21  # bits of a suit in the runs
ONE_SUIT = (1 << RUN_BITS) - 1
PLACES = sum(1 << 3 * i for i in range(21))  # lowest bit of every place
FIRST_PLACES = 1 | 1 << 21 | 1 << 42
OUTER_RUNS = FIRST_PLACES | FIRST_PLACES << 18  # 123 and 789
DRAGONS, WINDS = 31, 27  # first kind of each
GREEN = sum(1 << k for k in (19, 20, 21, 23, 25, 32))
GREEN_RUN = 1 << 42 + 3  # 234 of bamboos


@kernel
def count_suits(triplets, runs, pair):
    """How many of the three suits are in the hand."""
    sets = triplets | 1 << pair
    n = 0
    for suit in range(3):
        if (sets >> 9 * suit) & 511 != 0 or (runs >> RUN_BITS * suit) & ONE_SUIT != 0:
            n += 1
    return n


@kernel
def shape_yaku(open_tanyao, triplets, runs, pair, kongs, closed, round_wind, seat_wind):
    """The ordinary yaku of a reading, but for pinfu and concealed triplets: these hang on the winning tile."""
    sets = triplets | 1 << pair
    starts = (runs | runs >> 1 | runs >> 2) & PLACES
    found = 0
    if sets & ORPHANS == 0 and starts & OUTER_RUNS == 0:
        if closed or open_tanyao:
            found |= 1 << yaku.TANYAO
    elif sets & ~ORPHANS == 0 and starts & ~OUTER_RUNS == 0:
        if starts == 0:
            found |= 1 << yaku.HONROUTOU
        elif sets & HONOURS != 0:
            found |= 1 << yaku.CHANTA
        else:
            found |= 1 << yaku.JUNCHAN
    if count_suits(triplets, runs, pair) == 1:
        found |= 1 << (yaku.HONITSU if sets & HONOURS != 0 else yaku.CHINITSU)

    if starts == 0:
        found |= 1 << yaku.TOITOI
    else:
        if starts & starts >> RUN_BITS & starts >> 2 * RUN_BITS != 0:
            found |= 1 << yaku.SANSHOKU_DOUJUN
        if starts & starts >> 9 & starts >> 18 & FIRST_PLACES != 0:
            found |= 1 << yaku.ITTSUU
        if closed:
            equal = popcount(runs >> 1 & PLACES) + 2 * popcount(runs >> 2 & PLACES)
            if equal == 1:
                found |= 1 << yaku.IIPEIKOU
            elif equal == 2:
                found |= 1 << yaku.RYANPEIKOU

    if triplets & triplets >> 9 & triplets >> 18 & 511 != 0:
        found |= 1 << yaku.SANSHOKU_DOUKOU
    if kongs == 3:
        found |= 1 << yaku.SANKANTSU
    if triplets & HONOURS != 0:
        found |= (triplets >> DRAGONS) << yaku.HAKU
        if sets >> DRAGONS == 7:
            found |= 1 << yaku.SHOUSANGEN
        found |= (triplets >> WINDS + seat_wind & 1) << yaku.SEAT_EAST + seat_wind
        found |= (triplets >> WINDS + round_wind & 1) << yaku.ROUND_EAST + round_wind
    return found


@kernel
def shape_yakuman(triplets, runs, pair, kongs):
    """The yakuman of a reading, but for nine gates and concealed triplets: these hang on the winning tile."""
    sets = triplets | 1 << pair
    found = 0
    if kongs == 4:
        found |= 1 << yaku.SUUKANTSU
    if sets & HONOURS != 0:
        if triplets >> DRAGONS == 7:
            found |= 1 << yaku.DAISANGEN
        if triplets >> WINDS & 15 == 15:
            found |= 1 << yaku.DAISUUSHI
        elif sets >> WINDS & 15 == 15:
            found |= 1 << yaku.SHOUSUUSHI
        if runs == 0 and sets & ~HONOURS == 0:
            found |= 1 << yaku.TSUUIISOU
    elif runs == 0 and sets & ~TERMINALS == 0:
        found |= 1 << yaku.CHINROUTOU
    if sets & ~GREEN == 0 and (runs | runs >> 1 | runs >> 2) & PLACES & ~GREEN_RUN == 0:
        found |= 1 << yaku.RYUUIISOU
    return found
