"""The one-player search of Suphx: every winning hand that replacing at most three tiles can reach, and what it is
worth.

- Score a win that the search has found and add it for every discard that keeps it in reach.
- The one-player search of Suphx: every winning hand that replacing at most three tiles can reach, and what it pays.
- Seven pairs and thirteen orphans within reach.
"""

import numpy as np

from suzaku.hand.shanten import shanten_parts
from suzaku.hand.tables import POW5, popcount
from suzaku.kernel import kernel
from suzaku.lookahead.patterns import excess, pack, total
from suzaku.lookahead.payoff import points_of
from suzaku.lookahead.state import CANDIDATES, LEVELS, THRESHOLDS
from suzaku.riichi.score import RIICHI, best_win
from suzaku.tiles import ORPHANS

NIBBLE = np.uint64(15)
U4 = np.uint64(4)


@kernel
def _points(tables, rules, q, wins, han):
    """What the win in the work space pays on a discard, the best of some kinds, with riichi if the hand is closed."""
    flags = RIICHI if q.closed else 0
    yaku, han, fu, yakuman = best_win(
        tables,
        rules,
        q.win_hand[:],  # as a slice it has the type that the engine compiled `best_win` for
        q.win_key[:],
        q.melds,
        q.meld_type[:],
        q.meld_tile[:],
        wins,
        flags,
        q.round_wind,
        q.seat_wind,
        han,
    )
    return points_of(rules, han, fu, yakuman, q.seat_wind == 0, False) if yaku != 0 else 0


@kernel
def add_win(tables, rules, q, k, han, ways):
    """Score the win in the work space, with the best of its missing tiles as the last one, and add it."""
    wins = 0
    if k == 0 and q.last >= 0:
        wins = 1 << np.int64(q.last)
    for suit in range(4):
        lacks = q.win_lacks[suit]
        kind = 9 * suit
        while lacks != 0:
            if lacks & NIBBLE != 0:
                wins |= 1 << kind
            lacks >>= U4
            kind += 1
    points = _points(tables, rules, q, wins, han) if wins != 0 else 0
    if points == 0:
        return
    level = LEVELS - 1
    while level > 0 and THRESHOLDS[level] > points:
        level -= 1
    q.wins[k] += 1
    _add_to_row(q, 34, k, points, level, ways)
    for suit in range(4):
        spare = q.win_spare[suit]
        kind = 9 * suit
        while spare != 0:
            if spare & NIBBLE != 0:
                _add_to_row(q, kind, k, points, level, ways)
            spare >>= U4
            kind += 1


@kernel
def _add_to_row(q, row, k, points, level, ways):
    q.best[row, k] = max(q.best[row, k], points)
    q.ways[row, k, level] += ways


# A win W at distance k has k tiles that the hand lacks; the hand has as many tiles too many (one less, if it holds no
# drawn tile). Each of those is a discard that keeps W in reach, so one enumeration serves all discards. The wins are
# found suit by suit: the complete patterns within reach are listed for each suit, then joined under the total of
# melds, one pair and the total distance; the shortest distances of the suits still to come cut every branch that
# cannot succeed.


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


@kernel
def _add_counts(tables, rules, q):
    """Add the win whose counts stand in `win_hand`, if it is within reach and drawable."""
    k = 0
    han = 0
    ways = 1.0
    for suit in range(4):
        lacks = np.uint64(0)
        spare = np.uint64(0)
        key = 0
        for i in range(9 if suit < 3 else 7):
            kind = 9 * suit + i
            n = np.int64(q.win_hand[kind])
            short = n - q.hand[kind]
            if short > 0:
                if short > q.unseen[kind]:
                    return
                k += short
                ways *= choose(np.int64(q.unseen[kind]), short)
                lacks |= np.uint64(short) << np.uint64(4 * i)
            elif short < 0:
                spare |= np.uint64(-short) << np.uint64(4 * i)
            if n > 0:
                key += n * POW5[i]
                han += n * q.dora[kind]
                if suit < 3 and i == 4:
                    han += min(n, q.red[suit])
        q.win_key[suit] = key
        q.win_lacks[suit] = lacks
        q.win_spare[suit] = spare
    if k > q.reach:
        return
    if shanten_parts(tables, q.win_key[0], q.win_key[1], q.win_key[2], q.win_key[3], 0)[0] == -1:
        return  # two times two equal runs: added as four melds and a pair
    add_win(tables, rules, q, k, han, ways)


@kernel
def seven_pairs(tables, rules, q):
    """Go through the seven pairs within reach: all but `dropped` of the pairs held, and up to three new ones."""
    pairs = np.empty(7, np.int64)
    others = np.empty(34, np.int64)
    n_pairs = 0
    n_others = 0
    for kind in range(34):
        if q.hand[kind] >= 2:
            if n_pairs < 7:
                pairs[n_pairs] = kind
                n_pairs += 1
        elif q.unseen[kind] >= 2 - q.hand[kind]:
            others[n_others] = kind
            n_others += 1
    for new in range(4):
        dropped = n_pairs + new - 7
        if dropped < 0 or dropped > n_pairs:
            continue
        for a in range(n_others if new > 0 else 1):
            for b in range(a + 1 if new > 1 else 0, n_others if new > 1 else 1):
                for c in range(b + 1 if new > 2 else 0, n_others if new > 2 else 1):
                    cost = 0
                    if new > 0:
                        cost += 2 - q.hand[others[a]]
                    if new > 1:
                        cost += 2 - q.hand[others[b]]
                    if new > 2:
                        cost += 2 - q.hand[others[c]]
                    if cost > q.reach:
                        continue
                    for drop in range(1 << n_pairs):
                        if popcount(drop) != dropped:
                            continue
                        q.win_hand[:] = 0
                        for i in range(n_pairs):
                            if not (drop >> i) & 1:
                                q.win_hand[pairs[i]] = 2
                        if new > 0:
                            q.win_hand[others[a]] = 2
                        if new > 1:
                            q.win_hand[others[b]] = 2
                        if new > 2:
                            q.win_hand[others[c]] = 2
                        _add_counts(tables, rules, q)


@kernel
def thirteen_orphans(tables, rules, q):
    """Go through the thirteen orphans within reach."""
    for pair in range(34):
        if not (ORPHANS >> pair) & 1:
            continue
        for kind in range(34):
            q.win_hand[kind] = (ORPHANS >> kind) & 1
        q.win_hand[pair] = 2
        _add_counts(tables, rules, q)
