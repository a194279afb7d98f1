"""Kernels that draw a tenpai hand from a pool of tiles, each set of tiles with the same probability.

A hand of 34 counts stands for many sets of tiles: a product of binomials. Their sum over all tenpai hands goes along
the automata of `suzaku.hand.tenpai_parts`, suit by suit, and a hand is drawn by going back along them. Seven pairs and
thirteen orphans are added up by themselves.
"""

import numpy as np

from suzaku.hand.shanten import fill_keys, shanten_parts
from suzaku.hand.tables import HONOUR_LAYER, PART_STATES, SUIT_LAYER
from suzaku.hand.tenpai_parts import EITHER, LARGEST, MELDS, PAIRED, SHORT, TENPAI
from suzaku.kernel import kernel
from suzaku.seeds import GOLDEN, mix
from suzaku.tiles import ORPHANS

CHOOSE = np.array([[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]], np.float64)
ORPHAN_KINDS = np.array([kind for kind in range(34) if ORPHANS >> kind & 1], np.int64)

JOIN = np.full((5, 5), -1, np.int8)  # the part of two suits together, or -1: two pairs, or two tiles short
JOIN[MELDS, :] = JOIN[:, MELDS] = range(5)
JOIN[[PAIRED, PAIRED, SHORT, EITHER], [SHORT, EITHER, EITHER, EITHER]] = TENPAI
JOIN[[SHORT, EITHER, EITHER], [PAIRED, PAIRED, SHORT]] = TENPAI

REMAINDER = np.array([0, 2, 2, 2, 1], np.int64)  # the tiles of each part, modulo 3

WORK = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("counts", "i8", (34,)),  # the pool that the sums are of
                ("tiles", "i8"),  # the size of the hands, 0 before there are sums
                ("ways", "f8", (4, PART_STATES)),  # by suit: sets of tiles that lead to each state of its automaton
                ("joined", "f8", (4, 5, LARGEST + 1)),  # sets by part and number of tiles, of the suits up to this one
                ("pairs", "f8", (35, 7, 2)),  # sets of so many pairs and so many single tiles among the first kinds
                ("orphans", "f8", (13,)),  # sets that wait for this orphan alone
                ("all_orphans", "f8"),  # sets of all thirteen, which wait for any of them
                ("usual", "f8"),  # sets that wait for the last tile of melds and a pair
                ("seven", "f8"),  # sets that wait for the last tile of seven pairs
                ("thirteen", "f8"),  # sets that wait for the last tile of thirteen orphans
            ],
            align=True,
        ),
    )
)


@kernel
def random_share(x):
    """A number in [0, 1) from 64 random bits."""
    return np.float64(mix(x) >> np.uint64(11)) * 2.0**-53


@kernel
def _first_layer(suit):
    return HONOUR_LAYER if suit == 3 else SUIT_LAYER


@kernel
def _read_suit(tables, suit, counts, ways):
    """Sum up the sets of tiles that lead to each state."""
    first = _first_layer(suit)
    ways[:] = 0
    ways[tables.layer[first]] = 1
    for i in range(7 if suit == 3 else 9):
        most = counts[9 * suit + i]
        choose = CHOOSE[most]
        for state in range(tables.layer[first + i], tables.layer[first + i + 1]):
            sets = ways[state]
            if sets > 0:
                for tiles in range(most + 1):
                    after = tables.next_state[state, tiles]
                    if after >= 0:
                        ways[after] += sets * choose[tiles]


@kernel
def _ends(tables, suit):
    """The states at which the automaton of a suit ends: the first, and the one after the last."""
    last = _first_layer(suit) + (7 if suit == 3 else 9)
    return tables.layer[last], tables.layer[last + 1]


@kernel
def _join_suit(tables, suit, w):
    """Join a suit to what the suits before it sum up to."""
    w.joined[suit] = 0
    start, end = _ends(tables, suit)
    for state in range(start, end):
        ways, part, tiles = w.ways[suit, state], tables.end_part[state], tables.end_tiles[state]
        if ways == 0:
            continue
        if suit == 0:
            w.joined[0, part, tiles] = ways
            continue
        for before in range(5):
            joined = JOIN[before, part]
            if joined >= 0:
                for n in range(REMAINDER[before], LARGEST + 1 - tiles, 3):
                    w.joined[suit, joined, n + tiles] += w.joined[suit - 1, before, n] * ways


@kernel
def _sum_pairs(counts, w):
    w.pairs[:] = 0
    w.pairs[0, 0, 0] = 1
    for kind in range(34):
        c = counts[kind]
        for n in range(7):
            for single in range(2):
                total = w.pairs[kind, n, single]
                if n > 0:
                    total += w.pairs[kind, n - 1, single] * CHOOSE[c, 2]
                if single > 0:
                    total += w.pairs[kind, n, 0] * c
                w.pairs[kind + 1, n, single] = total
    return w.pairs[34, 6, 1]


@kernel
def _sum_orphans(counts, w):
    w.all_orphans = 1
    for i in range(13):
        w.all_orphans *= counts[ORPHAN_KINDS[i]]
    total = w.all_orphans
    for missing in range(13):
        singles, paired = 1.0, 0.0  # sets of the kinds so far: one of each, and with two of one kind
        for i in range(13):
            c = counts[ORPHAN_KINDS[i]]
            if i != missing:
                paired = paired * c + singles * CHOOSE[c, 2]
                singles *= c
        w.orphans[missing] = paired
        total += paired
    return total


@kernel
def all_sets(w):
    """The number of sets of tiles that are a tenpai hand; of those that are so in two ways, twice."""
    return w.usual + w.seven + w.thirteen


@kernel
def sum_tenpai(tables, counts, tiles, w):
    """Fill w with the sums over all tenpai hands of so many tiles from these counts (34); whether there is one.

    Copies of one table ask for the same sums, so those that are there already stay.
    """
    if w.tiles == tiles and (w.counts == counts).all():
        return all_sets(w) > 0
    w.tiles = tiles
    w.counts[:] = counts
    for suit in range(4):
        _read_suit(tables, suit, counts, w.ways[suit])
        _join_suit(tables, suit, w)
    w.usual = w.joined[3, TENPAI, tiles]
    w.seven = _sum_pairs(counts, w) if tiles == LARGEST else 0.0
    w.thirteen = _sum_orphans(counts, w) if tiles == LARGEST else 0.0
    return all_sets(w) > 0


@kernel
def _draw_usual(tables, counts, tiles, w, out, x):
    """Go back through the suits and their automata, each step by its share of the sum."""
    part = TENPAI
    for suit in range(3, -1, -1):
        x += GOLDEN
        left = random_share(x) * w.joined[suit, part, tiles]
        chosen, before = -1, MELDS
        start, end = _ends(tables, suit)
        for state in range(start, end):
            n = tiles - tables.end_tiles[state]
            if left < 0 or n < 0 or w.ways[suit, state] == 0:
                continue
            for other in range(5):
                share = 0.0
                if suit == 0:
                    share = w.ways[0, state] if other == MELDS and n == 0 and tables.end_part[state] == part else 0.0
                elif JOIN[other, tables.end_part[state]] == part:
                    share = w.joined[suit - 1, other, n] * w.ways[suit, state]
                if left >= 0 and share > 0:  # a sum rounded up ends at the last that is possible
                    chosen, before = state, other
                    left -= share
        part = before
        tiles -= tables.end_tiles[chosen]
        for i in range(6 if suit == 3 else 8, -1, -1):
            x += GOLDEN
            choose = CHOOSE[counts[9 * suit + i]]
            left = random_share(x) * w.ways[suit, chosen]
            taken = -1
            for edge in range(tables.edges_into[chosen], tables.edges_into[chosen + 1]):
                share = w.ways[suit, tables.edge_from[edge]] * choose[tables.edge_tiles[edge]]
                if left >= 0 and share > 0:
                    taken = edge
                    left -= share
            out[9 * suit + i] = tables.edge_tiles[taken]
            chosen = tables.edge_from[taken]
    return x


@kernel
def _draw_pairs(counts, w, out, x):
    n, single = 6, 1
    for kind in range(33, -1, -1):
        x += GOLDEN
        left = random_share(x) * w.pairs[kind + 1, n, single] - w.pairs[kind, n, single]
        if left < 0:
            continue
        two = w.pairs[kind, n - 1, single] * CHOOSE[counts[kind], 2] if n > 0 else 0.0
        one = w.pairs[kind, n, 0] * counts[kind] if single > 0 else 0.0
        if two > 0 and (left < two or one == 0):
            out[kind] = 2
            n -= 1
        elif one > 0:
            out[kind] = 1
            single = 0
    return x


@kernel
def _draw_orphans(counts, w, left, out, x):
    """Thirteen orphans: `left` is where in the sum of their sets the hand lies."""
    missing = -1
    left -= w.all_orphans
    for i in range(13):
        out[ORPHAN_KINDS[i]] = 1
        if left >= 0 and w.orphans[i] > 0:
            missing = i
            left -= w.orphans[i]
    if missing < 0:
        return x
    out[ORPHAN_KINDS[missing]] = 0
    total = 0.0
    for i in range(13):
        c = counts[ORPHAN_KINDS[i]]
        total += CHOOSE[c, 2] / c if i != missing else 0.0
    x += GOLDEN
    left = random_share(x) * total
    paired = -1
    for i in range(13):
        c = counts[ORPHAN_KINDS[i]]
        share = CHOOSE[c, 2] / c if i != missing else 0.0
        if left >= 0 and share > 0:
            paired = i
            left -= share
    out[ORPHAN_KINDS[paired]] = 2
    return x


@kernel
def _is_usual(tables, counts):
    """Whether a hand waits for the last tile of melds and a pair."""
    keys = np.empty(4, np.int64)
    fill_keys(counts, keys)
    return shanten_parts(tables, keys[0], keys[1], keys[2], keys[3], 0)[0] == 0


@kernel
def draw_tenpai(tables, counts, tiles, w, out, x):
    """Draw a tenpai hand of so many tiles from these counts into out (34), after `sum_tenpai`; the new random state.

    A hand that waits for seven pairs as well as for melds is in the sums twice: the second time, nothing is drawn.
    """
    out[:] = 0
    x += GOLDEN
    left = random_share(x) * all_sets(w)
    if left < w.usual or w.seven + w.thirteen == 0:
        return _draw_usual(tables, counts, tiles, w, out, x)
    left -= w.usual
    if left >= w.seven and w.thirteen > 0:
        return _draw_orphans(counts, w, left - w.seven, out, x)
    x = _draw_pairs(counts, w, out, x)
    if _is_usual(tables, out):
        out[:] = 0
    return x
