"""The kernels behind `suzaku data stats`: they replay a game and count."""

import numpy as np

from suzaku.choices import AWAY
from suzaku.kernel import kernel
from suzaku.mcr import state as st
from suzaku.mcr.actions import ACTIONS, FOUL
from suzaku.mcr.decision_types import types_of
from suzaku.mcr.fans import FANS
from suzaku.mcr.hand_counts import HAND, count_hand
from suzaku.mcr.loops.replay import stored_action
from suzaku.mcr.step import step

TALLY = np.dtype(
    [
        ("rounds", "i8"),
        ("actions", "i8"),  # all answers to the engine's questions, forced ones included
        ("away", "i8"),  # of these, for a player who was away
        ("decisions", "i8", (5,)),  # questions with a choice, by the bits of `decision_types.py`
        ("taken", "i8", (ACTIONS,)),  # how often each action was taken
        ("results", "i8", (len(st.RESULT_NAMES),)),  # hands by result
        ("points", "i8", (64,)),  # wins by fan, the last for all above
        ("fans", "i8", (len(FANS),)),  # wins by fan
        *((name, "i8") for name in HAND),
    ]
)


@kernel
def _count_round(s, out):
    out.rounds += 1
    out.results[s.result] += 1
    for p in range(4):
        count_hand(s, p, out)
    if s.wins > 0:
        out.points[min(63, s.win_fan + s.win_flowers)] += 1


@kernel
def tally(tables, s, walls, actions, legal, out):
    """Replay a game and add it to the counts; whether all its actions are legal."""
    for i in range(actions.shape[0]):
        action = stored_action(tables, s, walls, actions[i], legal)
        if action < 0:
            return False
        out.actions += 1
        if actions[i] >= AWAY:
            out.away += 1
        elif action < FOUL:
            types = types_of(legal, action)
            for bit in range(5):
                out.decisions[bit] += (types >> bit) & 1
            out.taken[action] += 1
        step(tables, s, action)
        if s.phase >= st.ROUND_OVER:
            _count_round(s, out)
    return True
