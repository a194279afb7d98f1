"""What several tests of the engine look at."""

import numpy as np
import pytest

from suzaku.hand.tables import tables as hand_tables
from suzaku.riichi import ACTIONS, STATE
from suzaku.riichi import state as st
from tests.riichi.soak import collect, new_tables


@pytest.fixture(scope="session")
def scattered() -> np.ndarray:
    """Many tables of every phase, in all sorts of situations: one row a phase."""
    out = np.zeros((st.ROUND_OVER, 24), STATE)
    collect(hand_tables(), new_tables(1, 3)[0], np.zeros(ACTIONS, np.bool_), out, np.uint64(3))
    more = np.zeros((st.ROB, 4000), STATE)
    collect(hand_tables(), new_tables(1, 4)[0], np.zeros(ACTIONS, np.bool_), more, np.uint64(4))
    return np.concatenate([out.ravel(), more.ravel()])
