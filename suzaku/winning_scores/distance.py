"""How many tiles a hand is short of a win, for any melds and for runs alone.

- Distances of suits in few bytes, for plans that take any melds and for plans of runs alone (pinfu).
- Kernels: how many tiles a hand is short of four melds and a pair, and which kinds bring it nearer.
"""

from functools import cache

import numpy as np

from suzaku.hand import suit_patterns
from suzaku.hand import tables as suit_tables
from suzaku.hand.suit_patterns import (
    HONOUR_KEYS,
    SUIT_KEYS,
    TRIPLETS,
    join_distances,
    list_distances,
    list_readings,
    to_classes,
)
from suzaku.hand.tables import POW5, stored_record, tables
from suzaku.kernel import kernel

# The classes of `suzaku/hand/tables.py`, one byte a key, and the distances of a class packed into one number, byte j
# for j melds: sums over all ways to divide the melds between two parts of a hand are then one addition.
#
# Beside them what tells the accepted tiles without a trial: for two classes, which shares of the melds give the
# distance of both together, and for a key, which kinds bring it nearer to such a share. Both are *fields*: 12 bits
# for each j.

ANY, RUNS = 0, 1  # forms: melds of any kind; runs, and no triplet
CLASSES = 160  # upper bound of the classes of a form; checked when the tables are made
GAINS = 65_536  # upper bound of the different gains, likewise
FIELD = 12  # bits
IMPOSSIBLE = 40  # in place of larger distances: two of them still fit into seven bits

SHAPES = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("suit", "u1", (2, SUIT_KEYS)),  # form, key of a suit -> class
                ("honour", "u1", (2, HONOUR_KEYS)),  # form, key of the honours -> class
                ("join", "u8", (2, CLASSES, CLASSES, 2)),  # form, two classes, pair -> byte j: tiles short of j melds
                # form, class, class beside it, pair -> field j: bit i (5 + i: and the pair) if i melds of the first are
                # its share in the best j melds of both
                ("share", "u8", (2, CLASSES, CLASSES, 2)),
                ("suit_gain", "u2", (2, SUIT_KEYS, 2)),  # form, key of a suit, pair -> index in `gain`
                ("honour_gain", "u2", (2, HONOUR_KEYS, 2)),  # form, key of the honours, pair -> index in `gain`
                ("gain", "u8", (GAINS,)),  # field j: the kinds that bring j melds nearer
                ("spread", "u8", (32,)),  # five bits -> the fields, all bits set where there is one
            ],
            align=True,
        ),
    )
)


def _capped(joins: np.ndarray) -> np.ndarray:
    """Cap the distances of two classes and fill the bytes above the fourth with impossible ones."""
    parts = np.ascontiguousarray(joins).astype("<u8").view(np.uint8).reshape(*joins.shape, 8)
    parts[..., 5:] = IMPOSSIBLE
    return np.minimum(parts, IMPOSSIBLE).view("<u8")[..., 0]


@kernel
def _fill_shares(vectors, joins, out):
    """The shares of a class in the best melds of two."""
    n = vectors.shape[0]
    for a in range(n):
        for b in range(n):
            for pair in range(2):
                packed = np.uint64(0)
                for j in range(5):
                    best = np.int64((joins[a, b, pair] >> np.uint64(8 * j)) & np.uint64(255))
                    for i in range(j + 1):
                        if vectors[a, i] + vectors[b, 5 * pair + j - i] == best:
                            packed |= np.uint64(1) << np.uint64(FIELD * j + i)
                        if pair and vectors[a, 5 + i] + vectors[b, j - i] == best:
                            packed |= np.uint64(1) << np.uint64(FIELD * j + 5 + i)
                out[a, b, pair] = packed


@kernel
def _fill_gains(places, classes, vectors, out):
    """The kinds that bring each key nearer to so many melds, without and with a pair."""
    for key in range(5**places):
        tiles = 0
        for i in range(places):
            tiles += (key // POW5[i]) % 5
        out[key, 0] = out[key, 1] = 0
        if tiles > 13:
            continue
        now = vectors[classes[key]]
        for i in range(places):
            if (key // POW5[i]) % 5 < 4:
                after = vectors[classes[key + POW5[i]]]
                for j in range(10):
                    if after[j] < now[j]:
                        out[key, j // 5] |= np.uint64(1) << np.uint64(FIELD * (j % 5) + i)


def _gains(classes: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """The gains of every key of a suit and then of the honours, without and with a pair."""
    found = np.zeros((SUIT_KEYS + HONOUR_KEYS, 2), np.uint64)
    _fill_gains(9, classes[:SUIT_KEYS], vectors, found[:SUIT_KEYS])
    _fill_gains(7, classes[SUIT_KEYS:], vectors, found[SUIT_KEYS:])
    return found


def _runs() -> tuple[np.ndarray, np.ndarray]:
    """The different distances, and the class of every key of a suit and then of the honours, if no triplets count."""
    found = []
    for places in (9, 7):
        keys, readings, sizes = list_readings(places)
        plain = readings & TRIPLETS == 0
        found.append(list_distances(places, keys[plain], sizes[plain]))
    return to_classes(found[0], found[1])


def make() -> np.ndarray:
    """Make the tables from nothing (some seconds)."""
    out = np.zeros(1, SHAPES)
    known = tables()
    any_classes = np.concatenate([known.suit & 4095, known.honour & 4095]).astype(np.int64)
    gains = []
    for form, vectors, of in (
        (ANY, known.vector[: any_classes.max() + 1].astype(np.int64), any_classes),
        (RUNS, *_runs()),
    ):
        n = len(vectors)
        if n > CLASSES:
            raise RuntimeError(f"{n} classes do not fit into the table of {CLASSES}")
        out["suit"][0, form], out["honour"][0, form] = of[:SUIT_KEYS], of[SUIT_KEYS:]
        bare, paired = np.zeros((n, n), np.uint64), np.zeros((n, n), np.uint64)
        capped = np.minimum(vectors, IMPOSSIBLE)
        join_distances(capped, n, bare, paired)
        out["join"][0, form, :n, :n, 0], out["join"][0, form, :n, :n, 1] = _capped(bare), _capped(paired)
        _fill_shares(capped, out["join"][0, form], out["share"][0, form])
        gains.append(_gains(of, capped))
    found, index = np.unique(np.array(gains), return_inverse=True)
    if len(found) > GAINS:
        raise RuntimeError(f"{len(found)} gains do not fit into the table of {GAINS}")
    out["gain"][0, : len(found)] = found
    index = index.reshape(2, -1, 2)
    out["suit_gain"][0], out["honour_gain"][0] = index[:, :SUIT_KEYS], index[:, SUIT_KEYS:]
    bits = np.arange(32)[:, None] >> np.arange(5) & 1
    out["spread"] = (bits * ((1 << FIELD) - 1) << FIELD * np.arange(5)).sum(1)
    return out


@cache
def shapes() -> np.record:
    """The tables, from the cache folder or newly made."""
    sources = __file__, suit_tables.__file__, suit_patterns.__file__
    return stored_record("shape-tables", SHAPES, make, sources)


# A *part* of a hand is one number of `shapes.py`: byte j for j melds. Distances here count tiles: shanten + 1.

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
    """A part with byte j for `need` - j melds. `need` is 3 or 4."""
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
