"""Playing stored walls and actions."""

from collections.abc import Sequence

import numpy as np

from suzaku.mcr.actions import FOUL
from suzaku.mcr.engine import ENGINE
from suzaku.mcr.rules import Rules
from suzaku.table.loops import stored_kernels

place_round, deal_stored, stored_action, replay = stored_kernels(ENGINE, __name__, never_legal=FOUL)


def new_table(rules: Rules, start: Sequence[int] | None = None) -> np.ndarray:
    """An array of one record before its first wall is placed; `start` is the number of the hand and four scores."""
    array = np.zeros(1, ENGINE.state)
    array["rules"] = rules.to_record()
    s = array[0]
    ENGINE.start_game(s, np.uint64(0), 0)
    s.hand_no = 0
    if start is not None:
        s.hand_no = start[0]
        s.scores[:] = start[1:]
    return array
