"""Seven pairs and thirteen orphans within reach."""

import numpy as np

from suzaku.hand.masks import popcount
from suzaku.hand.shanten import shanten_parts
from suzaku.hand.tables import POW5
from suzaku.kernel import kernel
from suzaku.lookahead.add_win import add_win
from suzaku.lookahead.wins import choose
from suzaku.tiles import ORPHANS


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
