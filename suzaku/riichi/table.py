"""Tables of Riichi: many for programs, one for people, and the walls given from outside."""

from collections.abc import Iterable

import numpy as np

from suzaku import tiles
from suzaku.riichi.game import GAME
from suzaku.riichi.rules import Rules, final_points
from suzaku.riichi.state import WALL
from suzaku.table.table import OneTable, Wall
from suzaku.table.tables import ManyTables

random_rollouts, resample_hidden = GAME.rollouts, GAME.redraw


class Tables(ManyTables):
    """Many tables of Riichi."""

    game = GAME


class Table(OneTable):
    """A game of Riichi, one decision at a time.

    `table.seat` is asked; `table.legal_actions()` lists what it may do; `table.act(...)` does it. At the end of a round
    the table stops (`round_over`) so that the settlement can be looked at; `next_round()` goes on.
    """

    game = GAME
    rules: Rules

    @classmethod
    def deal(cls, walls: Iterable[Wall], rules: Rules | None = None, length: str | None = None) -> "Table":
        """A table that plays the given walls, one a round: 136 tiles each, as numbers 0..36 or as text.

        A wall is drawn from its end (see `docs/rules.md`); a game that outlasts its walls cannot deal another round.
        """
        table = cls._with_walls(walls, rules, length)
        table._place_wall()
        return table

    def _check_wall(self, wall: Wall) -> np.ndarray:
        return _check_wall(wall, self.rules)

    @property
    def points(self) -> list[float]:
        """The final points of the four seats in thousands, uma included, once the game is over."""
        ranks = np.array(self.ranks) - 1
        return [round(float(p), 1) for p in final_points(self.rules, self.record.scores, ranks)]


def _check_wall(wall: Wall, rules: Rules) -> np.ndarray:
    """The wall as an array, or a ValueError that says why it cannot be one."""
    if np.ndim(wall) == 0 and not isinstance(wall, str):
        raise ValueError(f"a wall is 136 tiles or a text, not {wall!r}: for one wall, give [wall]")
    numbers = tiles.parse(wall) if isinstance(wall, str) else [int(tile) for tile in wall]
    if len(numbers) != WALL:
        raise ValueError(f"a wall has 136 tiles, not {len(numbers)}")
    if not all(0 <= tile < tiles.TILES for tile in numbers):
        raise ValueError("a wall holds tiles 0..36 only")
    found = np.bincount(numbers, minlength=tiles.TILES)
    expected = np.bincount(tiles.full_set(rules.red_fives), minlength=tiles.TILES)
    for tile in np.flatnonzero(found != expected):
        raise ValueError(f"the wall has {found[tile]} of {tiles.NAMES[tile]} where the rules have {expected[tile]}")
    return np.array(numbers, np.int8)
