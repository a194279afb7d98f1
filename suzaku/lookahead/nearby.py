"""Shanten of hands that differ from a given one in a single suit, a few additions each.

What the other three suits can give is worked out once (`fill_rest`); then each trial tile costs one look-up and a sum.
"""

import numpy as np

from suzaku.hand.shanten import FAR
from suzaku.hand.tables import KINDS, ORPHAN_KINDS, ORPHAN_PAIRS, PAIRS
from suzaku.kernel import kernel

REST = 14  # ten distances, then pairs, kinds, orphan kinds and orphan pairs of the other suits
BYTE = np.uint64(255)


@kernel
def entry(tables, suit, key):
    """The packed table entry of a suit's key."""
    return np.int64(tables.honour[key]) if suit == 3 else np.int64(tables.suit[key])


@kernel
def fill_rest(tables, e, suit, need, out):
    """What the suits beside `suit` give, from the packed entries e[4]: distances to j melds, and counts."""
    x, y, z = e[(suit + 1) & 3], e[(suit + 2) & 3], e[(suit + 3) & 3]
    bare, paired = tables.bare[x & 4095, y & 4095], tables.paired[x & 4095, y & 4095]
    c = z & 4095
    for j in range(need + 1):
        low = FAR
        low_paired = FAR
        for i in range(j + 1):
            shift = np.uint64(8 * i)
            b = np.int64((bare >> shift) & BYTE)
            p = np.int64((paired >> shift) & BYTE)
            v = np.int64(tables.vector[c, j - i])
            low = min(low, b + v)
            low_paired = min(low_paired, p + v, b + np.int64(tables.vector[c, 5 + j - i]))
        out[j] = low
        out[5 + j] = low_paired
    for k, shift in enumerate((PAIRS, KINDS, ORPHAN_KINDS, ORPHAN_PAIRS)):
        out[10 + k] = (x >> shift & 15) + (y >> shift & 15) + (z >> shift & 15)


@kernel
def shanten_rest(tables, entry, rest, need):
    """Shanten of a hand whose one suit has this packed entry beside the other suits' `rest`."""
    c = entry & 4095
    best = FAR
    for j in range(need + 1):
        a = np.int64(tables.vector[c, j]) + rest[5 + need - j]
        b = np.int64(tables.vector[c, 5 + j]) + rest[need - j]
        best = min(best, a, b)
    best -= 1
    if need == 4:
        pairs = rest[10] + (entry >> PAIRS & 15)
        kinds = rest[11] + (entry >> KINDS & 15)
        orphans = rest[12] + (entry >> ORPHAN_KINDS & 15)
        orphan_pairs = rest[13] + (entry >> ORPHAN_PAIRS & 15)
        best = min(best, 6 - pairs + max(0, 7 - kinds), 13 - orphans - (1 if orphan_pairs > 0 else 0))
    return best
