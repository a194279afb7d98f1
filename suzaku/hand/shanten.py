"""Shanten and waits: kernels over the four keys of a hand (see `tables.py`).

A hand is its concealed tiles. `melds` says how many melds stand beside it. Shanten is -1 for a complete hand and 0 for
a tenpai one. A hand of 3n+1 tiles and one of 3n+2 tiles are both fine.
"""

import numpy as np

from suzaku.hand.tables import KINDS, ORPHAN_KINDS, ORPHAN_PAIRS, PAIRS, POW5
from suzaku.kernel import kernel

FAR = 99  # the shanten of a shape that is impossible beside melds


@kernel
def fill_keys(counts, keys):
    """The four keys of a hand of 34 counts."""
    for suit in range(3):
        key = 0
        for i in range(8, -1, -1):
            key = key * 5 + np.int64(counts[9 * suit + i])
        keys[suit] = key
    key = 0
    for i in range(6, -1, -1):
        key = key * 5 + np.int64(counts[27 + i])
    keys[3] = key


@kernel
def _shortest(tables, e0, e1, e2, e3, need):
    """Tiles short of `need` melds and a pair, from the packed entries of the four suits."""
    a, b, c, d = e0 & 4095, e1 & 4095, e2 & 4095, e3 & 4095
    left, left_paired = tables.bare[a, b], tables.paired[a, b]
    right, right_paired = tables.bare[c, d], tables.paired[c, d]
    best = FAR
    for j in range(need + 1):
        low, high = np.uint64(8 * j), np.uint64(8 * (need - j))
        x = np.int64((left >> low) & np.uint64(255)) + np.int64((right_paired >> high) & np.uint64(255))
        y = np.int64((left_paired >> low) & np.uint64(255)) + np.int64((right >> high) & np.uint64(255))
        best = min(best, x, y)
    return best


@kernel
def unusual_parts(e0, e1, e2, e3):
    """Shanten towards seven pairs and thirteen orphans, from the packed entries of the four suits."""
    # The entries' fields do not overflow into each other: at most 13 orphans, 7 pairs and 14 kinds in a hand.
    pairs = kinds = orphans = orphan_pairs = 0
    for e in (e0, e1, e2, e3):
        pairs += (e >> PAIRS) & 15
        kinds += (e >> KINDS) & 15
        orphans += (e >> ORPHAN_KINDS) & 15
        orphan_pairs += (e >> ORPHAN_PAIRS) & 15
    return 6 - pairs + max(0, 7 - kinds), 13 - orphans - (1 if orphan_pairs > 0 else 0)


@kernel
def shanten_parts(tables, k0, k1, k2, k3, melds):
    """Shanten towards four melds and a pair, seven pairs, and thirteen orphans."""
    e0, e1 = np.int64(tables.suit[k0]), np.int64(tables.suit[k1])
    e2, e3 = np.int64(tables.suit[k2]), np.int64(tables.honour[k3])
    normal = _shortest(tables, e0, e1, e2, e3, 4 - melds) - 1
    if melds > 0:
        return normal, FAR, FAR
    seven, thirteen = unusual_parts(e0, e1, e2, e3)
    return normal, seven, thirteen


@kernel
def shanten_keys(tables, k0, k1, k2, k3, melds):
    """The smallest of the three shanten numbers."""
    normal, seven, thirteen = shanten_parts(tables, k0, k1, k2, k3, melds)
    return min(normal, seven, thirteen)


@kernel
def shanten_counts(tables, counts, melds):
    """Shanten of a hand of 34 counts."""
    keys = np.empty(4, np.int64)
    fill_keys(counts, keys)
    return shanten_keys(tables, keys[0], keys[1], keys[2], keys[3], melds)


@kernel
def shanten_many(tables, counts, melds, out):
    """Shanten of many hands: counts[n, 34], melds[n] -> out[n]."""
    keys = np.empty(4, np.int64)
    for i in range(counts.shape[0]):
        fill_keys(counts[i], keys)
        out[i] = shanten_keys(tables, keys[0], keys[1], keys[2], keys[3], melds[i])


@kernel
def waits_keys(tables, counts, keys, melds):
    """Bit mask of the kinds that complete a tenpai hand. A kind of which the hand itself holds four is none."""
    k0, k1, k2, k3 = np.int64(keys[0]), np.int64(keys[1]), np.int64(keys[2]), np.int64(keys[3])
    found = np.uint64(0)
    if shanten_keys(tables, k0, k1, k2, k3, melds) != 0:
        return found
    for suit in range(4):
        places = 9 if suit < 3 else 7
        for i in range(places):
            if counts[9 * suit + i] >= 4:
                continue
            add = np.int64(POW5[i])
            a = k0 + add if suit == 0 else k0
            b = k1 + add if suit == 1 else k1
            c = k2 + add if suit == 2 else k2
            d = k3 + add if suit == 3 else k3
            if shanten_keys(tables, a, b, c, d, melds) < 0:
                found |= np.uint64(1) << np.uint64(9 * suit + i)
    return found


@kernel
def waits_counts(tables, counts, melds):
    """Waits of a hand of 34 counts, as a bit mask."""
    keys = np.empty(4, np.int64)
    fill_keys(counts, keys)
    return waits_keys(tables, counts, keys, melds)
