"""The Suphx encoder: 838 channels of 34 kinds for discard and riichi.

- The look-ahead channels: `win_now`, `reach`, `chance`, `claim_chance` and `best` of `channels.py`.
- The Suphx encoder: 838 channels of 34 kinds for discard and riichi.
"""

import numpy as np

from suzaku.features.board import encode_board
from suzaku.features.channels import BEST_POINTS, ON, SUPHX, SUPHX_CHANNELS, first
from suzaku.features.planes import EVERY, batch, check_asked, clear, fraction, put, set_all, set_at
from suzaku.features.situation import (
    KEEPS_SHANTEN,
    KEEPS_TENPAI,
    STEPS,
    UKEIRE,
    encode_efficiency,
    encode_safety,
    encode_situation,
)
from suzaku.features.sparse import LIST, USUAL, SparsePlanes, append, collect
from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.lookahead.patterns import patterns as win_patterns
from suzaku.lookahead.search import draws_left, fill_query, probability, search_wins
from suzaku.lookahead.state import LEVELS, REACH, SEARCH, THRESHOLDS
from suzaku.riichi.actions import ACTIONS
from suzaku.riichi.legal import fill_legal
from suzaku.riichi.redraw import fill_unseen

# `claims.py` fills `claim_reach` and `claim_chance_after` with the same kernel.

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
    """Set reach and probabilities of every discard from an answered look-ahead. `by_claim` may be -1."""
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


@kernel
def encode_suphx(tables, patterns, s, p, lookahead, legal, work, q, out):
    """Set the 838 channels of what seat p, which is asked, sees. `work` is int8[3, 34]."""
    unseen = work[2]
    fill_unseen(s, p, unseen)
    fill_legal(tables, s, legal)
    encode_board(s, p, work, out)
    encode_situation(tables, s, p, legal, unseen, out)
    encode_safety(s, p, unseen, out)
    if (s.hand[p].sum()) % 3 == 2:
        encode_efficiency(
            tables, s.hand[p], s.key[p], s.melds[p], unseen, len(STEPS), KEEPS_TENPAI, KEEPS_SHANTEN, UKEIRE, out
        )
    if lookahead:
        encode_lookahead(tables, patterns, s, p, q, out)


@kernel
def _encode_many(tables, patterns, records, lookahead, q, out):
    legal = np.empty(ACTIONS, np.bool_)
    work = np.empty((3, 34), np.int8)
    for i in range(records.shape[0]):
        state = out[i, :SUPHX_CHANNELS]
        clear(state)
        encode_suphx(tables, patterns, records[i], records[i].seat, lookahead, legal, work, q, state)


@kernel
def _encode_sparse(records, tables, patterns, lookahead, q, bounds, constants):
    legal = np.empty(ACTIONS, np.bool_)
    work = np.empty((3, 34), np.int8)
    state = np.empty(LIST, np.uint32)
    cells = np.empty(USUAL * records.shape[0], np.uint32)
    for i in range(records.shape[0]):
        clear(state)
        encode_suphx(tables, patterns, records[i], records[i].seat, lookahead, legal, work, q, state)
        cells = append(state, i, cells, bounds, constants)
    return cells


def encode_many(records: np.ndarray, out: np.ndarray | None = None, lookahead: bool = True) -> np.ndarray:
    """The channels of the asked seat of many tables, uint8[n, 838, 34], into `out` if given.

    An `out` with more channels takes them in front. The others stay as they are.
    """
    out = batch(records, (SUPHX_CHANNELS, 34), out)
    _encode_many(hand_tables(), win_patterns(), records, lookahead, np.zeros(1, SEARCH)[0], out)
    return out


def encode_sparse(records: np.ndarray, lookahead: bool = True) -> SparsePlanes:
    """The same as cells."""
    check_asked(records)
    q = np.zeros(1, SEARCH)[0]
    return collect(SUPHX_CHANNELS, _encode_sparse, records, hand_tables(), win_patterns(), lookahead, q)


def warm_up() -> None:
    """What networks see."""
    from suzaku.riichi.state import STATE

    encode_sparse(np.zeros(0, STATE))
