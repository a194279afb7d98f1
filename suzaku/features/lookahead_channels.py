"""The look-ahead channels: `win_now`, `reach`, `chance`, `claim_chance` and `best` of the channel table in `groups.py`.

`claims.py` fills `claim_reach` and `claim_chance_after` with the same kernel.
"""

import numpy as np

from suzaku.features.groups import BEST_POINTS, ON, SUPHX, first
from suzaku.features.planes import EVERY, fraction, put, set_all, set_at
from suzaku.kernel import kernel
from suzaku.lookahead.query import draws_left
from suzaku.lookahead.search import fill_query, probability, search_wins
from suzaku.lookahead.state import LEVELS, REACH, THRESHOLDS

WIN_NOW, REACHES, PROBABILITY = first(SUPHX, "win_now"), first(SUPHX, "reach"), first(SUPHX, "chance")
CLAIM_PROBABILITY, BEST = first(SUPHX, "claim_chance"), first(SUPHX, "best")


@kernel
def claim_probability(ways, k, unseen, draws, left):
    """As `probability`, but any tile that is still to be drawn, by whomever, can be the last one."""
    if k == 1:
        return probability(ways, 1, unseen, left)
    if ways <= 0 or draws < k - 1 or left < k:
        return 0.0
    expected = ways * left / unseen
    for i in range(1, k):
        expected *= (draws - i + 1) / (unseen - i)
    return 1.0 - np.exp(-expected)


@kernel
def _reach_of(q, row, k, unseen, draws, left, reach, by_draw, by_claim, kind, out):
    """Set reach and probabilities of wins with k replaced tiles at one discard, or at all."""
    before = 0.0
    drawn = claimed = np.uint8(0)
    for level in range(LEVELS):
        ways = q.ways[row, k, level]
        if ways == 0:
            return
        at = LEVELS * (k - 1) + level
        set_at(out, reach + at, kind, ON)
        if ways != before:  # the same wins reach several thresholds: their probability is worked out once
            before = ways
            drawn = fraction(probability(ways, k, unseen, draws))
            if by_claim >= 0:
                claimed = fraction(claim_probability(ways, k, unseen, draws, left))
        set_at(out, by_draw + at, kind, drawn)
        if by_claim >= 0:
            set_at(out, by_claim + at, kind, claimed)


@kernel
def fill_reach(q, draws, left, reach, by_draw, by_claim, out):
    """Set reach and probabilities of every discard from an answered look-ahead; `by_claim` may be -1."""
    unseen = 0
    held = 0
    for kind in range(34):
        unseen += q.unseen[kind]
        held += q.hand[kind]
    for k in range(1, REACH + 1):
        if k == 1 and held % 3 == 1:  # no discard stands between this hand and the win: the same at all kinds
            if q.best[34, 1] != 0:
                _reach_of(q, 34, 1, unseen, draws, left, reach, by_draw, by_claim, EVERY, out)
            continue
        for kind in range(34):
            if q.best[kind, k] != 0:
                _reach_of(q, kind, k, unseen, draws, left, reach, by_draw, by_claim, kind, out)


@kernel
def encode_lookahead(tables, patterns, s, p, q, out):
    """Search the wins in reach of seat p and set their channels."""
    fill_query(s, p, REACH, q)
    search_wins(tables, patterns, s.rules, q)
    for level in range(LEVELS):
        if q.best[34, 0] >= THRESHOLDS[level]:
            set_all(out, WIN_NOW + level)
    fill_reach(q, draws_left(s, p), s.left, REACHES, PROBABILITY, CLAIM_PROBABILITY, out)
    for k in range(1, REACH + 1):
        for kind in range(34):
            put(out, BEST + k - 1, kind, fraction(min(BEST_POINTS, q.best[kind, k]) / BEST_POINTS))
