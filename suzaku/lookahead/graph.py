"""The graph of hands that useful draws lead through after a discard, in preallocated arrays.

- A *rest* is a hand of 3n+1 tiles, a *full* hand has 3n+2.
- A rest leads to a full hand by each draw that lowers its shanten. A full hand leads to a rest by each discard that
  keeps it. A tenpai rest leads nowhere: it waits.
- With `swaps`, draws that leave the shanten as it is count too, for so many tiles along a way. Another tile must be
  free to go in place of the drawn one.
- Equal hands are one vertex, whatever way led there. An open-addressing hash table finds them by their keys.
"""

import numpy as np

from suzaku.hand.shanten import shanten_keys
from suzaku.hand.tables import POW5, SUIT_KEYS
from suzaku.kernel import kernel
from suzaku.lookahead.patterns import REST, entry, fill_rest, shanten_rest

DRAWS = 18  # most draws of a seat in a round
TENPAI, WIN, POINTS = 0, 1, 2  # what is worked out for each vertex
NODES = 1 << 16  # most rests, and most full hands
EDGES = 1 << 18  # most draws, and most discards
SLOTS = 1 << 18
DEEPEST = 3  # highest shanten of a rest that is looked at

GRAPH = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # the query; the first fields are named as in `state.py`, so that `search.fill_query` fills them
                ("hand", "i1", (34,)),
                ("key", "i4", (4,)),
                ("red", "i1", (3,)),
                ("unseen", "i1", (34,)),
                ("dora", "i1", (34,)),
                ("melds", "i1"),
                ("meld_type", "i1", (4,)),
                ("meld_tile", "i1", (4,)),
                ("meld_dora", "i1"),
                ("closed", "i1"),
                ("round_wind", "i1"),
                ("seat_wind", "i1"),
                ("last", "i1"),
                ("reach", "i1"),
                ("in_melds", "i1", (34,)),  # tiles of the own melds
                ("red_unseen", "i1", (3,)),  # 1: the red five of the suit can still be drawn
                ("ura", "i1"),  # ura indicators that count after riichi; 0 leaves them out
                ("indicator_of", "i1", (34,)),  # the kind that makes each kind dora
                ("discarded", "u8"),  # mask of the kinds in the own river
                ("draws", "i1"),  # draws left
                ("objective", "i1"),  # WIN or POINTS: what the player maximises
                ("claims", "i1"),  # 1: wins on others' discards too
                ("deepest", "i1"),  # highest shanten after the discard that is looked at, up to DEEPEST
                ("swaps", "i1"),  # draws along a way that may improve the hand without lowering its shanten
                # the answer, by discarded kind (row 34: no discard)
                ("value", "f8", (35, 3, DRAWS + 1)),  # TENPAI, WIN, POINTS by draws left; NaN: not looked at
                ("full", "i1"),  # 1: a graph did not fit
                # the graph of one discard; rest 0 is the hand after it
                ("pool", "i4"),  # unseen tiles
                ("origin", "i1", (34,)),  # the hand after the discard
                ("build", "i4"),  # number of this graph; slots of the hash tables with another one are free
                ("rests", "i4"),
                ("fulls", "i4"),
                ("edges", "i4"),  # draws
                ("ways", "i4"),  # discards
                ("rest_slot", "i4", (SLOTS, 2)),  # hash table: number of the graph, and the rest
                ("full_slot", "i4", (SLOTS, 2)),
                ("rest_suits", "i8", (NODES,)),  # keys of the three suits as one number
                ("rest_honours", "i4", (NODES,)),
                ("rest_hand", "i1", (NODES, 34)),
                ("rest_shanten", "i1", (NODES,)),
                ("rest_added", "i1", (NODES,)),  # tiles beyond the origin's
                ("rest_from", "i4", (NODES,)),  # the rest before, on the way first found, or -1
                ("rest_accepts", "u8", (NODES,)),  # mask of the kinds that lower the shanten
                ("rest_count", "i2", (NODES,)),  # how many unseen tiles these are
                ("rest_edge", "i4", (NODES + 1,)),  # first draw
                ("full_suits", "i8", (NODES,)),
                ("full_honours", "i4", (NODES,)),
                ("full_shanten", "i1", (NODES,)),
                ("full_way", "i4", (NODES + 1,)),  # first discard
                ("edge_kind", "i1", (EDGES,)),
                ("edge_full", "i4", (EDGES,)),
                ("way_rest", "i4", (EDGES,)),
                ("rest_value", "f8", (NODES, 3, DRAWS + 1)),
                ("full_value", "f8", (NODES, 3, DRAWS + 1)),
                ("win_hand", "i1", (34,)),  # work space: the win that is being scored
                ("win_key", "i4", (4,)),
            ],
            align=True,
        ),
    )
)


@kernel
def _hash(suits, honours):
    h = np.uint64(suits) * np.uint64(0x9E3779B97F4A7C15) ^ np.uint64(honours) * np.uint64(0xC2B2AE3D27D4EB4F)
    return np.int64(h >> np.uint64(40)) & (SLOTS - 1)


@kernel
def _join_suits(key):
    """The keys of the three suits as one number (below 5**27)."""
    return (np.int64(key[0]) * SUIT_KEYS + np.int64(key[1])) * SUIT_KEYS + np.int64(key[2])


@kernel
def load_rest(g, n, hand, key):
    """Put the tiles and keys of a rest into arrays."""
    hand[:] = g.rest_hand[n]
    suits = g.rest_suits[n]
    key[2] = suits % SUIT_KEYS
    key[1] = suits // SUIT_KEYS % SUIT_KEYS
    key[0] = suits // SUIT_KEYS // SUIT_KEYS
    key[3] = g.rest_honours[n]


@kernel
def left_of(g, n, kind):
    """How many tiles of a kind are left to draw beside rest n: those unseen at first, less those it has drawn."""
    return np.int64(g.unseen[kind]) - max(0, np.int64(g.rest_hand[n, kind]) - np.int64(g.origin[kind]))


@kernel
def _find(slots, build, all_suits, all_honours, suits, honours):
    """The place of a rest or full hand in its hash table: its own, or the free one where it belongs."""
    slot = _hash(suits, honours)
    while slots[slot, 0] == build:
        n = slots[slot, 1]
        if all_suits[n] == suits and all_honours[n] == honours:
            break
        slot = (slot + 1) & (SLOTS - 1)
    return slot


@kernel
def _add_rest(g, hand, key, shanten, added, before):
    """The number of a rest, a new one if it was not met before, -1 if there is no room."""
    suits, honours = _join_suits(key), np.int64(key[3])
    slot = _find(g.rest_slot, g.build, g.rest_suits, g.rest_honours, suits, honours)
    if g.rest_slot[slot, 0] == g.build:
        return np.int64(g.rest_slot[slot, 1])
    n = np.int64(g.rests)
    if n == NODES:
        g.full = 1
        return np.int64(-1)
    g.rests = n + 1
    g.rest_slot[slot, 0] = g.build
    g.rest_slot[slot, 1] = n
    g.rest_suits[n] = suits
    g.rest_honours[n] = honours
    g.rest_hand[n] = hand
    g.rest_shanten[n] = shanten
    g.rest_added[n] = added
    g.rest_from[n] = before
    return n


@kernel
def _add_full(tables, g, hand, key, shanten, added, most, before, rest):
    """The number of a full hand, with all its discards, -1 if it is useless or there is no room.

    `hand` and `key` are given back unchanged.
    """
    suits, honours = _join_suits(key), np.int64(key[3])
    slot = _find(g.full_slot, g.build, g.full_suits, g.full_honours, suits, honours)
    if g.full_slot[slot, 0] == g.build:
        return np.int64(g.full_slot[slot, 1])
    n = np.int64(g.fulls)
    if n == NODES:
        g.full = 1
        return np.int64(-1)
    g.fulls = n + 1
    g.full_slot[slot, 0] = g.build
    g.full_slot[slot, 1] = n
    g.full_suits[n] = suits
    g.full_honours[n] = honours
    g.full_shanten[n] = shanten
    need = 4 - np.int64(g.melds)
    e = np.empty(4, np.int64)
    for suit in range(4):
        e[suit] = entry(tables, suit, key[suit])
    for suit in range(4):
        if key[suit] == 0:
            continue
        fill_rest(tables, e, suit, need, rest)
        for i in range(9 if suit < 3 else 7):
            kind = 9 * suit + i
            if hand[kind] == 0:
                continue
            after = added - 1 if hand[kind] > g.origin[kind] else added
            if after > most or shanten_rest(tables, entry(tables, suit, key[suit] - POW5[i]), rest, need) != shanten:
                continue
            hand[kind] -= 1
            key[suit] -= POW5[i]
            to = _add_rest(g, hand, key, shanten, after, before)
            hand[kind] += 1
            key[suit] += POW5[i]
            if to < 0 or g.ways == EDGES:
                g.full = 1
                return np.int64(-1)
            g.way_rest[g.ways] = to
            g.ways += 1
    if g.ways - g.full_way[n] == 1 and g.way_rest[g.full_way[n]] == before:
        g.ways -= 1  # the drawn tile alone can go: no vertex is needed for that
        g.fulls = n
        g.full_slot[slot, 0] = g.build - 1
        return np.int64(-1)
    g.full_way[n + 1] = g.ways
    return n


@kernel
def _expand(tables, g, n, hand, key, rest, other):
    """List the draws of a rest, and the full hands they lead to."""
    need = 4 - np.int64(g.melds)
    load_rest(g, n, hand, key)
    now = np.int64(g.rest_shanten[n])
    e = np.empty(4, np.int64)
    for suit in range(4):
        e[suit] = entry(tables, suit, key[suit])
    accepts = np.uint64(0)
    count = 0
    for suit in range(4):
        fill_rest(tables, e, suit, need, rest)
        for i in range(9 if suit < 3 else 7):
            kind = 9 * suit + i
            left = left_of(g, n, kind)
            if left <= 0 or hand[kind] >= 4:
                continue
            after = shanten_rest(tables, entry(tables, suit, key[suit] + POW5[i]), rest, need)
            if after < now:
                accepts |= np.uint64(1) << np.uint64(kind)
                count += left
            elif g.swaps == 0:
                continue
            if now == 0:
                continue
            added = np.int64(g.rest_added[n]) + (1 if hand[kind] >= g.origin[kind] else 0)
            most = np.int64(g.rest_shanten[0]) - after + g.swaps
            if after == now and added > most + 1:
                continue
            hand[kind] += 1
            key[suit] += POW5[i]
            to = _add_full(tables, g, hand, key, after, added, most, n, other)
            hand[kind] -= 1
            key[suit] -= POW5[i]
            if g.full or g.edges == EDGES:
                g.full = 1
                return
            if to < 0:
                continue
            g.edge_kind[g.edges] = kind
            g.edge_full[g.edges] = to
            g.edges += 1
    g.rest_accepts[n] = accepts
    g.rest_count[n] = count
    g.rest_edge[n + 1] = g.edges


@kernel
def shanten_without(tables, g, row):
    """Shanten of the hand in the query after discarding kind `row` (34: nothing)."""
    key = np.empty(4, np.int64)
    for suit in range(4):
        key[suit] = g.key[suit]
    if row < 34:
        key[row // 9] -= POW5[row % 9]
    return shanten_keys(tables, key[0], key[1], key[2], key[3], g.melds)


@kernel
def build_graph(tables, g, row):
    """Build the graph of the hand after discarding kind `row` (34: nothing). Returns whether it fitted."""
    g.rests = g.fulls = g.edges = g.ways = 0
    g.full = 0
    g.build += 1
    g.pool = 0
    hand = np.empty(34, np.int8)
    key = np.empty(4, np.int64)
    for kind in range(34):
        g.pool += g.unseen[kind]
        hand[kind] = g.hand[kind]
    for suit in range(4):
        key[suit] = g.key[suit]
    if row < 34:
        hand[row] -= 1
        key[row // 9] -= POW5[row % 9]
    g.origin[:] = hand
    _add_rest(g, hand, key, shanten_without(tables, g, row), 0, -1)
    rest = np.empty(REST, np.int64)
    other = np.empty(REST, np.int64)
    n = 0
    while n < g.rests and not g.full:
        _expand(tables, g, n, hand, key, rest, other)
        n += 1
    return g.full == 0
