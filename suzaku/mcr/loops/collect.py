"""The kernel that replays a game and keeps the decisions."""

import numpy as np

from suzaku.choices import AWAY, EVERYONE
from suzaku.kernel import kernel
from suzaku.mcr.actions import ACTIONS, FOUL
from suzaku.mcr.decision_types import types_of
from suzaku.mcr.loops.replay import stored_action
from suzaku.mcr.step import step


@kernel
def collect(tables, s, walls, actions, mask, follow, records, legal, taken, types, at):
    """Write the decisions of the types in `mask` to the rows of the arrays; how many, or -1 if an action is not legal.

    `follow` is EVERYONE, or any number: its bits say whom to follow in each hand. `at` takes the number of the action.
    Arrays that are too short take the first decisions. A foul is no decision.
    """
    n = 0
    here = np.zeros(ACTIONS, np.bool_)
    for i in range(actions.shape[0]):
        action = stored_action(tables, s, walls, actions[i], here)
        if action < 0:
            return -1
        followed = follow == EVERYONE or s.seat == (follow >> (2 * (s.deal % 31))) & 3
        if action < FOUL and actions[i] < AWAY and n < records.shape[0] and followed:
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
    return n
