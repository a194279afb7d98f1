"""The decisions: a discard, a kong, a claim. Each is what the look-ahead expects of the hand afterwards."""

import numpy as np

from suzaku.agents.mcr.heuristic.danger import danger
from suzaku.agents.mcr.shanten import choose as choose_shape
from suzaku.kernel import kernel
from suzaku.mcr import actions as act
from suzaku.mcr.lookahead.query import chow_tiles, fill_seat, move_to_meld
from suzaku.mcr.lookahead.search import search_plans
from suzaku.mcr.melds import ADDED_KONG, CHOW, CLOSED_KONG, OPEN_KONG, PONG
from suzaku.mcr.state import CALLED, TURN


@kernel
def expected(c, value):
    """The points that a sum over targets stands for: they are rare events, and one win is all there is."""
    return c.most * (1.0 - np.exp(-value / c.most))


@kernel
def _best_discard(s, p, c, q, values):
    """The discard that leaves most, less its danger; -1 if no target is in reach."""
    best, most, found = -1, -1e9, False
    for kind in range(34):
        if q.hand[kind] == 0:
            continue
        found |= q.value[kind] > 0.0
        worth = expected(c, q.value[kind]) - danger(s, p, kind, q.unseen[kind], c.loss)
        values[kind] = worth
        if worth > most:
            best, most = kind, worth
    return best if found else -1


@kernel
def choose_turn(tables, s, legal, c, q, values):
    """Win, make a kong, or discard."""
    if legal[act.WIN]:
        return act.WIN
    p = s.seat
    fill_seat(s, p, c.hazard, c.claims, q)
    search_plans(tables, q)
    best = _best_discard(s, p, c, q, values)
    if best < 0:
        values[:] = np.nan  # by shape, and not by worth
        return choose_shape(tables, s, legal)
    most = values[best]
    if s.phase == TURN:
        for kind in range(34):
            if legal[act.CLOSED_KONG + kind]:
                fill_seat(s, p, c.hazard, c.claims, q)
                move_to_meld(q, CLOSED_KONG, kind, 4, kind, -1)
                search_plans(tables, q)
                values[act.CLOSED_KONG + kind] = expected(c, q.total)
                if expected(c, q.total) > most:
                    best, most = act.CLOSED_KONG + kind, expected(c, q.total)
            if legal[act.ADDED_KONG + kind]:
                fill_seat(s, p, c.hazard, c.claims, q)
                q.hand[kind] -= 1
                for i in range(q.melds):
                    if q.meld_type[i] == PONG and q.meld_kind[i] == kind:
                        q.meld_type[i] = ADDED_KONG
                search_plans(tables, q)
                values[act.ADDED_KONG + kind] = expected(c, q.total)
                if expected(c, q.total) > most:
                    best, most = act.ADDED_KONG + kind, expected(c, q.total)
    return best


@kernel
def _after_discard(q):
    """What the best discard after a claim leaves."""
    most = 0.0
    for kind in range(34):
        if q.hand[kind] > 0:
            most = max(most, q.value[kind])
    return most


@kernel
def choose_claim(tables, s, legal, c, q, values):
    """Win, claim, or pass."""
    if legal[act.WIN]:
        return act.WIN
    p, offer = np.int64(s.seat), np.int64(s.offer)
    fill_seat(s, p, c.hazard, c.claims, q)
    search_plans(tables, q)
    best, most = act.PASS, c.claim_gain * expected(c, q.total)
    values[act.PASS] = most
    for action in range(act.CHOW_LOW, act.OPEN_KONG + 1):
        if not legal[action]:
            continue
        fill_seat(s, p, c.hazard, c.claims, q)
        if action == act.OPEN_KONG:
            move_to_meld(q, OPEN_KONG, offer, 3, offer, -1)
        elif action == act.PONG:
            move_to_meld(q, PONG, offer, 2, offer, -1)
        else:
            low, a, b = chow_tiles(offer, action - act.CHOW_LOW)
            move_to_meld(q, CHOW, low, 1, a, b)
        search_plans(tables, q)
        worth = expected(c, q.total if action == act.OPEN_KONG else _after_discard(q))
        values[action] = worth
        if worth > most:
            best, most = action, worth
    return best


@kernel
def choose_many(tables, records, legal, c, q, actions, values):
    """Answer for the asked seat of each table."""
    for i in range(records.shape[0]):
        if records[i].phase == TURN or records[i].phase == CALLED:
            actions[i] = choose_turn(tables, records[i], legal[i], c, q, values[i])
        else:
            actions[i] = choose_claim(tables, records[i], legal[i], c, q, values[i])
