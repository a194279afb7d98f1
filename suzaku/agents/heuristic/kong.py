"""The `heuristic` player's kongs of its own tiles: what the hand is worth after one.

A kong brings a draw more and shows a new dora, for everybody. It is not thought of with a far hand, nor against riichi
without waiting.
"""

import numpy as np

from suzaku.agents.heuristic.action_value import FREEDOM, PUSH, RIICHI_STICK, deal_in, not_winning, riichi_points
from suzaku.agents.heuristic.placement import worth_after
from suzaku.agents.heuristic.win_estimate import RIICHI_STAGE, rate_rows, stage_of, win_probability
from suzaku.hand.shanten import shanten_keys
from suzaku.hand.tables import POW5
from suzaku.kernel import kernel
from suzaku.lookahead.search import fill_query
from suzaku.riichi import actions as act
from suzaku.riichi.state import ADDED_KONG, CLOSED_KONG

NEAR = 2  # shanten of the farthest hand that makes a kong
NEW_DORA = 1.2  # by this the points of every win grow on average with one more indicator


@kernel
def _fill_query_after(s, p, action, q):
    """Put the hand after a kong into the query."""
    fill_query(s, p, 0, q)
    closed = action < act.ADDED_KONG
    kind = action - (act.CLOSED_KONG if closed else act.ADDED_KONG)
    n = 4 if closed else 1
    q.hand[kind] -= n
    q.key[kind // 9] -= n * POW5[kind % 9]
    q.meld_dora += n * q.dora[kind]
    if kind < 27 and kind % 9 == 4:
        q.meld_dora += q.red[kind // 9]
        q.red[kind // 9] = 0
    q.last = -1
    if closed:
        q.meld_type[q.melds] = CLOSED_KONG
        q.meld_tile[q.melds] = kind
        q.melds += 1
        return
    for i in range(q.melds):
        if q.meld_tile[i] == kind:
            q.meld_type[i] = ADDED_KONG


@kernel
def _go_on(s, p, v, stage, probability, points, stake):
    """The worth of going on after the kong, as in `action_value.outlook`, with a new dora for everybody."""
    danger = PUSH if v.rows.riichis > 0 else 0.0
    lost = NEW_DORA * not_winning(v, stage, danger) - stake
    won = worth_after(s, p, NEW_DORA * points + v.bonus, -1, v.rounds, v.scores)
    return probability * won + (1 - probability) * worth_after(s, p, lost, -1, v.rounds, v.scores)


@kernel
def _value(tables, patterns, s, p, v, q, action):
    """The worth of a kong; v.rows has the hand after it then."""
    _fill_query_after(s, p, action, q)
    v.rows.draws += 1
    rate_rows(tables, patterns, s.rules, q, False, v.rows)
    shanten, ways = v.rows.shanten[34], v.rows.ways[34]
    stage = stage_of(shanten, not q.closed)
    value = _go_on(s, p, v, stage, v.rows.probability[34], v.rows.points[34], 0)
    if shanten == 0 and q.closed and s.left > s.rules.riichi_min_tiles and s.scores[p] >= RIICHI_STICK:
        probability = win_probability(v.rows, RIICHI_STAGE, ways, 0, 0)
        with_riichi = _go_on(s, p, v, RIICHI_STAGE, probability, riichi_points(v.rows, 34), RIICHI_STICK + FREEDOM)
        value = max(value, with_riichi)
    v.rows.draws -= 1
    if action >= act.ADDED_KONG:  # it may be robbed
        danger, loss = deal_in(s, p, v, action - act.ADDED_KONG)
        value = loss + (1 - danger) * value
    return value


@kernel
def rate_kongs(tables, patterns, s, p, legal, v, q, values):
    """Fill in the worth of the kongs that are thought of; the best of them, or -1. The view must be filled."""
    best = -1
    for action in range(act.CLOSED_KONG, act.ADDED_KONG + 34):
        if not legal[action]:
            continue
        key = s.key[p]
        now = np.int64(shanten_keys(tables, key[0], key[1], key[2], key[3], s.melds[p]))
        if now > NEAR or (now > 0 and v.rows.riichis > 0):
            return -1
        values[action] = _value(tables, patterns, s, p, v, q, action)
        if v.rows.shanten[34] <= now and (best < 0 or values[action] > values[best]):
            best = action
    return best
