"""The look-ahead of a hand: fill in the query, search, read the answer.

- The look-ahead of a hand: fill in the query, search, read the answer.
- Putting a seat of a table record into the query of `draws.py`, one table or many.
"""

import numpy as np

from suzaku.hand.shanten import shanten_keys, shanten_parts
from suzaku.kernel import kernel
from suzaku.lookahead.draws import expect
from suzaku.lookahead.graph import DRAWS
from suzaku.lookahead.state import LEVELS, REACH
from suzaku.lookahead.wins import fill_distances, join_wins, list_candidates, seven_pairs, thirteen_orphans
from suzaku.riichi.deal import in_melds
from suzaku.riichi.redraw import fill_dora, fill_unseen
from suzaku.riichi.state import INDICATORS
from suzaku.tiles import DORA_OF, KIND_OF, RED


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


INDICATOR_OF = np.argsort(DORA_OF[:34]).astype(np.int8)  # dora -> the kind that indicates it


@kernel
def draws_left(s, p):
    """How many tiles seat p still draws if nobody calls."""
    first = ((p - s.turn - 1) & 3) + 1
    return min(DRAWS, max(0, (s.left - first) // 4 + 1))


@kernel
def fill_red_unseen(s, p, out):
    """Set out[suit] to 1 where seat p cannot see the red five."""
    for suit in range(3):
        out[suit] = 1 if s.rules.red_fives and s.red[p, suit] == 0 else 0
    for q in range(4):
        for i in range(s.melds[q]):
            if s.meld_red[q, i] > 0:
                out[s.meld_tile[q, i] // 9] = 0
        for i in range(s.river_size[q]):
            if s.river[q, i] >= RED:
                out[s.river[q, i] - RED] = 0
    for i in range(s.indicators):
        tile = s.wall[INDICATORS[i]]
        if tile >= RED:
            out[tile - RED] = 0


@kernel
def fill_draws_query(s, p, g):
    """Put seat p's hand, as it sees the table, into the query. `objective`, `claims`, `deepest` and `swaps` stay."""
    fill_query(s, p, 0, g)
    for kind in range(34):
        g.in_melds[kind] = in_melds(s, p, kind) if s.melds[p] > 0 else 0
        g.indicator_of[kind] = INDICATOR_OF[kind]
    fill_red_unseen(s, p, g.red_unseen)
    g.ura = s.indicators if s.rules.ura_dora else 0
    g.discarded = s.discarded[p]
    g.draws = draws_left(s, p)


@kernel
def expect_many(tables, records, seats, objective, claims, g, out):
    """Probabilities and points now for a seat of each of many tables: out[n, 35, 3] by discard, NaN if not searched.

    Looks at discards after which the hand is at most 2-shanten, and at draws that lower the shanten alone.
    """
    g.objective = objective
    g.claims = claims
    g.swaps = 0
    for i in range(records.shape[0]):
        s = records[i]
        fill_draws_query(s, seats[i], g)
        now = shanten_keys(tables, g.key[0], g.key[1], g.key[2], g.key[3], g.melds)
        g.deepest = 2
        out[i] = np.nan
        if now <= 2 and expect(tables, s.rules, g):
            for row in range(35):
                for what in range(3):
                    out[i, row, what] = g.value[row, what, g.draws]
