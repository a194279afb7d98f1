"""The `heuristic` player's answers to others' tiles: win, pong, chow or pass."""

import numpy as np

from suzaku.agents.heuristic.action_value import fill_view, value_discards, value_pass
from suzaku.agents.heuristic.placement import BEST
from suzaku.agents.winning import ends_last
from suzaku.hand.shanten import shanten_keys
from suzaku.hand.tables import POW5
from suzaku.kernel import kernel
from suzaku.lookahead.search import fill_query
from suzaku.riichi import actions as act
from suzaku.riichi.claims import barred_by_swap
from suzaku.riichi.hands import has
from suzaku.riichi.state import CHOW, PONG, ROB
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
def _fill_query_after(s, p, action, kind, a, b, low, q):
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
        _fill_query_after(s, p, action, kind, a, b, low, q)
        value_discards(tables, patterns, s, p, v, q, False)
        shape = -1 if action >= act.PONG else (action - act.CHOW_LOW) % 3
        barred = np.uint64(0) if s.rules.swap_calling else barred_by_swap(kind, shape)
        values[action] = _best_after(s, v, q, barred)
        if values[action] > values[best]:
            best = action
    return best
