"""The match loop over tables, and the walls of a game."""

import numpy as np

from suzaku.riichi.engine import ENGINE
from suzaku.riichi.hand_counts import count_hand
from suzaku.riichi.loops.replay import new_table
from suzaku.riichi.rules import Rules
from suzaku.seeds import read_seed
from suzaku.table.loops import fill_walls_kernel, play_on_kernel

play_on = play_on_kernel(ENGINE, count_hand, __name__)
fill_walls = fill_walls_kernel(ENGINE, __name__)


def walls_of(rules: Rules, seed: int, game: int, count: int) -> np.ndarray:
    """int8[count, 136]: the first walls of a game, which follow from the seed and its number."""
    table = new_table(rules)
    ENGINE.start_game(table[0], read_seed(seed), game)
    walls = np.zeros((count, ENGINE.wall), np.int8)
    fill_walls(table[0], walls)
    return walls
