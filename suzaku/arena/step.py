"""Kernels of the match loop: carry out answers, count hands, and play on where there is no choice."""

import numpy as np

from suzaku.kernel import kernel
from suzaku.records.tally import HAND, count_hand
from suzaku.riichi import state as st
from suzaku.riichi.deal import deal_round, shuffle_wall
from suzaku.riichi.legal import fill_legal
from suzaku.riichi.settle import advance
from suzaku.riichi.step import step

HANDS = np.dtype([(name, "i4") for name in HAND])
ROOM = 256  # more actions than can follow without a choice


@kernel
def only_choice(legal):
    """The one legal action, or -1 if there are several."""
    found = -1
    for a in range(legal.shape[0]):
        if legal[a]:
            if found >= 0:
                return -1
            found = a
    return found


@kernel
def play_on(tables, records, actions, legal, seats, followed, hands, moves, moved, over):
    """Carry out the answers on all open tables and go on to the next real choice; how many games ended.

    `over` takes the tables whose game is over. A followed table takes one action at a time.
    """
    n = 0
    for i in range(records.shape[0]):
        if seats[i] < 0:
            continue
        s = records[i]
        action = actions[i]
        while action >= 0:
            moves[i, moved[i]] = action
            moved[i] += 1
            step(tables, s, action)
            if s.phase >= st.ROUND_OVER:
                for p in range(4):
                    count_hand(s, p, hands[i, p])
                if s.phase == st.GAME_OVER:
                    over[n] = i
                    n += 1
                    break
                advance(s)
                deal_round(tables, s)
            fill_legal(tables, s, legal[i])
            action = -1 if followed[i] else only_choice(legal[i])
        seats[i] = s.seat
    return n


@kernel
def walls_of(s, out):
    """The walls of the game that stands in the record, one for each row of `out`."""
    for deal in range(out.shape[0]):
        s.deal = deal
        shuffle_wall(s)
        out[deal] = s.wall
