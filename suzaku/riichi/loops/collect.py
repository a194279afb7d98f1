"""The kernel that replays a game and keeps the decisions."""

import numpy as np

from suzaku.choices import AWAY, EVERYONE
from suzaku.kernel import kernel
from suzaku.riichi.actions import ACTIONS
from suzaku.riichi.decision_types import types_of
from suzaku.riichi.loops.replay import stored_action
from suzaku.riichi.state import ROUND_OVER
from suzaku.riichi.step import step

LOSS = 1500  # Gao et al. do not learn from a round in which the player they follow loses more


@kernel
def collect(tables, s, walls, actions, mask, follow, records, legal, taken, types, at):
    """Write the decisions of the types in `mask` to the rows of the arrays; how many, or -1 if an action is not legal.

    `follow` is EVERYONE, or any number: its bits say whom to follow in each round, and rounds that lose this player
    much are left out. `at` takes the number of the action. Arrays that are too short take the first decisions.
    """
    n = 0
    kept = 0  # decisions of the rounds before
    followed = -1
    score = 0
    here = np.zeros(ACTIONS, np.bool_)
    for i in range(actions.shape[0]):
        action = stored_action(tables, s, walls, actions[i], here)
        if action < 0:
            return -1
        if follow != EVERYONE and followed < 0:
            followed = (follow >> (2 * (s.deal % 31))) & 3
            score = s.scores[followed]
        if actions[i] < AWAY and n < records.shape[0] and (follow == EVERYONE or s.seat == followed):
            found = types_of(here, action) & mask
            if found:
                records[n] = s
                for a in range(ACTIONS):
                    legal[n, a] = here[a]
                taken[n] = action
                types[n] = found
                at[n] = i
                n += 1
        step(tables, s, action)
        if followed >= 0 and s.phase >= ROUND_OVER:
            if s.scores[followed] < score - LOSS:
                n = kept
            kept = n
            followed = -1
    return n
