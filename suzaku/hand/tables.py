"""Look-up tables over the tiles of one suit, the ground of shanten, waits and decomposition.

The counts of a suit, read as a number in base 5, are its *key* (9 digits; 7 for the honours). For every key:
- how many tiles it is short of j melds (j = 0..4), without and with a pair: ten distances. There are only some hundred
  different such vectors, so a key maps to a *class*, and the distances of two suits together are one more look-up;
- for a key that is exactly melds, or melds and a pair: every way to read it so (its *readings*).
Beside them, the automata of `tenpai_parts.py`, which know what a suit can hold in a tenpai hand.

Everything lives in one record, so kernels take it as a single pointer. It is made once and kept in the cache folder.
"""

import contextlib
import hashlib
from functools import cache
from pathlib import Path

import numpy as np

from suzaku.folders import cache_root
from suzaku.hand import tenpai_parts
from suzaku.hand.tenpai_parts import automaton
from suzaku.kernel import kernel

SUIT_KEYS = 5**9
HONOUR_KEYS = 5**7
CLASSES = 256  # upper bound of the number of different distance vectors; checked when the tables are made
PATTERNS = 32768  # upper bound of the number of readings of complete suits, likewise
PART_STATES, PART_EDGES = 1001, 3865  # of both automata together, likewise
SUIT_LAYER, HONOUR_LAYER = 0, 10  # where the layers of the two begin in `layer`
POW5 = np.array([5**i for i in range(9)], np.int32)

# What a packed entry of `suit` and `honour` holds: class, pairs, kinds, and terminals or honours (kinds, pairs).
PAIRS, KINDS, ORPHAN_KINDS, ORPHAN_PAIRS = 12, 16, 20, 24

# A reading, packed: bits 0-8 triplets, 9-29 how often a run starts at each of 7 places (3 bits each), 30-33 pair + 1.
RUN_SHIFT, PAIR_SHIFT = 9, 30

TABLES = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("suit", "u4", (SUIT_KEYS,)),  # key of a suit -> packed entry
                ("honour", "u4", (HONOUR_KEYS,)),  # key of the honours -> packed entry
                ("vector", "i1", (CLASSES, 10)),  # class -> distances to j melds without a pair, then with one
                ("bare", "u8", (CLASSES, CLASSES)),  # two classes -> distances without a pair, byte j for j melds
                ("paired", "u8", (CLASSES, CLASSES)),  # two classes -> distances with a pair, byte j for j melds
                ("reading_of", "u2", (SUIT_KEYS,)),  # key of a suit -> 1 + index of its first reading, or 0
                ("reading", "u8", (PATTERNS,)),  # packed readings; the highest bit marks the last one of a key
                (
                    "layer",
                    "i2",
                    (19,),
                ),  # after so many kinds of a suit, then of the honours -> first state; the last: end
                ("next_state", "i2", (PART_STATES, 5)),  # state and tiles of the kind that is read -> next state, or -1
                (
                    "edges_into",
                    "i2",
                    (PART_STATES + 1,),
                ),  # state -> its first edge; they end where the next state's begin
                ("edge_from", "i2", (PART_EDGES,)),  # edge -> the state it comes from
                ("edge_tiles", "i1", (PART_EDGES,)),  # edge -> tiles of the kind it reads
                ("end_part", "i1", (PART_STATES,)),  # state of a last layer -> MELDS ... TENPAI
                ("end_tiles", "i1", (PART_STATES,)),  # state of a last layer -> tiles of the suit
            ],
            align=True,
        ),
    )
)
LAST_READING = np.uint64(1 << 63)


@kernel
def _complete(pair, triplets, runs, counts):
    """Fill the counts of a reading; whether no count is over four."""
    counts[:] = 0
    if pair >= 0:
        counts[pair] += 2
    for i in range(9):
        if (triplets >> i) & 1:
            counts[i] += 3
    for i in range(7):
        n = (runs >> (3 * i)) & 7
        counts[i] += n
        counts[i + 1] += n
        counts[i + 2] += n
    return counts.max() <= 4


@kernel
def _list_readings(places, use_runs, out_key, out_reading, out_size):
    """Every reading of at most four melds and at most one pair that fits into a suit of `places` kinds."""
    counts = np.zeros(9, np.int64)
    runs_of = np.zeros(20000, np.int64)
    n_runs = 1
    size_of = np.zeros(20000, np.int64)
    if use_runs:
        start = 0
        for size in range(4):  # all multisets of up to four runs, built one run at a time in order
            end = n_runs
            for i in range(start, end):
                for place in range(7):
                    if (runs_of[i] >> (3 * (place + 1))) == 0:
                        runs_of[n_runs] = runs_of[i] + (1 << (3 * place))
                        size_of[n_runs] = size + 1
                        n_runs += 1
            start = end
    n = 0
    for triplets in range(1 << places):
        size = 0
        for i in range(places):
            size += (triplets >> i) & 1
        if size > 4:
            continue
        for i in range(n_runs):
            if size + size_of[i] > 4:
                continue
            for pair in range(-1, places):
                if not _complete(pair, triplets, runs_of[i], counts):
                    continue
                key = 0
                for k in range(9):
                    key = key + counts[k] * POW5[k]
                out_key[n] = key
                out_reading[n] = triplets | (runs_of[i] << RUN_SHIFT) | ((pair + 1) << PAIR_SHIFT)
                out_size[n] = size + size_of[i] + (5 if pair >= 0 else 0)
                n += 1
    return n


@kernel
def _distances(places, keys, sizes, n, out):
    """out[key, j] and out[key, 5 + j]: tiles short of j melds, without and with a pair."""
    total = 5**places
    out[:] = 99
    for i in range(n):
        out[keys[i], sizes[i]] = 0
    for key in range(total):  # what holds a complete pattern is no tile short of it
        for k in range(places):
            if (key // POW5[k]) % 5 > 0:
                for j in range(10):
                    if out[key - POW5[k], j] == 0:
                        out[key, j] = 0
    for key in range(total - 1, -1, -1):  # otherwise one more than the best tile to add leaves
        for k in range(places):
            if (key // POW5[k]) % 5 < 4:
                for j in range(10):
                    d = out[key + POW5[k], j] + 1
                    if d < out[key, j]:
                        out[key, j] = d


@kernel
def _pack(places, honours, classes, out):
    """Join the class of each key with its counts of pairs, kinds, and terminals or honours."""
    for key in range(5**places):
        pairs = 0
        kinds = 0
        orphans = 0
        orphan_pairs = 0
        for k in range(places):
            c = (key // POW5[k]) % 5
            orphan = honours or k == 0 or k == 8
            if c > 0:
                kinds += 1
                if orphan:
                    orphans += 1
            if c > 1:
                pairs += 1
                if orphan:
                    orphan_pairs += 1
        out[key] = (
            classes[key]
            | (pairs << PAIRS)
            | (kinds << KINDS)
            | (orphans << ORPHAN_KINDS)
            | (orphan_pairs << ORPHAN_PAIRS)
        )


@kernel
def _join(vectors, n, bare, paired):
    """The distances of every two classes taken together."""
    for a in range(n):
        for b in range(n):
            x = np.uint64(0)
            y = np.uint64(0)
            for j in range(5):
                low = 99
                low_pair = 99
                for i in range(j + 1):
                    low = min(low, vectors[a, i] + vectors[b, j - i])
                    low_pair = min(low_pair, vectors[a, i] + vectors[b, 5 + j - i])
                    low_pair = min(low_pair, vectors[a, 5 + i] + vectors[b, j - i])
                x |= np.uint64(low) << np.uint64(8 * j)
                y |= np.uint64(low_pair) << np.uint64(8 * j)
            bare[a, b] = x
            paired[a, b] = y


def _codes(distances: np.ndarray) -> np.ndarray:
    """Each row of ten distances as one number."""
    return distances.astype(np.uint64) @ (np.uint64(64) ** np.arange(10, dtype=np.uint64))


def _add_automata(out: np.ndarray) -> None:
    """Put the automata of a suit and of the honours one after the other into the record."""
    layers: list[int] = []
    edges: list[tuple[int, int]] = []
    into: list[int] = []
    for places, runs in ((9, True), (7, False)):
        made = automaton(places, runs)
        first = len(into)
        for found in made.edges:
            into.append(len(edges))
            edges += [(first + source, tiles) for source, tiles in found]
        layers += [first + state for state in made.layers[:-1]]
        ends = slice(first + made.layers[-2], first + made.layers[-1])
        out["end_part"][0, ends], out["end_tiles"][0, ends] = np.transpose(made.ends)
    if (len(into), len(edges)) != (PART_STATES, PART_EDGES):
        raise RuntimeError(f"{len(into)} states and {len(edges)} edges, not {PART_STATES} and {PART_EDGES}")
    out["layer"] = [*layers, len(into)]
    out["edges_into"] = [*into, len(edges)]
    out["edge_from"], out["edge_tiles"] = np.transpose(edges)
    out["next_state"] = -1
    targets = np.repeat(np.arange(len(into)), np.diff(out["edges_into"][0]))
    out["next_state"][0, out["edge_from"][0], out["edge_tiles"][0]] = targets


def make() -> np.ndarray:
    """Make the tables from nothing (about two seconds)."""
    out = np.zeros(1, TABLES)
    keys, readings, sizes = (np.zeros(200_000, np.int64) for _ in range(3))
    n = _list_readings(9, True, keys, readings, sizes)
    suit = np.empty((SUIT_KEYS, 10), np.int8)
    _distances(9, keys, sizes, n, suit)

    order = np.lexsort((readings[:n], keys[:n]))
    last = np.append(np.diff(keys[order]) != 0, True)
    first = np.append(True, last[:-1])
    if n >= PATTERNS:
        raise RuntimeError(f"{n} readings do not fit into the table of {PATTERNS}")
    out["reading"][0, :n] = readings[order].astype(np.uint64) | np.where(last, LAST_READING, np.uint64(0))
    out["reading_of"][0, keys[order][first]] = 1 + np.flatnonzero(first)

    n = _list_readings(7, False, keys, readings, sizes)
    honour = np.empty((HONOUR_KEYS, 10), np.int8)
    _distances(7, keys, sizes, n, honour)

    codes, classes = np.unique(np.concatenate([_codes(suit), _codes(honour)]), return_inverse=True)
    if len(codes) > CLASSES:
        raise RuntimeError(f"{len(codes)} classes do not fit into the table of {CLASSES}")
    vectors = (codes[:, None] // np.uint64(64) ** np.arange(10, dtype=np.uint64) % np.uint64(64)).astype(np.int64)
    out["vector"][0, : len(codes)] = vectors
    _pack(9, False, classes[:SUIT_KEYS], out["suit"][0])
    _pack(7, True, classes[SUIT_KEYS:], out["honour"][0])
    _join(vectors, len(codes), out["bare"][0], out["paired"][0])
    _add_automata(out)
    return out


@cache
def tables() -> np.record:
    """The tables, from the cache folder or newly made."""
    sources = [Path(__file__).read_bytes(), Path(tenpai_parts.__file__).read_bytes()]
    version = hashlib.sha256(b"".join(sources)).hexdigest()[:8]  # a changed file makes new tables
    path = cache_root() / f"suit-tables-{version}.npy"
    try:
        stored = np.load(path, mmap_mode=None)
        if stored.nbytes == TABLES.itemsize:
            return stored.view(TABLES)[0]
    except (OSError, ValueError):
        pass  # absent or damaged: make them again
    made = make()
    from suzaku.files import writing_whole  # here, so that no kernel is compiled anew when that file changes

    with contextlib.suppress(OSError):  # no room to keep them: they live in memory alone
        path.parent.mkdir(parents=True, exist_ok=True)
        with writing_whole(path) as file:
            np.save(file, made.view(np.uint8))
    return made[0]
