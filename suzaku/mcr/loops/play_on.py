"""Kernels of the match loop: carry out answers, count hands, and play on where there is no choice."""

import numpy as np

from suzaku.choices import only_choice
from suzaku.kernel import kernel
from suzaku.mcr import state as st
from suzaku.mcr.deal import deal_round, shuffle_wall, start_game
from suzaku.mcr.hand_counts import count_hand
from suzaku.mcr.legal import fill_legal
from suzaku.mcr.loops.replay import new_table
from suzaku.mcr.rules import Rules
from suzaku.mcr.settle import advance
from suzaku.mcr.step import step
from suzaku.seeds import read_seed


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
def _fill_walls(s, out):
    for deal in range(out.shape[0]):
        s.deal = deal
        shuffle_wall(s)
        out[deal] = s.wall


def walls_of(rules: Rules, seed: int, game: int, count: int) -> np.ndarray:
    """int8[count, 144]: the first walls of a game, which follow from the seed and its number."""
    table = new_table(rules)
    start_game(table[0], read_seed(seed), game)
    walls = np.zeros((count, st.WALL), np.int8)
    _fill_walls(table[0], walls)
    return walls


def start_of(rules: Rules, seed: int, game: int) -> list[int]:
    """Where a game begins, as a store keeps it: the number of its first hand and four scores."""
    table = new_table(rules)
    start_game(table[0], read_seed(seed), game)
    return [int(table[0].hand_no), *table[0].scores.tolist()]
