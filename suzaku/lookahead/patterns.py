"""The complete patterns of a suit, and the shanten of hands that differ in a single suit.

- The complete patterns of a suit and of the honours, listed by what they are made of.
- Shanten of hands that differ from a given one in a single suit, a few additions each.
"""

from functools import cache

import numpy as np

from suzaku.hand.shanten import FAR
from suzaku.hand.tables import KINDS, ORPHAN_KINDS, ORPHAN_PAIRS, PAIRS, POW5, tables
from suzaku.kernel import kernel

# A pattern is in group j for j melds and in group 5 + j for j melds and a pair. Its counts are packed into nibbles, so
# that the tiles a hand is short of, and those it has too many, come from a handful of integer operations.

SUIT_PATTERNS = 24576  # upper bound of the number of complete patterns of a suit; checked when they are listed
HIGH = np.uint64(0x888888888)  # the high bit of each of the nine nibbles
ONES = np.uint64(0x111111111)

PATTERNS = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("packed", "u8", (2, SUIT_PATTERNS)),  # row 0: suits, row 1: honours
                ("key", "i4", (2, SUIT_PATTERNS)),
                ("start", "i4", (2, 11)),  # first pattern of each group, then the end
            ],
            align=True,
        ),
    )
)


@kernel
def pack(counts, first, places):
    """Counts of a suit as nibbles."""
    packed = np.uint64(0)
    for i in range(places):
        packed |= np.uint64(counts[first + i]) << np.uint64(4 * i)
    return packed


@kernel
def excess(a, b):
    """Nibble by nibble, how much a exceeds b (0 where it does not)."""
    x = (a | HIGH) - b  # 8 + a - b, so the high bit stays where a >= b
    high = x & HIGH
    return x & (high - (high >> np.uint64(3)))


@kernel
def total(packed):
    """The sum of the nibbles (at most 15)."""
    return np.int64(((packed * ONES) >> np.uint64(32)) & np.uint64(15))


@cache
def patterns() -> np.record:
    """All complete patterns."""
    out = np.zeros(1, PATTERNS)
    triplet_or_pair = np.array(np.meshgrid(*[[0, 2, 3]] * 7)).reshape(7, -1).T
    fits = ((triplet_or_pair == 2).sum(1) <= 1) & ((triplet_or_pair == 3).sum(1) <= 4)
    honours = triplet_or_pair[fits] @ POW5[:7]
    for row, (keys, places) in enumerate(((np.flatnonzero(tables().reading_of), 9), (honours, 7))):
        counts = keys[:, None] // POW5[:places].astype(np.int64) % 5
        size = counts.sum(1)
        group = size // 3 + np.where(size % 3 == 2, 5, 0)
        order = np.lexsort((keys, group))
        n = len(keys)
        if n > SUIT_PATTERNS:
            raise RuntimeError(f"{n} patterns do not fit into the table of {SUIT_PATTERNS}")
        out["key"][0, row, :n] = keys[order]
        out["packed"][0, row, :n] = (counts[order] << (4 * np.arange(places))).sum(1)
        out["start"][0, row] = np.searchsorted(group[order], np.arange(11))
    return out[0]


# What the other three suits can give is worked out once (`fill_rest`); then each trial tile costs one look-up and a
# sum.

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
