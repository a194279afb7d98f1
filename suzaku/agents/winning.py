"""Suphx's rule-based winning model (2.1): take every win, but none that ends the game with us in the last place."""

import numpy as np

from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.riichi import actions as act
from suzaku.riichi.state import GAME_OVER, ROUND_OVER, STATE, URA_INDICATORS
from suzaku.riichi.step import step
from suzaku.tiles import DORA_OF

WINS = (act.WIN_DRAW, act.WIN_DISCARD)


@kernel
def _ends_last(tables, s, work, action):
    """Whether a win now would end the game with the winner fourth; hidden indicators are taken to bring nothing."""
    seat = s.seat
    work[0] = s
    w = work[0]
    w.auto = 0
    blank = 0
    for kind in range(34):
        dora = DORA_OF[kind]
        held = s.hand[seat, dora] > 0 or (action == act.WIN_DISCARD and s.offer == dora)
        for i in range(s.melds[seat]):
            held = held or (s.meld_tile[seat, i] <= dora <= s.meld_tile[seat, i] + 2)
        if not held:
            blank = kind
            break
    for place in URA_INDICATORS:
        w.wall[place] = blank
    step(tables, w, action)
    while w.phase < ROUND_OVER:
        step(tables, w, act.PASS)  # others who may win as well
    return w.phase == GAME_OVER and w.ranks[seat] == 3


def wanted_wins(records: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """The win to declare on each table, or -1: int64[n]."""
    actions = np.full(len(records), -1, np.int64)
    for action in WINS:
        actions[legal[:, action]] = action
    last = records["round_no"] >= records["rules"]["rounds"] - 1
    work = np.zeros(1, STATE)
    for i in np.flatnonzero((actions >= 0) & last):
        if _ends_last(hand_tables(), records[i], work, actions[i]):
            actions[i] = -1
    return actions
