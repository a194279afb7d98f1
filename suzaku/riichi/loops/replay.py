"""Playing stored walls and actions."""

from collections.abc import Sequence

import numpy as np

from suzaku.choices import AWAY
from suzaku.kernel import kernel
from suzaku.riichi import state as st
from suzaku.riichi.actions import ACTIONS
from suzaku.riichi.deal import start_game, start_round
from suzaku.riichi.legal import fill_legal
from suzaku.riichi.rules import Rules
from suzaku.riichi.settle import advance
from suzaku.riichi.step import step


def new_table(rules: Rules, start: Sequence[int] | None = None) -> np.ndarray:
    """An array of one record before its first wall is placed; `start` is round, honba, sticks and four scores."""
    array = np.zeros(1, st.STATE)
    array["rules"] = rules.to_record()
    s = array[0]
    start_game(s, np.uint64(0), 0)
    if start is not None:
        s.round_no, s.honba, s.sticks = start[:3]
        s.dealer = start[0] % 4
        s.scores[:] = start[3:]
    return array


@kernel
def place_round(s, wall):
    """Put the wall of the next round; the counters go on by the rules unless no round was played yet."""
    if s.deal > 0:
        advance(s)
    s.deal += 1
    for i in range(136):
        s.wall[i] = wall[i]


@kernel
def deal_stored(tables, s, walls):
    """Deal the next stored round if none is being played; whether the table asks somebody now."""
    if s.deal == 0 or (s.phase == st.ROUND_OVER and s.deal < walls.shape[0]):
        place_round(s, walls[s.deal])
        start_round(tables, s)
    return s.phase < st.ROUND_OVER


@kernel
def stored_action(tables, s, walls, stored, legal):
    """The next stored action, without its mark, with the legal ones in `legal`; -1 if it is none of them."""
    action = np.int64(stored) & (AWAY - 1)
    between = s.deal == 0 or s.phase >= st.ROUND_OVER  # asked here: a call for every action costs a fifth of the speed
    if between and not deal_stored(tables, s, walls):
        return np.int64(-1)
    fill_legal(tables, s, legal)
    return action if action < ACTIONS and legal[action] else np.int64(-1)


@kernel
def replay(tables, s, walls, actions, legal, check):
    """Play stored rounds from the start that stands in `s`: how many actions were carried out.

    With `check`, stops at the first action that is not legal.
    """
    for i in range(actions.shape[0]):
        if check:
            action = stored_action(tables, s, walls, actions[i], legal)
            if action < 0:
                return i
        else:
            if not deal_stored(tables, s, walls):
                return i
            action = np.int64(actions[i]) & (AWAY - 1)
        step(tables, s, action)
    return actions.shape[0]
