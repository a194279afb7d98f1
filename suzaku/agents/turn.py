"""The `heuristic` player's own turn: win, kong, nine kinds, riichi or a discard."""

import numpy as np

from suzaku.agents.judge import fill_view, judge_hand
from suzaku.agents.last_win import is_vain
from suzaku.hand.shanten import shanten_keys, shanten_parts
from suzaku.hand.tables import POW5
from suzaku.kernel import kernel
from suzaku.lookahead.search import ask
from suzaku.riichi import actions as act
from suzaku.riichi.state import RIICHI_DISCARD
from suzaku.tiles import KIND_OF, RED


@kernel
def _find_kong(tables, s, p, legal, riichis):
    """A kong that costs nothing: the hand comes no farther from a win, and nobody in riichi gains by a new dora."""
    key = s.key[p]
    now = shanten_keys(tables, key[0], key[1], key[2], key[3], s.melds[p])
    if now > 0 and (riichis > 0 or now > 2):
        return -1
    keys = np.empty(4, np.int64)
    for kind in range(34):
        closed = legal[act.CLOSED_KONG + kind]
        if not closed and not legal[act.ADDED_KONG + kind]:
            continue
        for suit in range(4):
            keys[suit] = key[suit]
        keys[kind // 9] -= (4 if closed else 1) * POW5[kind % 9]
        melds = s.melds[p] + (1 if closed else 0)
        if shanten_keys(tables, keys[0], keys[1], keys[2], keys[3], melds) <= now:
            return act.CLOSED_KONG + kind if closed else act.ADDED_KONG + kind
    return -1


@kernel
def _aborts(tables, s, p):
    """Whether to abort with nine kinds: unless thirteen orphans or another win is near."""
    key = s.key[p]
    normal, seven, thirteen = shanten_parts(tables, key[0], key[1], key[2], key[3], s.melds[p])
    return thirteen > 2 and min(normal, seven) > 2


@kernel
def spread_values(s, p, legal, v, scores):
    """The worth of each discard action from the worth of its kind; a red five is thrown after a plain one."""
    values = v.riichi_value if s.phase == RIICHI_DISCARD else v.value
    for action in range(act.DISCARD_DRAWN + 1):
        if not legal[action]:
            continue
        tile = s.drawn if action == act.DISCARD_DRAWN else action
        kind = KIND_OF[tile]
        value = values[kind]
        if np.isnan(value):
            value = v.value[kind]
        if tile >= RED and s.hand[p, kind] > 1:
            value -= 0.01
        scores[action] = value


@kernel
def choose_turn(tables, patterns, s, legal, v, q, scores):
    """Answer for a seat that has drawn, called or declared riichi, and fill in the worth of what was considered."""
    p = s.seat
    if legal[act.WIN_DRAW] and not is_vain(tables, s, p, True):
        scores[act.WIN_DRAW] = 3
        return act.WIN_DRAW
    if s.riichi[p]:
        kong = _find_kong(tables, s, p, legal, 0)
        action = kong if kong >= 0 else act.DISCARD_DRAWN
        scores[action] = 3
        return action
    if legal[act.NINE_KINDS] and _aborts(tables, s, p):
        scores[act.NINE_KINDS] = 3
        return act.NINE_KINDS
    fill_view(s, p, v)
    ask(s, p, 0, q)
    judge_hand(tables, patterns, s, p, v, q, legal[act.RIICHI] or s.phase == RIICHI_DISCARD)
    spread_values(s, p, legal, v, scores)
    best = -1
    for action in range(act.DISCARD_DRAWN, -1, -1):
        if legal[action] and (best < 0 or scores[action] > scores[best]):
            best = action
    if legal[act.RIICHI]:
        for kind in range(34):
            value = v.riichi_value[kind]
            if not np.isnan(value) and not scores[act.RIICHI] > value:
                scores[act.RIICHI] = value
        if scores[act.RIICHI] > scores[best]:
            best = act.RIICHI
    kong = _find_kong(tables, s, p, legal, v.rows.riichis)
    if kong >= 0 and best != act.RIICHI:
        scores[kong] = scores[best]
        best = kong
    return best
