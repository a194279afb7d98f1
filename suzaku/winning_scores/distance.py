"""Kernels: how many tiles a hand is short of four melds and a pair, and which kinds bring it nearer.

A *part* of a hand is one number of `shapes.py`: byte j for j melds. Distances here count tiles: shanten + 1.
"""

import numpy as np

from suzaku.kernel import kernel
from suzaku.winning_scores.shapes import FIELD

HIGH = np.uint64(0x8080808080808080)
LOW = np.uint64(0x0101010101010101)
BYTE = np.uint64(255)
GATHER = np.uint64(sum(1 << 7 * i for i in range(5)))  # moves the lowest bits of five bytes next to each other
FAR = 40


@kernel
def suit_class(shapes, form, suit, key):
    """The class of a suit's key."""
    return np.int64(shapes.honour[form, key]) if suit == 3 else np.int64(shapes.suit[form, key])


@kernel
def turned(part, need):
    """A part with byte j for `need` - j melds; `need` is 3 or 4."""
    out = (
        ((part >> np.uint64(32)) & BYTE)
        | ((part >> np.uint64(16)) & (BYTE << np.uint64(8)))
        | (part & (BYTE << np.uint64(16)))
        | ((part & (BYTE << np.uint64(8))) << np.uint64(16))
        | ((part & BYTE) << np.uint64(32))
    )
    if need == 3:
        return (out >> np.uint64(8)) | (LOW * np.uint64(FAR)) << np.uint64(32)
    return out | (LOW * np.uint64(FAR)) << np.uint64(40)


@kernel
def rest_of(shapes, form, x, y, need):
    """Two classes together, without and with a pair, turned: the half of a hand that a trial tile leaves alone."""
    return turned(shapes.join[form, x, y, 0], need), turned(shapes.join[form, x, y, 1], need)


@kernel
def is_below(shapes, form, one, beside, rest, rest_paired, limit):
    """Whether two classes beside the rest of a hand are fewer than `limit` tiles short."""
    a = shapes.join[form, beside, one, 0] + rest_paired  # in this order trials of `one` lie near each other
    b = shapes.join[form, beside, one, 1] + rest
    bound = LOW * np.uint64(limit)
    return (((a | HIGH) - bound) & ((b | HIGH) - bound) & HIGH) != HIGH


@kernel
def distance(shapes, form, k0, k1, k2, k3, need):
    """Tiles short of `need` melds and a pair."""
    a, b = np.int64(shapes.suit[form, k0]), np.int64(shapes.suit[form, k1])
    c, d = np.int64(shapes.suit[form, k2]), np.int64(shapes.honour[form, k3])
    left, left_paired = shapes.join[form, a, b, 0], shapes.join[form, a, b, 1]
    right, right_paired = shapes.join[form, c, d, 0], shapes.join[form, c, d, 1]
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
def _where(sums, now):
    """Five bits: which of the first five bytes are `now`."""
    different = sums ^ (LOW * np.uint64(now))
    same = ~((different | HIGH) - LOW) & HIGH
    return ((same >> np.uint64(7)) * GATHER >> np.uint64(28)) & np.uint64(31)


@kernel
def _any_field(fields):
    """The five fields together."""
    two = fields | fields >> np.uint64(2 * FIELD)
    return two | two >> np.uint64(FIELD) | fields >> np.uint64(4 * FIELD)


@kernel
def _nearer(shapes, form, one, beside, gain, bare, paired):
    """The kinds of a suit that bring the hand nearer, if the melds of its half that do so are the fields given."""
    share = shapes.share[form, one, beside]
    own = _any_field((share[0] & bare) | (share[1] & paired))
    without, with_pair = shapes.spread[own & np.uint64(31)], shapes.spread[(own >> np.uint64(5)) & np.uint64(31)]
    return _any_field((shapes.gain[gain[0]] & without) | (shapes.gain[gain[1]] & with_pair)) & np.uint64(511)


@kernel
def accepted(shapes, form, k0, k1, k2, k3, need, now):
    """The mask of the kinds that bring a hand nearer which is `now` tiles short of `need` melds and a pair.

    A kind does so if it brings a suit nearer to a share of the melds that it has in a best way to divide them. Of
    kinds that the hand holds four of, nothing is said: they are none to draw.
    """
    a, b = np.int64(shapes.suit[form, k0]), np.int64(shapes.suit[form, k1])
    c, d = np.int64(shapes.suit[form, k2]), np.int64(shapes.honour[form, k3])
    left, right = shapes.join[form, a, b], shapes.join[form, c, d]
    bare = shapes.spread[_where(left[0] + turned(right[1], need), now)]
    paired = shapes.spread[_where(left[1] + turned(right[0], need), now)]
    mask = _nearer(shapes, form, a, b, shapes.suit_gain[form, k0], bare, paired)
    mask |= _nearer(shapes, form, b, a, shapes.suit_gain[form, k1], bare, paired) << np.uint64(9)
    bare = shapes.spread[_where(right[0] + turned(left[1], need), now)]
    paired = shapes.spread[_where(right[1] + turned(left[0], need), now)]
    mask |= _nearer(shapes, form, c, d, shapes.suit_gain[form, k2], bare, paired) << np.uint64(18)
    return mask | _nearer(shapes, form, d, c, shapes.honour_gain[form, k3], bare, paired) << np.uint64(27)
