"""How stored games stood between their rounds."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from suzaku.hand.tables import tables
from suzaku.records.game import RecordError
from suzaku.records.replay import illegal
from suzaku.records.stored import Stored
from suzaku.riichi.loops.replay import new_table
from suzaku.riichi.loops.rounds import SITUATION, situations


def round_tables(games: Iterable[Stored]) -> list[np.ndarray]:
    """SITUATION[k + 1] of each game of Riichi: before its first round, then after each of k rounds.

    Row j has the scores after j rounds, and round, dealer, honba and sticks that the next one is played with. A round
    that the record breaks off counts as not played.
    """
    starts: dict[tuple[Any, ...], np.ndarray] = {}
    found = []
    for stored in games:
        if stored.game != "riichi":
            raise RecordError(f"game {stored.id} is of {stored.game}: rounds are counted of games of riichi alone")
        key = (stored.rules, *(stored.start or ()))
        if key not in starts:
            starts[key] = new_table(stored.rules, stored.start)
        table = starts[key].copy()
        rows = np.zeros(len(stored.walls) + 1, SITUATION)
        count = situations(tables(), table[0], stored.walls, stored.actions, rows.view(np.recarray))
        if count < 0:
            raise illegal(stored)
        found.append(rows[:count])
    return found


def round_table(stored: Stored) -> np.ndarray:
    """The same of one game."""
    return round_tables([stored])[0]
