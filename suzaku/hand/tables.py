"""Look-up tables over the tiles of one suit, the ground of shanten, waits and decomposition.

- Masks of kinds, of sets and of yaku or fans.
- Big look-up tables: one record, made once and kept in the cache folder.
- Look-up tables over the tiles of one suit, the ground of shanten, waits and decomposition.
"""

import contextlib
import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from suzaku.hand import suit_patterns, tenpai_parts
from suzaku.hand.suit_patterns import (
    HONOUR_KEYS,
    POW5,
    SUIT_KEYS,
    join_distances,
    list_distances,
    list_readings,
    to_classes,
)
from suzaku.hand.tenpai_parts import automaton
from suzaku.kernel import kernel
from suzaku.system import cache_root


@kernel
def popcount(mask):
    """The number of bits set."""
    n = 0
    while mask != 0:
        mask &= mask - 1
        n += 1
    return n


def stored_record(name: str, dtype: np.dtype, make: Callable[[], np.ndarray], sources: Sequence[str]) -> np.record:
    """The record of this name from the cache folder, or newly made. A changed source makes it anew."""
    version = hashlib.sha256(b"".join(Path(source).read_bytes() for source in sources)).hexdigest()[:8]
    path = cache_root() / f"{name}-{version}.npy"
    try:
        stored = np.load(path)
        if stored.nbytes == dtype.itemsize:
            return stored.view(dtype)[0]
    except (OSError, ValueError):
        pass  # absent or damaged: make it again
    made = make()
    from suzaku.system import writing_whole  # here, so that no kernel is compiled anew when that file changes

    with contextlib.suppress(OSError):  # no room to keep it: it lives in memory alone
        path.parent.mkdir(parents=True, exist_ok=True)
        with writing_whole(path) as file:
            np.save(file, made.view(np.uint8))
    return made[0]


# The counts of a suit, read as a number in base 5, are its *key* (9 digits; 7 for the honours). For every key: - how
# many tiles it is short of j melds (j = 0..4), without and with a pair: ten distances. There are only some hundred
# different such vectors, so a key maps to a *class*, and the distances of two suits together are one more look-up; -
# for a key that is exactly melds, or melds and a pair: every way to read it so (its *readings*). Beside them, the
# automata of `tenpai_parts.py`, which know what a suit can hold in a tenpai hand.
#
# Everything lives in one record, so kernels take it as a single pointer. It is made once and kept in the cache folder.

CLASSES = 256  # upper bound of the number of different distance vectors; checked when the tables are made
PATTERNS = 32768  # upper bound of the number of readings of complete suits, likewise
PART_STATES, PART_EDGES = 1001, 3865  # of both automata together, likewise
SUIT_LAYER, HONOUR_LAYER = 0, 10  # where the layers of the two begin in `layer`

# What a packed entry of `suit` and `honour` holds: class, pairs, kinds, and terminals or honours (kinds, pairs).
PAIRS, KINDS, ORPHAN_KINDS, ORPHAN_PAIRS = 12, 16, 20, 24

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
    keys, readings, sizes = list_readings(9)
    suit = list_distances(9, keys, sizes)
    order = np.lexsort((readings, keys))
    last = np.append(np.diff(keys[order]) != 0, True)
    first = np.append(True, last[:-1])
    if len(keys) >= PATTERNS:
        raise RuntimeError(f"{len(keys)} readings do not fit into the table of {PATTERNS}")
    out["reading"][0, : len(keys)] = readings[order].astype(np.uint64) | np.where(last, LAST_READING, np.uint64(0))
    out["reading_of"][0, keys[order][first]] = 1 + np.flatnonzero(first)

    keys, _, sizes = list_readings(7)
    vectors, classes = to_classes(suit, list_distances(7, keys, sizes))
    if len(vectors) > CLASSES:
        raise RuntimeError(f"{len(vectors)} classes do not fit into the table of {CLASSES}")
    out["vector"][0, : len(vectors)] = vectors
    _pack(9, False, classes[:SUIT_KEYS], out["suit"][0])
    _pack(7, True, classes[SUIT_KEYS:], out["honour"][0])
    join_distances(vectors, len(vectors), out["bare"][0], out["paired"][0])
    _add_automata(out)
    return out


@cache
def tables() -> np.record:
    """The tables, from the cache folder or newly made."""
    return stored_record("suit-tables", TABLES, make, (__file__, suit_patterns.__file__, tenpai_parts.__file__))
