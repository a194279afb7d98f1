"""Playing stored walls and actions."""

from collections.abc import Sequence

import numpy as np

from suzaku.choices import AWAY
from suzaku.kernel import kernel
from suzaku.mcr import state as st
from suzaku.mcr.actions import ACTIONS, FOUL
from suzaku.mcr.deal import start_game, start_round
from suzaku.mcr.legal import fill_legal
from suzaku.mcr.rules import Rules
from suzaku.mcr.settle import advance
from suzaku.mcr.step import step


def new_table(rules: Rules, start: Sequence[int] | None = None) -> np.ndarray:
    """An array of one record before its first wall is placed; `start` is the number of the hand and four scores."""
    array = np.zeros(1, st.STATE)
    array["rules"] = rules.to_record()
    s = array[0]
    start_game(s, np.uint64(0), 0)
    s.hand_no = 0
    if start is not None:
        s.hand_no = start[0]
        s.scores[:] = start[1:]
    return array


@kernel
def deal_stored(tables, s, walls):
    """Deal the next stored hand if none is being played; whether the table asks somebody now."""
    if s.deal == 0 or (s.phase == st.ROUND_OVER and s.deal < walls.shape[0]):
        if s.deal > 0:
            advance(s)
        for i in range(st.WALL):
            s.wall[i] = walls[s.deal, i]
        s.deal += 1
        start_round(tables, s)
    return s.phase < st.ROUND_OVER


@kernel
def stored_action(tables, s, walls, stored, legal):
    """The next stored action, without its mark, with the legal ones in `legal`; -1 if it is none of them.

    A foul is no legal action, but what a record may hold.
    """
    action = np.int64(stored) & (AWAY - 1)
    between = s.deal == 0 or s.phase >= st.ROUND_OVER
    if between and not deal_stored(tables, s, walls):
        return np.int64(-1)
    fill_legal(tables, s, legal)
    return action if action < ACTIONS and (legal[action] or action >= FOUL) else np.int64(-1)


@kernel
def replay(tables, s, walls, actions, legal, check):
    """Play stored hands from the start that stands in `s`: how many actions were carried out.

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
