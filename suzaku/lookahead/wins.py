"""The one-player search of Suphx: every winning hand that replacing at most three tiles can reach, and what it pays.

A win W at distance k has k tiles that the hand lacks; the hand has as many tiles too many (one less, if it holds no
drawn tile). Each of those is a discard that keeps W in reach, so one enumeration serves all discards. The wins are
found suit by suit: the complete patterns within reach are listed for each suit, then joined under the total of melds,
one pair and the total distance; the shortest distances of the suits still to come cut every branch that cannot
succeed.
"""

import numpy as np

from suzaku.kernel import kernel
from suzaku.lookahead.add_win import NIBBLE, U4, add_win
from suzaku.lookahead.patterns import excess, pack, total
from suzaku.lookahead.state import CANDIDATES


@kernel
def _join(a, b, out):
    """The shortest distances of two suits taken together."""
    for j in range(5):
        bare = 99
        paired = 99
        for i in range(j + 1):
            bare = min(bare, a[i] + b[j - i])
            paired = min(paired, a[i] + b[5 + j - i], a[5 + i] + b[j - i])
        out[j] = min(bare, 99)
        out[5 + j] = min(paired, 99)


@kernel
def fill_distances(tables, q):
    for suit in range(4):
        entry = tables.honour[q.key[3]] if suit == 3 else tables.suit[q.key[suit]]
        for g in range(10):
            q.vector[suit, g] = tables.vector[entry & 4095, g]
    two = np.empty(10, np.int8)
    for suit in range(4):
        _join(q.vector[(suit + 1) & 3], q.vector[(suit + 2) & 3], two)
        _join(two, q.vector[(suit + 3) & 3], q.rest[suit])
    q.after[2] = q.vector[3]
    _join(q.vector[2], q.after[2], q.after[1])
    _join(q.vector[1], q.after[1], q.after[0])


@kernel
def choose(n, k):
    """Ways to take k of n tiles, k <= 4."""
    ways = 1
    for i in range(k):
        ways = ways * (n - i) // (i + 1)
    return ways


@kernel
def list_candidates(patterns, q, suit):
    """List the patterns of a suit that a win within reach can hold."""
    row = 1 if suit == 3 else 0
    places = 7 if suit == 3 else 9
    need = 4 - q.melds
    held = pack(q.hand, 9 * suit, places)
    unseen = pack(q.unseen, 9 * suit, places)
    n = 0
    for g in range(10):
        q.first[suit, g] = n
        j, paired = g % 5, g // 5
        if j > need:
            continue
        budget = q.reach - q.rest[suit, need - j + (0 if paired else 5)]
        if q.vector[suit, g] > budget:
            continue
        for i in range(patterns.start[row, g], patterns.start[row, g + 1]):
            lacks = excess(patterns.packed[row, i], held)
            if total(lacks) <= budget and excess(lacks, unseen) == 0 and n < CANDIDATES:
                q.pattern[suit, n] = i
                q.short[suit, n] = total(lacks)
                q.lacks[suit, n] = lacks
                q.spare[suit, n] = excess(held, patterns.packed[row, i])
                _weigh(q, suit, n, patterns.packed[row, i], lacks)
                n += 1
    q.first[suit, 10] = n


@kernel
def _weigh(q, suit, n, packed, lacks):
    """Ways to draw what a candidate lacks, and its doras and red fives."""
    ways = 1
    han = 0
    kind = 9 * suit
    while packed != 0:
        held = np.int64(packed & NIBBLE)
        k = np.int64(lacks & NIBBLE)
        if k > 0:
            ways *= choose(np.int64(q.unseen[kind]), k)
        han += held * q.dora[kind]
        if kind < 27 and kind % 9 == 4:
            han += min(held, q.red[suit])
        packed >>= U4
        lacks >>= U4
        kind += 1
    q.weight[suit, n] = ways
    q.han[suit, n] = han


@kernel
def _place(patterns, q, suit, i):
    """Put a candidate of a suit into the win in the work space."""
    q.win_key[suit] = patterns.key[1 if suit == 3 else 0, q.pattern[suit, i]]
    q.win_lacks[suit] = q.lacks[suit, i]
    q.win_spare[suit] = q.spare[suit, i]
    if suit == 3:
        packed = patterns.packed[1, q.pattern[3, i]]
        for kind in range(27, 34):
            q.win_hand[kind] = np.int64(packed & NIBBLE)
            packed >>= U4


@kernel
def join_wins(tables, patterns, rules, q):
    """Go through all four melds and a pair within reach."""
    need = 4 - q.melds
    for g0 in range(10):
        if g0 % 5 > need:
            continue
        rest0 = need - g0 % 5 + (0 if g0 >= 5 else 5)
        for a in range(q.first[0, g0], q.first[0, g0 + 1]):
            k0 = q.short[0, a]
            if k0 + q.after[0, rest0] > q.reach:
                continue
            _place(patterns, q, 0, a)
            for g1 in range(10):
                melds1 = g0 % 5 + g1 % 5
                pairs1 = g0 // 5 + g1 // 5
                if melds1 > need or pairs1 > 1:
                    continue
                rest1 = need - melds1 + (0 if pairs1 else 5)
                for b in range(q.first[1, g1], q.first[1, g1 + 1]):
                    k1 = k0 + q.short[1, b]
                    if k1 + q.after[1, rest1] > q.reach:
                        continue
                    _place(patterns, q, 1, b)
                    for g2 in range(10):
                        melds2 = melds1 + g2 % 5
                        pairs2 = pairs1 + g2 // 5
                        if melds2 > need or pairs2 > 1:
                            continue
                        g3 = need - melds2 + (0 if pairs2 else 5)
                        for c in range(q.first[2, g2], q.first[2, g2 + 1]):
                            k2 = k1 + q.short[2, c]
                            if k2 + q.after[2, g3] > q.reach:
                                continue
                            _place(patterns, q, 2, c)
                            for d in range(q.first[3, g3], q.first[3, g3 + 1]):
                                k = k2 + q.short[3, d]
                                if k > q.reach:
                                    continue
                                _place(patterns, q, 3, d)
                                han = q.meld_dora + q.han[0, a] + q.han[1, b] + q.han[2, c] + q.han[3, d]
                                ways = float(q.weight[0, a]) * q.weight[1, b] * q.weight[2, c] * q.weight[3, d]
                                add_win(tables, rules, q, k, han, ways)
