"""The fans that depend on nothing but which kinds a hand holds."""

from suzaku.kernel import kernel
from suzaku.mcr import fans
from suzaku.tiles import HONOURS, ORPHANS, TERMINALS

SUIT = 511
ALL_SUITS = (1 << 27) - 1
WIND_KINDS, DRAGON_KINDS = 15 << 27, 7 << 31
GREEN = sum(1 << k for k in (19, 20, 21, 23, 25, 32))
REVERSIBLE = sum(1 << 8 + n for n in (1, 2, 3, 4, 5, 8, 9)) | sum(1 << 17 + n for n in (2, 4, 5, 6, 8, 9)) | 1 << 31


def _numbers(first: int, last: int) -> int:
    """The kinds of these numbers in all suits."""
    return sum(1 << 9 * suit + n - 1 for suit in range(3) for n in range(first, last + 1))


UPPER, MIDDLE, LOWER = _numbers(7, 9), _numbers(4, 6), _numbers(1, 3)
UPPER_FOUR, LOWER_FOUR = _numbers(6, 9), _numbers(1, 4)


@kernel
def tile_fans(kinds):
    """Bits of big and of small for a mask of the kinds in a hand, melds included."""
    big = small = 0
    suits = (kinds & SUIT != 0) + (kinds >> 9 & SUIT != 0) + (kinds >> 18 & SUIT != 0)
    honours = kinds & HONOURS
    if suits == 1:
        if honours == 0:
            big |= fans.FULL_FLUSH
        else:
            small |= fans.HALF_FLUSH
    elif suits == 2:
        small |= fans.ONE_VOIDED_SUIT
    elif suits == 3 and kinds & WIND_KINDS != 0 and kinds & DRAGON_KINDS != 0:
        small |= fans.ALL_TYPES
    if honours == 0:
        small |= fans.NO_HONORS
        if kinds & TERMINALS == 0:
            small |= fans.ALL_SIMPLES
            if kinds & ~MIDDLE == 0:
                big |= fans.MIDDLE_TILES
        if kinds & ~UPPER_FOUR == 0:
            big |= fans.UPPER_FOUR
            if kinds & ~UPPER == 0:
                big |= fans.UPPER_TILES
        elif kinds & ~LOWER_FOUR == 0:
            big |= fans.LOWER_FOUR
            if kinds & ~LOWER == 0:
                big |= fans.LOWER_TILES
    if kinds & ~ORPHANS == 0:
        if honours == 0:
            big |= fans.ALL_TERMINALS
        elif kinds & ALL_SUITS == 0:
            big |= fans.ALL_HONORS
        else:
            big |= fans.ALL_TERMINALS_AND_HONORS
    if kinds & ~GREEN == 0:
        big |= fans.ALL_GREEN
    if kinds & ~REVERSIBLE == 0:
        big |= fans.REVERSIBLE_TILES
    return big, small
