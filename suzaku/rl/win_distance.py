"""Rewards from the win distance (the MCR paper, 3.3): how many tiles a hand is short of a winning one.

A discard is rewarded with what the distance has fallen since the discard before it, draws and claims included, and a
win with what was left. So what follows from a decision on is the distance before it less the one at the end, which is 0
for the winner.

- distance: by shape alone, as in the paper: any complete hand.
- fan-distance: to a hand that may win, with the table's minimum of fan.
"""

import numpy as np

from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.mcr import actions as act
from suzaku.mcr.plans import SEARCH
from suzaku.mcr.search import FARTHEST, search_plans
from suzaku.mcr.shanten import shanten
from suzaku.mcr.ways import fill_seat
from suzaku.rl.buffer import Trajectories

HAZARD, CLAIMS = 0.1, 0.5  # distances do not hang on the draws that are left, but a search must have some
MOST = FARTHEST + 1  # beyond what is searched


@kernel
def hand_distance(tables, s, p, discard, fan, q):
    """Tiles that seat p is short of a win after a discard (-1: none), at most 7; `fan`: of one that may win."""
    if fan:
        fill_seat(s, p, HAZARD, CLAIMS, q)
        q.slack = 0
        if discard >= 0:
            q.hand[discard] -= 1
        return min(MOST, search_plans(tables, q))
    hand = s.hand[p].copy()
    if discard >= 0:
        hand[discard] -= 1
    return min(MOST, shanten(tables, hand, s.melds[p]) + 1)


@kernel
def _fill(tables, records, discards, first, fan, q, before, after):
    for i in range(records.shape[0]):
        s = records[i]
        after[i] = hand_distance(tables, s, s.seat, discards[i], fan, q)
        if first[i]:
            before[i] = hand_distance(tables, s, s.seat, -1, fan, q)
        else:
            before[i] = after[i - 1]


def win_distances(decisions: Trajectories, fan: bool) -> tuple[np.ndarray, list[np.ndarray]]:
    """float32[n]: the distance before each decision (NaN but for discards); of each game float32[rounds, 4] at the end.

    Before its first discard a hand has its drawn tile already: that draw is nobody's merit.
    """
    rows = np.flatnonzero(decisions.action < act.CHOW_LOW)
    order, sequence = (part := decisions.part(rows)).sequences()
    part, rows = part.part(order), rows[order]
    first = np.diff(sequence, prepend=-1) != 0
    before, after = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64)
    _fill(hand_tables(), part.records, part.action, first, fan, np.zeros(1, SEARCH)[0], before, after)
    at_end = [np.full((len(scores) - 1, 4), float(MOST), np.float32) for scores in decisions.scores]
    for i in np.flatnonzero(np.append(first[1:], True)[: len(first)]):
        at_end[part.game[i]][part.round[i], part.seat[i]] = after[i]
    for i in np.flatnonzero(decisions.action == act.WIN):
        at_end[decisions.game[i]][decisions.round[i], decisions.seat[i]] = 0
    out = np.full(len(decisions), np.nan, np.float32)
    out[rows] = before
    return out, at_end


def warm_up() -> None:
    """Win distances."""
    from suzaku.mcr.state import STATE

    none = np.zeros(0, np.int64)
    legal, log_prob = np.zeros((0, 1), np.bool_), np.zeros(0, np.float32)
    win_distances(Trajectories(np.zeros(0, STATE), legal, none, log_prob, none, none, [], none), fan=True)
