"""The kernels behind `suzaku data stats`: they replay a game and count."""

import numpy as np

from suzaku.kernel import kernel
from suzaku.mcr import state as st
from suzaku.mcr.actions import ACTIONS, FOUL
from suzaku.mcr.decision_types import types_of
from suzaku.mcr.engine import ENGINE
from suzaku.mcr.fans import FANS
from suzaku.mcr.hand_counts import HAND, count_hand
from suzaku.mcr.loops.replay import stored_action
from suzaku.table.loops import tally_kernel

TYPES = 5  # of decisions
TALLY = np.dtype(
    [
        ("rounds", "i8"),
        ("actions", "i8"),  # all answers to the engine's questions, forced ones included
        ("away", "i8"),  # of these, for a player who was away
        ("decisions", "i8", (TYPES,)),  # questions with a choice, by the bits of `decision_types.py`
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


tally = tally_kernel(ENGINE, stored_action, types_of, TYPES, FOUL, _count_round, __name__)
