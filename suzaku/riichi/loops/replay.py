"""Playing stored walls and actions."""

from collections.abc import Sequence

import numpy as np

from suzaku.riichi.engine import ENGINE
from suzaku.riichi.rules import Rules
from suzaku.table.loops import stored_kernels

place_round, deal_stored, stored_action, replay = stored_kernels(ENGINE, __name__, never_legal=ENGINE.actions)


def new_table(rules: Rules, start: Sequence[int] | None = None) -> np.ndarray:
    """An array of one record before its first wall is placed; `start` is round, honba, sticks and four scores."""
    array = np.zeros(1, ENGINE.state)
    array["rules"] = rules.to_record()
    s = array[0]
    ENGINE.start_game(s, np.uint64(0), 0)
    if start is not None:
        s.round_no, s.honba, s.sticks = start[:3]
        s.dealer = start[0] % 4
        s.scores[:] = start[3:]
    return array
