"""The look-ahead of a hand: fill in the query, search, read the answer."""

import numpy as np

from suzaku.hand.shanten import shanten_parts
from suzaku.kernel import kernel
from suzaku.lookahead.state import LEVELS, REACH
from suzaku.lookahead.unusual import seven_pairs, thirteen_orphans
from suzaku.lookahead.wins import fill_distances, join_wins, list_candidates
from suzaku.riichi.hands import in_melds
from suzaku.riichi.visible import fill_dora, fill_unseen
from suzaku.tiles import KIND_OF


@kernel
def fill_query(s, p, reach, q):
    """Put seat p's hand, as it sees the table, into the query."""
    q.hand[:] = s.hand[p]
    q.key[:] = s.key[p]
    q.red[:] = s.red[p]
    fill_unseen(s, p, q.unseen)
    fill_dora(s, q.dora)
    q.melds = s.melds[p]
    q.meld_type[:] = s.meld_type[p]
    q.meld_tile[:] = s.meld_tile[p]
    q.meld_dora = 0
    for i in range(s.melds[p]):
        q.meld_dora += s.meld_red[p, i]
    if s.melds[p] > 0:
        for kind in range(34):
            if q.dora[kind] > 0:
                q.meld_dora += q.dora[kind] * in_melds(s, p, kind)
    q.closed = 1 if s.open_melds[p] == 0 else 0
    q.round_wind = (s.round_no // 4) & 3
    q.seat_wind = (p - s.dealer) & 3
    q.last = KIND_OF[s.drawn] if s.turn == p and s.drawn >= 0 else -1
    q.reach = reach


@kernel
def search_wins(tables, patterns, rules, q):
    """Find every win within `q.reach` replaced tiles and fill the answer."""
    q.best[:] = 0
    q.ways[:] = 0
    q.wins[:] = 0
    normal, seven, thirteen = shanten_parts(tables, q.key[0], q.key[1], q.key[2], q.key[3], q.melds)
    if normal < q.reach:
        fill_distances(tables, q)
        for suit in range(4):
            list_candidates(patterns, q, suit)
        join_wins(tables, patterns, rules, q)
    if seven < q.reach:
        seven_pairs(tables, rules, q)
    if thirteen < q.reach:
        thirteen_orphans(tables, rules, q)
    for row in range(35):  # from wins by the highest threshold they reach, to wins that reach each threshold
        for k in range(REACH + 1):
            if q.best[row, k] > 0:
                for level in range(LEVELS - 2, -1, -1):
                    q.ways[row, k, level] += q.ways[row, k, level + 1]


@kernel
def probability(ways, k, unseen, draws):
    """The probability to draw at least one of `ways` sets of k tiles within `draws` draws from the unseen tiles.

    Exact for one tile. For more, sets are taken as independent rare events (Poisson), which errs high by little.
    """
    if ways <= 0 or draws < k:
        return 1.0 if ways > 0 and k == 0 else 0.0
    if k == 1:
        miss = 1.0
        for i in range(draws):
            miss *= max(0.0, (unseen - ways - i) / (unseen - i))
        return 1.0 - miss
    expected = ways
    for i in range(k):
        expected *= (draws - i) / (unseen - i)
    return 1.0 - np.exp(-expected)
