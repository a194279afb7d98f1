"""Kernels: how many tiles a hand is short of four melds and a pair, and which kinds bring it nearer.

A *part* of a hand is one number of `shapes.py`: byte j for j melds. Distances here count tiles: shanten + 1.
"""

import numpy as np

from suzaku.hand.tables import POW5
from suzaku.kernel import kernel

HIGH = np.uint64(0x8080808080808080)
LOW = np.uint64(0x0101010101010101)
BYTE = np.uint64(255)
FAR = 40


@kernel
def suit_class(shapes, form, suit, key):
    """The class of a suit's key."""
    return np.int64(shapes.honour[form, key]) if suit == 3 else np.int64(shapes.suit[form, key])


@kernel
def turned(part, need):
    """A part with byte j for `need` - j melds."""
    out = LOW * np.uint64(FAR)
    for j in range(need + 1):
        place = np.uint64(8 * (need - j))
        out = (out & ~(BYTE << place)) | (((part >> np.uint64(8 * j)) & BYTE) << place)
    return out


@kernel
def rest_of(shapes, form, x, y, need):
    """Two classes together, without and with a pair, turned: the half of a hand that a trial tile leaves alone."""
    return turned(shapes.join[form, 0, x, y], need), turned(shapes.join[form, 1, x, y], need)


@kernel
def is_below(shapes, form, x, y, rest, rest_paired, limit):
    """Whether two classes beside the rest of a hand are fewer than `limit` tiles short."""
    a = shapes.join[form, 0, x, y] + rest_paired
    b = shapes.join[form, 1, x, y] + rest
    bound = LOW * np.uint64(limit)
    return (((a | HIGH) - bound) & ((b | HIGH) - bound) & HIGH) != HIGH


@kernel
def distance(shapes, form, k0, k1, k2, k3, need):
    """Tiles short of `need` melds and a pair."""
    a, b = np.int64(shapes.suit[form, k0]), np.int64(shapes.suit[form, k1])
    c, d = np.int64(shapes.suit[form, k2]), np.int64(shapes.honour[form, k3])
    left, left_paired = shapes.join[form, 0, a, b], shapes.join[form, 1, a, b]
    right, right_paired = shapes.join[form, 0, c, d], shapes.join[form, 1, c, d]
    best = np.uint64(FAR)
    for j in range(need + 1):
        at, other = np.uint64(8 * j), np.uint64(8 * (need - j))
        best = min(
            best,
            ((left >> at) & BYTE) + ((right_paired >> other) & BYTE),
            ((left_paired >> at) & BYTE) + ((right >> other) & BYTE),
        )
    return np.int64(best)


@kernel
def accepted(shapes, form, keys, need, now, counts, unseen, allowed):
    """How many unseen tiles of the allowed kinds bring a hand below `now` tiles short, and the mask of the kinds."""
    c0, c1 = np.int64(shapes.suit[form, keys[0]]), np.int64(shapes.suit[form, keys[1]])
    c2, c3 = np.int64(shapes.suit[form, keys[2]]), np.int64(shapes.honour[form, keys[3]])
    left, left_paired = rest_of(shapes, form, c0, c1, need)
    right, right_paired = rest_of(shapes, form, c2, c3, need)
    total = 0
    mask = np.uint64(0)
    for suit in range(4):
        beside = c1 if suit == 0 else c0 if suit == 1 else c3 if suit == 2 else c2
        rest, rest_paired = (right, right_paired) if suit < 2 else (left, left_paired)
        key = np.int64(keys[suit])
        for i in range(9 if suit < 3 else 7):
            kind = 9 * suit + i
            if unseen[kind] <= 0 or counts[kind] >= 4 or (allowed >> np.uint64(kind)) & np.uint64(1) == 0:
                continue
            one = suit_class(shapes, form, suit, key + POW5[i])
            if is_below(shapes, form, one, beside, rest, rest_paired, now):
                total += unseen[kind]
                mask |= np.uint64(1) << np.uint64(kind)
    return total, mask
