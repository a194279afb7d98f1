"""Masks of kinds, of sets and of yaku or fans."""

from suzaku.kernel import kernel


@kernel
def popcount(mask):
    """The number of bits set."""
    n = 0
    while mask != 0:
        mask &= mask - 1
        n += 1
    return n
