"""Putting a seat of a table record into the query of `draws.py`, one table or many."""

import numpy as np

from suzaku.hand.shanten import shanten_keys
from suzaku.kernel import kernel
from suzaku.lookahead.draws import expect
from suzaku.lookahead.graph import DRAWS
from suzaku.lookahead.search import fill_query
from suzaku.riichi.hands import in_melds
from suzaku.riichi.state import INDICATORS
from suzaku.tiles import DORA_OF, RED

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
    """Put seat p's hand, as it sees the table, into the query; objective, claims, deepest and swaps stay."""
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
    """Probabilities and points now for a seat of each of many tables: out[n, 35, 3] by discard; NaN if not looked at.

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
