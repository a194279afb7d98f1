"""Replaying a stored game: the table at its start, and after any number of its actions."""

import numpy as np

from suzaku.game import game_named
from suzaku.records.stored import Stored


def new_table(stored: Stored) -> np.ndarray:
    """The table record at the start of the game, before the first wall is placed (an array of one)."""
    return game_named(stored.game).new_table(stored.rules, stored.start)


def table_after(stored: Stored, actions: int) -> np.ndarray:
    """The table record after the first actions (an array of one); the next round is dealt if one is over."""
    game = game_named(stored.game)
    array = new_table(stored)
    legal = np.zeros(game.actions, np.bool_)
    game.replay(game.tables(), array[0], stored.walls, stored.actions[:actions], legal, False)
    game.deal_stored(game.tables(), array[0], stored.walls)
    return array
