"""The heuristic player: its own turn, its kongs, and its answers to the tiles of others.

- The `heuristic` player's answers to others' tiles: win, pong, chow or pass.
- The `heuristic` player's kongs of its own tiles: what the hand is worth after one.
- The `heuristic` player's own turn: win, kong, nine kinds, riichi or a discard.
- The `heuristic` player: rules and measured probabilities, no network. The yardstick for everything that learns.
"""

import numpy as np

from suzaku.agents.agent import Agent, Answers
from suzaku.agents.heuristic.action_value import (
    BEST,
    FREEDOM,
    PUSH,
    RIICHI_STICK,
    VIEW,
    deal_in,
    fill_view,
    not_winning,
    riichi_points,
    value_discards,
    value_pass,
    worth_after,
)
from suzaku.agents.heuristic.win_estimate import RIICHI_STAGE, rate_rows, stage_of, win_probability
from suzaku.agents.suphx import ends_last
from suzaku.hand.shanten import shanten_keys, shanten_parts
from suzaku.hand.tables import POW5
from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.lookahead.patterns import patterns as win_patterns
from suzaku.lookahead.search import fill_query
from suzaku.lookahead.state import SEARCH
from suzaku.riichi import actions as act
from suzaku.riichi.actions import ACTIONS
from suzaku.riichi.claims import barred_by_swap
from suzaku.riichi.deal import has
from suzaku.riichi.state import ADDED_KONG, CHOW, CLAIM, CLOSED_KONG, PONG, RIICHI_DISCARD, ROB, STATE
from suzaku.tiles import KIND_OF, RED


@kernel
def _used(action, kind):
    """The two kinds of the hand that a call uses, and the lowest kind of the meld."""
    if action >= act.PONG:
        return kind, kind, kind
    shape = (action - act.CHOW_LOW) % 3
    low = kind - shape
    return low + (1 if shape == 0 else 0), low + (1 if shape == 2 else 2), low


@kernel
def _shanten_after(tables, s, p, a, b):
    """Shanten after a call that uses these kinds, with the best discard."""
    keys = np.empty(4, np.int64)
    for suit in range(4):
        keys[suit] = s.key[p, suit]
    keys[a // 9] -= POW5[a % 9]
    keys[b // 9] -= POW5[b % 9]
    return shanten_keys(tables, keys[0], keys[1], keys[2], keys[3], s.melds[p] + 1)


@kernel
def _fill_query_after_call(s, p, action, kind, a, b, low, q):
    """Put the hand after a call into the query."""
    fill_query(s, p, 0, q)
    for used in (a, b):
        q.hand[used] -= 1
        q.key[used // 9] -= POW5[used % 9]
        q.meld_dora += q.dora[used]
    q.meld_dora += q.dora[kind]
    if s.offer >= RED:
        q.meld_dora += 1
    if action == act.PONG_RED or act.CHOW_LOW + act.CHOW_RED <= action < act.PONG:
        q.red[kind // 9] -= 1
        q.meld_dora += 1
    q.meld_type[q.melds] = PONG if action >= act.PONG else CHOW
    q.meld_tile[q.melds] = low
    q.melds += 1
    q.closed = 0


@kernel
def _best_after(s, v, q, barred):
    """The highest worth among the discards that a call leaves."""
    best = -1.0
    for kind in range(34):
        if q.hand[kind] > 0 and not has(barred, kind) and v.value[kind] > best:
            best = v.value[kind]
    return best


@kernel
def choose_claim(tables, patterns, s, legal, v, q, work, values):
    """Answer for a seat that is offered a tile, and fill in the worth of what was considered."""
    p = s.seat
    if legal[act.WIN_DISCARD] and not ends_last(tables, s, act.WIN_DISCARD, work):
        values[act.WIN_DISCARD] = BEST
        return act.WIN_DISCARD
    values[act.PASS] = BEST
    best = act.PASS
    if s.phase == ROB:
        return best
    kind = np.int64(KIND_OF[s.offer])
    ready = False
    for action in range(act.CHOW_LOW, act.PONG_RED + 1):
        if not legal[action]:
            continue
        a, b, low = _used(action, kind)
        if _shanten_after(tables, s, p, a, b) >= s.shanten[p]:
            continue
        if not ready:
            ready = True
            fill_view(s, p, v)
            values[act.PASS] = value_pass(tables, patterns, s, p, v, q)
        _fill_query_after_call(s, p, action, kind, a, b, low, q)
        value_discards(tables, patterns, s, p, v, q, False)
        shape = -1 if action >= act.PONG else (action - act.CHOW_LOW) % 3
        barred = np.uint64(0) if s.rules.swap_calling else barred_by_swap(kind, shape)
        values[action] = _best_after(s, v, q, barred)
        if values[action] > values[best]:
            best = action
    return best


# A kong brings a draw more and shows a new dora, for everybody. It is not thought of with a far hand, nor against
# riichi without waiting.

NEAR = 2  # shanten of the farthest hand that makes a kong
NEW_DORA = 1.2  # by this the points of every win grow on average with one more indicator


@kernel
def _fill_query_after_kong(s, p, action, q):
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
    _fill_query_after_kong(s, p, action, q)
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


@kernel
def _aborts(tables, s, p):
    """Whether to abort with nine kinds: unless thirteen orphans or another win is near."""
    key = s.key[p]
    normal, seven, thirteen = shanten_parts(tables, key[0], key[1], key[2], key[3], s.melds[p])
    return thirteen > 2 and min(normal, seven) > 2


@kernel
def spread_values(s, p, legal, v, values):
    """The worth of each discard action from the worth of its kind; a red five is thrown after a plain one."""
    by_kind = v.riichi_value if s.phase == RIICHI_DISCARD else v.value
    for action in range(act.DISCARD_DRAWN + 1):
        if not legal[action]:
            continue
        tile = s.drawn if action == act.DISCARD_DRAWN else action
        kind = KIND_OF[tile]
        value = by_kind[kind]
        if np.isnan(value):
            value = v.value[kind]
        if tile >= RED and s.hand[p, kind] > 1:
            value -= 0.01
        values[action] = value


@kernel
def choose_turn(tables, patterns, s, legal, v, q, work, values):
    """Answer for a seat that has drawn, called or declared riichi, and fill in the worth of what was considered."""
    p = s.seat
    if legal[act.WIN_DRAW] and not ends_last(tables, s, act.WIN_DRAW, work):
        values[act.WIN_DRAW] = BEST
        return act.WIN_DRAW
    if s.riichi[p]:
        kong = act.CLOSED_KONG + KIND_OF[s.drawn]  # legal only if it changes no wait
        action = kong if legal[kong] else act.DISCARD_DRAWN
        values[action] = BEST
        return action
    if legal[act.NINE_KINDS] and _aborts(tables, s, p):
        values[act.NINE_KINDS] = BEST
        return act.NINE_KINDS
    fill_view(s, p, v)
    fill_query(s, p, 0, q)
    value_discards(tables, patterns, s, p, v, q, legal[act.RIICHI] or s.phase == RIICHI_DISCARD)
    spread_values(s, p, legal, v, values)
    best = -1
    for action in range(act.DISCARD_DRAWN, -1, -1):
        if legal[action] and (best < 0 or values[action] > values[best]):
            best = action
    if legal[act.RIICHI]:
        for kind in range(34):
            value = v.riichi_value[kind]
            if not np.isnan(value) and not values[act.RIICHI] > value:
                values[act.RIICHI] = value
        if values[act.RIICHI] > values[best]:
            best = act.RIICHI
    kong = rate_kongs(tables, patterns, s, p, legal, v, q, values)
    return kong if kong >= 0 and values[kong] > values[best] else best


class HeuristicAgent(Agent):
    """Weighs the probability to win against the danger of every tile, by the places it leads to."""

    name = "heuristic"

    def __init__(self) -> None:
        self._view = np.zeros(1, VIEW)[0]
        self._query = np.zeros(1, SEARCH)[0]
        self._work = np.zeros(1, STATE)

    def act(self, records: np.ndarray, legal: np.ndarray, streams: np.ndarray | None = None) -> Answers:
        """The action of the highest worth; values are the share of opponents the seat expects to end ahead of."""
        actions = np.empty(len(records), np.int64)
        values = np.full((len(records), ACTIONS), np.nan, np.float32)
        choose_many(hand_tables(), win_patterns(), records, legal, self._view, self._query, self._work, actions, values)
        return Answers(actions, values=values)


@kernel
def choose_many(tables, patterns, records, legal, v, q, work, actions, values):
    """Answer for the asked seat of each table."""
    for i in range(records.shape[0]):
        s = records[i]
        if s.phase >= CLAIM:
            actions[i] = choose_claim(tables, patterns, s, legal[i], v, q, work, values[i])
        else:
            actions[i] = choose_turn(tables, patterns, s, legal[i], v, q, work, values[i])
        for action in range(values.shape[1]):
            if not np.isnan(values[i, action]):
                values[i, action] = min(1.0, max(0.0, values[i, action] / BEST))
