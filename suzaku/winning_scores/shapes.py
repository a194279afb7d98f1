"""Distances of suits in few bytes, for plans that take any melds and for plans of runs alone (pinfu).

The classes of `suzaku/hand/tables.py`, one byte a key, and the distances of a class packed into one number, byte j for
j melds: sums over all ways to divide the melds between two parts of a hand are then one addition.
"""

import contextlib
import hashlib
from functools import cache
from pathlib import Path

import numpy as np

from suzaku.folders import cache_root
from suzaku.hand import tables as suit_tables
from suzaku.hand.tables import HONOUR_KEYS, SUIT_KEYS, _codes, _distances, _join, _list_readings, tables
from suzaku.kernel import kernel

ANY, RUNS = 0, 1  # forms: melds of any kind; runs, and no triplet
CLASSES = 160  # upper bound of the classes of a form; checked when the tables are made
IMPOSSIBLE = 40  # in place of larger distances: two of them still fit into seven bits

SHAPES = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("suit", "u1", (2, SUIT_KEYS)),  # form, key of a suit -> class
                ("honour", "u1", (2, HONOUR_KEYS)),  # form, key of the honours -> class
                ("alone", "u8", (2, 2, CLASSES)),  # form, pair, class -> byte j: tiles short of j melds (and a pair)
                ("join", "u8", (2, 2, CLASSES, CLASSES)),  # form, pair, two classes -> the same of both together
            ],
            align=True,
        ),
    )
)


@kernel
def _pack_joins(bare, paired, n, out):
    """Cap the distances of two classes and fill the bytes above the fourth with impossible ones."""
    for a in range(n):
        for b in range(n):
            for pair in range(2):
                packed = np.uint64(0)
                for j in range(8):
                    found = np.int64(((bare if pair == 0 else paired)[a, b] >> np.uint64(8 * j)) & np.uint64(255))
                    value = min(IMPOSSIBLE, found) if j < 5 else IMPOSSIBLE
                    packed |= np.uint64(value) << np.uint64(8 * j)
                out[pair, a, b] = packed


def _distances_of_runs() -> tuple[np.ndarray, np.ndarray]:
    """The ten distances of every key of a suit and of the honours, if no triplets count."""
    keys, readings, sizes = (np.zeros(200_000, np.int64) for _ in range(3))
    found = []
    for places, total in ((9, SUIT_KEYS), (7, HONOUR_KEYS)):
        n = _list_readings(places, places == 9, keys, readings, sizes)
        plain = np.flatnonzero(readings[:n] & 511 == 0)
        out = np.empty((total, 10), np.int8)
        _distances(places, keys[plain], sizes[plain], len(plain), out)
        found.append(out)
    return found[0], found[1]


def make() -> np.ndarray:
    """Make the tables from nothing (about two seconds)."""
    out = np.zeros(1, SHAPES)
    known = tables()
    suit, honour = _distances_of_runs()
    codes, classes = np.unique(np.concatenate([_codes(suit), _codes(honour)]), return_inverse=True)
    runs = (codes[:, None] // np.uint64(64) ** np.arange(10, dtype=np.uint64) % np.uint64(64)).astype(np.int64)
    any_classes = np.concatenate([known.suit & 4095, known.honour & 4095])
    for form, vectors, of in (
        (ANY, known.vector[: any_classes.max() + 1].astype(np.int64), any_classes),
        (RUNS, runs, classes),
    ):
        n = len(vectors)
        if n > CLASSES:
            raise RuntimeError(f"{n} classes do not fit into the table of {CLASSES}")
        out["suit"][0, form], out["honour"][0, form] = of[:SUIT_KEYS], of[SUIT_KEYS:]
        capped = np.full((2, n, 8), IMPOSSIBLE, np.uint64)
        capped[:, :, :5] = np.minimum(vectors.reshape(n, 2, 5), IMPOSSIBLE).swapaxes(0, 1)
        out["alone"][0, form, :, :n] = (capped << (8 * np.arange(8, dtype=np.uint64))).sum(-1, dtype=np.uint64)
        bare, paired = np.zeros((n, n), np.uint64), np.zeros((n, n), np.uint64)
        _join(np.minimum(vectors, IMPOSSIBLE), n, bare, paired)
        _pack_joins(bare, paired, n, out["join"][0, form])
    return out


@cache
def shapes() -> np.record:
    """The tables, from the cache folder or newly made."""
    sources = [Path(__file__).read_bytes(), Path(suit_tables.__file__).read_bytes()]
    version = hashlib.sha256(b"".join(sources)).hexdigest()[:8]
    path = cache_root() / f"shape-tables-{version}.npy"
    try:
        stored = np.load(path)
        if stored.nbytes == SHAPES.itemsize:
            return stored.view(SHAPES)[0]
    except (OSError, ValueError):
        pass  # absent or damaged: make them again
    made = make()
    from suzaku.files import writing_whole  # here, so that no kernel is compiled anew when that file changes

    with contextlib.suppress(OSError):  # no room to keep them: they live in memory alone
        path.parent.mkdir(parents=True, exist_ok=True)
        with writing_whole(path) as file:
            np.save(file, made.view(np.uint8))
    return made[0]
