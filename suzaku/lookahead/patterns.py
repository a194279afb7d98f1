"""The complete patterns of a suit and of the honours, listed by what they are made of.

A pattern is in group j for j melds and in group 5 + j for j melds and a pair. Its counts are packed into nibbles, so
that the tiles a hand is short of, and those it has too many, come from a handful of integer operations.
"""

from functools import cache

import numpy as np

from suzaku.hand.tables import POW5, tables
from suzaku.kernel import kernel

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
