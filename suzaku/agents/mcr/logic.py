"""What the MCR paper leaves to logic: kongs, and which of several chows is made once its model says yes."""

import numpy as np

from suzaku.features.mcr.claims import fill_claim
from suzaku.features.mcr.planes import CLAIMS, HAZARD
from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.mcr import actions as act
from suzaku.mcr.lookahead.query import fill_seat, move_to_meld
from suzaku.mcr.lookahead.search import search_plans
from suzaku.mcr.lookahead.state import SEARCH
from suzaku.mcr.melds import ADDED_KONG, CLOSED_KONG, OPEN_KONG, PONG


@kernel
def _distance(tables, s, p, action, q):
    """The win distance of seat p to a hand of the minimum after a kong, or as it is (-1)."""
    fill_seat(s, p, HAZARD, CLAIMS, q)
    q.slack = 0
    if action == act.OPEN_KONG:
        move_to_meld(q, OPEN_KONG, np.int64(s.offer), 3, np.int64(s.offer), -1)
    elif action >= act.ADDED_KONG:
        kind = action - act.ADDED_KONG
        q.hand[kind] -= 1
        for i in range(q.melds):
            if q.meld_type[i] == PONG and q.meld_kind[i] == kind:
                q.meld_type[i] = ADDED_KONG
    elif action >= 0:
        move_to_meld(q, CLOSED_KONG, action - act.CLOSED_KONG, 4, action - act.CLOSED_KONG, -1)
    return search_plans(tables, q)


@kernel
def choose_kong(tables, s, legal, q):
    """The first legal kong that leaves the hand of the asked seat as near to a win as it is, or -1."""
    before = -1
    for action in range(act.OPEN_KONG, act.WIN):
        if not legal[action]:
            continue
        if before < 0:
            before = _distance(tables, s, s.seat, -1, q)
        if _distance(tables, s, s.seat, action, q) <= before:
            return action
    return -1


@kernel
def choose_chow(tables, s, legal, q):
    """The legal chow after which the hand is nearest to a win, of several the most promising; or -1."""
    best, nearest, most = -1, 99, -1.0
    for action in range(act.CHOW_LOW, act.PONG):
        if not legal[action]:
            continue
        fill_claim(s, s.seat, action, q)
        distance = search_plans(tables, q)
        if distance < nearest or (distance == nearest and q.total > most):
            best, nearest, most = action, distance, q.total
    return best


@kernel
def _kongs(tables, records, legal, q, out):
    for i in range(records.shape[0]):
        out[i] = choose_kong(tables, records[i], legal[i], q)


@kernel
def _chows(tables, records, legal, q, out):
    for i in range(records.shape[0]):
        out[i] = choose_chow(tables, records[i], legal[i], q)


def wanted_kongs(records: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """The kong that each hand makes, or -1: int64[n]."""
    out = np.empty(len(records), np.int64)
    _kongs(hand_tables(), records, legal, np.zeros(1, SEARCH)[0], out)
    return out


def best_chows(records: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """The chow that each hand would make: int64[n]."""
    out = legal[:, act.CHOW_LOW : act.PONG].argmax(1) + act.CHOW_LOW
    several = np.flatnonzero(legal[:, act.CHOW_LOW : act.PONG].sum(1) > 1)
    if len(several):
        found = np.empty(len(several), np.int64)
        _chows(hand_tables(), records[several], legal[several], np.zeros(1, SEARCH)[0], found)
        out[several] = found
    return out
