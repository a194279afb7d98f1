"""The total of a set of fans, once those are gone that others exclude."""

from suzaku.hand.masks import popcount
from suzaku.kernel import kernel
from suzaku.mcr.fans import (
    BIG_EXCLUDERS,
    COUNT_BITS,
    EXCLUDES,
    FIRST_SMALL,
    REPEATED_BITS,
    REPEATED_VALUES,
    SMALL_EXCLUDERS,
    VALUES,
)


@kernel
def apply_exclusions(big, small):
    """The fans that are left."""
    no_big = no_small = 0
    rest = big & BIG_EXCLUDERS
    while rest != 0:
        low = rest & -rest
        rest ^= low
        i = popcount(low - 1)
        no_big |= EXCLUDES[i, 0]
        no_small |= EXCLUDES[i, 1]
    rest = small & SMALL_EXCLUDERS
    while rest != 0:
        low = rest & -rest
        rest ^= low
        no_small |= EXCLUDES[FIRST_SMALL - 1 + popcount(low - 1), 1]
    return big & ~no_big, small & ~no_small


@kernel
def total(big, small, more):
    """The sum of the values; `more` says how often beyond the first the repeated fans count."""
    points = 0
    while big != 0:
        low = big & -big
        big ^= low
        points += VALUES[popcount(low - 1)]
    rest = small
    while rest != 0:
        low = rest & -rest
        rest ^= low
        points += VALUES[FIRST_SMALL - 1 + popcount(low - 1)]
    i = 0
    while more != 0:
        if small & REPEATED_BITS[i] != 0:
            points += (more & (1 << COUNT_BITS) - 1) * REPEATED_VALUES[i]
        more >>= COUNT_BITS
        i += 1
    return points
