"""Distances of suits in few bytes, for plans that take any melds and for plans of runs alone (pinfu).

The classes of `suzaku/hand/tables.py`, one byte a key, and the distances of a class packed into one number, byte j for
j melds: sums over all ways to divide the melds between two parts of a hand are then one addition.

Beside them what tells the accepted tiles without a trial: for two classes, which shares of the melds give the distance
of both together, and for a key, which kinds bring it nearer to such a share. Both are *fields*: 12 bits for each j.
"""

from functools import cache

import numpy as np

from suzaku.hand import suit_patterns
from suzaku.hand import tables as suit_tables
from suzaku.hand.stored_record import stored_record
from suzaku.hand.suit_patterns import (
    HONOUR_KEYS,
    SUIT_KEYS,
    TRIPLETS,
    join_distances,
    list_distances,
    list_readings,
    to_classes,
)
from suzaku.hand.tables import POW5, tables
from suzaku.kernel import kernel

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
