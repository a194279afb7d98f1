"""Replaying a stored game: the table at its start, and after any number of its actions."""

import numpy as np

from suzaku.choices import AWAY
from suzaku.game import game_named
from suzaku.records.game import RecordError
from suzaku.records.stored import Stored


def new_table(stored: Stored) -> np.ndarray:
    """The table record at the start of the game, before the first wall is placed (an array of one)."""
    return game_named(stored.game).new_table(stored.rules, stored.start)


def illegal(stored: Stored) -> RecordError:
    """The error for a game in which the rules stop at an action: which, of whom, and what was legal."""
    game = game_named(stored.game)
    array = new_table(stored)
    s, legal = array[0], np.zeros(game.actions, np.bool_)
    done = int(game.replay(game.tables(), s, stored.walls, stored.actions, legal, True))
    where = f"game {stored.id}: action {done + 1} of {len(stored.actions)}"
    if s.seat < 0 or done == len(stored.actions):
        return RecordError(
            f"game {stored.id}: its {len(stored.actions)} actions do not fit its {len(stored.walls)} walls"
        )
    action = int(stored.actions[done]) & (AWAY - 1)
    name = game.action_names[action] if action < game.actions else f"number {action}"
    could = ", ".join(game.action_names[i] for i in np.flatnonzero(legal))
    return RecordError(f"{where}, {name}, is not legal for seat {int(s.seat)}; legal: {could}")


def table_after(stored: Stored, actions: int) -> np.ndarray:
    """The table record after the first actions (an array of one); the next round is dealt if one is over."""
    game = game_named(stored.game)
    array = new_table(stored)
    legal = np.zeros(game.actions, np.bool_)
    game.replay(game.tables(), array[0], stored.walls, stored.actions[:actions], legal, False)
    game.deal_stored(game.tables(), array[0], stored.walls)
    return array
