"""Hands without four melds: seven pairs, thirteen orphans, honours and knitted tiles."""

from suzaku.hand.masks import popcount
from suzaku.kernel import kernel
from suzaku.mcr import fans
from suzaku.mcr.knitted import KNITTED
from suzaku.tiles import HONOURS, ORPHANS


@kernel
def seven_pairs(kinds):
    """The fans of seven pairs of these kinds, besides those of its tiles."""
    shape = kinds
    while shape & 1 == 0:
        shape >>= 1
    in_one_suit = kinds & 511 == kinds or kinds & 511 << 9 == kinds or kinds & 511 << 18 == kinds
    return fans.SEVEN_PAIRS | (fans.SEVEN_SHIFTED_PAIRS if shape == 127 and in_one_suit else 0)


@kernel
def single_tiles(kinds, tiles):
    """The fans of thirteen orphans or of honours and knitted tiles, or 0; `tiles` is the number of kinds."""
    if kinds == ORPHANS:
        return fans.THIRTEEN_ORPHANS
    if tiles != 14:
        return 0
    for knitted in KNITTED:
        if kinds & ~(knitted | HONOURS) == 0:
            if kinds & HONOURS == HONOURS:
                return fans.GREATER_HONORS_AND_KNITTED_TILES
            whole = fans.KNITTED_STRAIGHT if popcount(kinds & knitted) == 9 else 0
            return fans.LESSER_HONORS_AND_KNITTED_TILES | whole
    return 0
