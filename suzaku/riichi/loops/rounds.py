"""The kernel that replays a game and keeps how it stood between its rounds."""

import numpy as np

from suzaku.kernel import kernel
from suzaku.riichi import state as st
from suzaku.riichi.actions import ACTIONS
from suzaku.riichi.loops.replay import stored_action
from suzaku.riichi.settle import advance
from suzaku.riichi.step import step

SITUATION = np.dtype(
    [
        ("round_no", "i4"),  # of the round that comes next, 0 = east 1
        ("dealer", "i4"),  # of that round
        ("honba", "i4"),  # it is played with
        ("sticks", "i4"),  # on the table before it
        ("scores", "i4", (4,)),
    ]
)


@kernel
def _write(s, row):
    row.round_no = s.round_no
    row.dealer = s.dealer
    row.honba = s.honba
    row.sticks = s.sticks
    for p in range(4):
        row.scores[p] = s.scores[p]


@kernel
def situations(tables, s, walls, actions, out):
    """Write how a game stood before its first round and after each that was played to its end; how many rows.

    After the last round of a game the counters are those the next one would have had. -1 if an action is not legal;
    `out` needs a row more than there are walls.
    """
    legal = np.zeros(ACTIONS, np.bool_)
    _write(s, out[0])
    n = 1
    for i in range(actions.shape[0]):
        action = stored_action(tables, s, walls, actions[i], legal)
        if action < 0:
            return -1
        step(tables, s, action)
        if s.phase >= st.ROUND_OVER:
            round_no, dealer, honba = s.round_no, s.dealer, s.honba
            advance(s)
            _write(s, out[n])
            s.round_no, s.dealer, s.honba = round_no, dealer, honba  # the next deal advances them itself
            n += 1
    return n
