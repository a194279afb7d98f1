"""Many tables at once: one array of records, one compiled call a step."""

import numpy as np

from suzaku.hand.tables import tables as hand_tables
from suzaku.riichi import batch
from suzaku.riichi.engine import ENGINE
from suzaku.riichi.state import STATE
from suzaku.riichi.tenpai_hands import WORK
from suzaku.seeds import read_seed
from suzaku.table.hidden import check_rollouts
from suzaku.table.tables import ManyTables


class Tables(ManyTables):
    """Many tables of Riichi."""

    engine, batch = ENGINE, batch.BATCH


def random_rollouts(record: np.record, seat: int, n: int, rng: np.random.Generator | int = 0) -> np.ndarray:
    """Redraw what `seat` cannot see and play at random to the end of the round, n times: int32[n, 4] score changes."""
    check_rollouts(record, seat, n, STATE)
    deltas = np.zeros((n, 4), np.int32)
    work, sums, legal = np.zeros(1, STATE), np.zeros(1, WORK)[0], np.zeros(ENGINE.actions, np.bool_)
    batch.rollout_many(hand_tables(), record, seat, read_seed(rng), work, sums, legal, deltas)
    return deltas
