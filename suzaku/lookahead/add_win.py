"""Score a win that the search has found and add it for every discard that keeps it in reach."""

import numpy as np

from suzaku.kernel import kernel
from suzaku.lookahead.payoff import points_of
from suzaku.lookahead.state import LEVELS, THRESHOLDS
from suzaku.riichi.score import RIICHI, best_win

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
