"""A stored game, round by round, with the table before every action."""

from dataclasses import dataclass

import numpy as np

from suzaku.choices import AWAY
from suzaku.game import game_named
from suzaku.records.replay import illegal, new_table
from suzaku.records.stored import Stored


@dataclass
class Round:
    """One round: the table before every action and after the last one."""

    records: np.ndarray  # the game's record [n + 1]
    legal: np.ndarray  # bool[n, actions]
    actions: np.ndarray  # int64[n]
    away: np.ndarray  # bool[n]: an agent played for a person who did not answer


def rounds_of(stored: Stored) -> list[Round]:
    """The rounds of a game. RecordError if an action of it is not legal."""
    game = game_named(stored.game)
    array = new_table(stored)
    s = array[0]
    rounds: list[Round] = []
    records: list[np.ndarray] = []
    legal: list[np.ndarray] = []
    actions: list[int] = []
    game.deal_stored(game.tables(), s, stored.walls)

    def finish() -> None:
        played = np.array(actions, np.int64)
        masks = np.array(legal, np.bool_).reshape(-1, game.actions)
        rounds.append(
            Round(np.concatenate([*records, array], dtype=array.dtype), masks, played & (AWAY - 1), played >= AWAY)
        )

    for action in stored.actions:
        if s.seat < 0:
            finish()
            records, legal, actions = [], [], []
            deal = int(s.deal)
            if not game.deal_stored(game.tables(), s, stored.walls) or s.deal == deal:
                return rounds
        mask = np.zeros(game.actions, np.bool_)
        game.legal(game.tables(), s, mask)
        taken = int(action) & (AWAY - 1)
        if taken >= game.actions or not (mask[taken] or 0 <= game.fouls <= taken):
            raise illegal(stored)
        records.append(array.copy())
        legal.append(mask)
        actions.append(int(action))
        game.step(game.tables(), s, taken)
    finish()
    return rounds
