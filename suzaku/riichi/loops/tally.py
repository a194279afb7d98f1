"""The kernels behind `suzaku data stats`: they replay a game and count."""

import numpy as np

from suzaku.kernel import kernel
from suzaku.riichi.actions import ACTIONS
from suzaku.riichi.decision_types import types_of
from suzaku.riichi.engine import ENGINE
from suzaku.riichi.hand_counts import HAND, count_hand
from suzaku.riichi.loops.replay import stored_action
from suzaku.table.loops import tally_kernel

TYPES = 7  # of decisions
TALLY = np.dtype(
    [
        ("rounds", "i8"),
        ("actions", "i8"),  # all answers to the engine's questions, forced ones included
        ("away", "i8"),  # of these, for a player who was away
        ("decisions", "i8", (TYPES,)),  # questions with a choice, by the bits of `decision_types.py`
        ("taken", "i8", (ACTIONS,)),  # how often each action was taken
        ("results", "i8", (10,)),  # rounds by result
        ("yaku", "i8", (52,)),  # wins by yaku
        ("points", "i8", (64,)),  # wins by points in thousands, the last for all above
        *((name, "i8") for name in HAND),
    ]
)


@kernel
def _count_round(s, out):
    out.rounds += 1
    out.results[s.result] += 1
    for p in range(4):
        count_hand(s, p, out)
    for i in range(s.wins):
        out.points[min(63, s.win_points[i] // 1000)] += 1
        for yaku in range(52):
            out.yaku[yaku] += np.int64((s.win_yaku[i] >> np.uint64(yaku)) & np.uint64(1))


tally = tally_kernel(ENGINE, stored_action, types_of, TYPES, ACTIONS, _count_round, __name__)
