"""Suphx's rule-based winning model (2.1): take every win, but none that ends the game with us in the last place."""

import numpy as np

from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.riichi import actions as act
from suzaku.riichi.hands import in_melds
from suzaku.riichi.state import GAME_OVER, STATE, URA_INDICATORS
from suzaku.riichi.step import step
from suzaku.tiles import DORA_OF, KIND_OF

WINS = (act.WIN_DRAW, act.WIN_DISCARD)


@kernel
def _cover_ura(s, w, action):
    """Overwrite the hidden indicators of w: the first shows the kind the winner has most of, the others nothing."""
    p = s.seat
    best, most = 0, -1
    blank, least = 0, 99
    for kind in range(34):
        dora = DORA_OF[kind]
        n = s.hand[p, dora] + in_melds(s, p, dora)
        if action == act.WIN_DISCARD and KIND_OF[s.offer] == dora:
            n += 1
        if n > most:
            best, most = kind, n
        if n < least:
            blank, least = kind, n
    for place in URA_INDICATORS:
        w.wall[place] = blank
    w.wall[URA_INDICATORS[0]] = best


@kernel
def ends_last(tables, s, action, work):
    """Whether a win by the asked seat would end the game with it fourth; `work` is a STATE array of one.

    Plays the win and looks at the ranks, without what the seat cannot see: answers of others, and hidden indicators.
    After riichi these might help, so a win is vain only if it is so with one that fits the hand best.
    """
    if s.round_no < s.rules.rounds - 1:
        return False
    work[0] = s
    w = work[0]
    w.auto = 0
    w.claim[:] = act.PASS
    w.queue[:] = -1
    _cover_ura(s, w, action)
    step(tables, w, action)
    return w.phase == GAME_OVER and w.ranks[s.seat] == 3


@kernel
def _decline_vain(tables, records, actions, work):
    """Replace wins that end the game in the last place by -1."""
    for i in range(len(actions)):
        if actions[i] >= 0 and ends_last(tables, records[i], actions[i], work):
            actions[i] = -1


def wanted_wins(records: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """The win to declare on each table, or -1: int64[n]."""
    actions = np.full(len(records), -1, np.int64)
    for action in WINS:
        actions[legal[:, action]] = action
    _decline_vain(hand_tables(), records, actions, np.zeros(1, STATE))
    return actions
