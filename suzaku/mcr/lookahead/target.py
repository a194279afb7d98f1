"""The fans of a target hand, before it is known how it will be won."""

from suzaku.hand.masks import popcount
from suzaku.kernel import kernel
from suzaku.mcr import fans
from suzaku.mcr.chow_fans import chow_fans
from suzaku.mcr.melds import CHOW, CLOSED_KONG, PONG
from suzaku.mcr.pung_fans import concealed_fans, pung_fans
from suzaku.mcr.sum_fans import apply_exclusions, total
from suzaku.mcr.tile_fans import tile_fans
from suzaku.mcr.win import RUN_BITS, shape_fans


@kernel
def meld_sets(meld_type, meld_kind, melds):
    """Chows, pungs, concealed and open kongs of some melds."""
    runs = pungs = closed_kongs = open_kongs = 0
    for i in range(melds):
        kind, what = int(meld_kind[i]), int(meld_type[i])
        if what == CHOW:
            runs += 1 << RUN_BITS * (kind // 9) + 3 * (kind % 9)
        else:
            pungs |= 1 << kind
            if what == CLOSED_KONG:
                closed_kongs += 1
            elif what != PONG:
                open_kongs += 1
    return runs, pungs, closed_kongs, open_kongs


@kernel
def target_fan(runs, pungs, pair, hidden, closed_kongs, open_kongs, knitted, hogs, seat_wind, round_wind):
    """The fan of a whole target won on a discard with an open hand, and without any fan of its own (0, not 8)."""
    big, small, more = pung_fans(pungs, pair, seat_wind, round_wind)
    kinds = pungs | 1 << pair | knitted
    rest, place = runs, 0
    while rest != 0:
        if rest & 7 != 0:
            kinds |= 7 << 9 * (place // 7) + place % 7
        rest >>= 3
        place += 1
    tile_big, tile_small = tile_fans(kinds)
    if knitted != 0:
        big |= fans.KNITTED_STRAIGHT
        if pungs == 0 and pair < 27:
            small |= fans.ALL_CHOWS
    else:
        chow_big, chow_small, chow_more = chow_fans(runs)
        shape_big, shape_small = shape_fans(pungs, runs, 4 - popcount(pungs), pair)
        big |= chow_big | shape_big
        small |= chow_small | shape_small
        more += chow_more
    kong_big, kong_small = concealed_fans(hidden + closed_kongs, closed_kongs, open_kongs, True)
    small |= tile_small | kong_small
    if hogs > 0:
        small |= fans.TILE_HOG
        more += hogs - 1 << fans.MORE_HOGS
    big, small = apply_exclusions(big | tile_big | kong_big, small)
    return total(big, small, more)
