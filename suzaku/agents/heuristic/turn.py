"""The `heuristic` player's own turn: win, kong, nine kinds, riichi or a discard."""

import numpy as np

from suzaku.agents.heuristic.action_value import fill_view, value_discards
from suzaku.agents.heuristic.kong import rate_kongs
from suzaku.agents.heuristic.placement import BEST
from suzaku.agents.winning import ends_last
from suzaku.hand.shanten import shanten_parts
from suzaku.kernel import kernel
from suzaku.lookahead.search import fill_query
from suzaku.riichi import actions as act
from suzaku.riichi.state import RIICHI_DISCARD
from suzaku.tiles import KIND_OF, RED


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
