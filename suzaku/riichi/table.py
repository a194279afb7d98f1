"""One table for people: the same record and kernels as `Tables`, with names, views and clear errors."""

from collections.abc import Iterable

import numpy as np

from suzaku import tiles
from suzaku.riichi import state as st
from suzaku.riichi.engine import ENGINE
from suzaku.riichi.hidden import hide
from suzaku.riichi.rules import Rules
from suzaku.riichi.uma import final_points
from suzaku.table.table import OneTable, TableView, Wall


class Table(OneTable):
    """A game of Riichi, one decision at a time.

    `table.seat` is asked; `table.legal_actions()` lists what it may do; `table.act(...)` does it. At the end of a round
    the table stops (`round_over`) so that the settlement can be looked at; `next_round()` goes on.
    """

    engine = ENGINE
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

    def view(self, seat: int) -> "View":
        """What a seat may see; everything else is removed from the view's record."""
        legal = self._legal_for(seat)
        return View(hide(self._array, seat), seat, legal)

    def hand(self, seat: int) -> list[int]:
        """The concealed tiles of a seat, sorted; the drawn tile is among them."""
        return hand_tiles(self.record, seat)


class View(TableView):
    """A table as one seat sees it; in its record unseen tiles of the wall are -1, other hands empty."""

    engine = ENGINE

    @property
    def hand(self) -> list[int]:
        """The owner's concealed tiles, sorted."""
        return hand_tiles(self.record, self.owner)


def hand_tiles(record: np.record, seat: int) -> list[int]:
    """The concealed tiles of a seat in a table record, sorted."""
    found: list[int] = []
    reds = record.red[seat].tolist()
    for kind, count in enumerate(record.hand[seat].tolist()):
        if count:
            red = reds[kind // 9] if kind < 27 and kind % 9 == 4 else 0
            found += [tiles.RED + kind // 9] * red + [kind] * (count - red)
    return found


def _check_wall(wall: Wall, rules: Rules) -> np.ndarray:
    """The wall as an array, or a ValueError that says why it cannot be one."""
    if np.ndim(wall) == 0 and not isinstance(wall, str):
        raise ValueError(f"a wall is 136 tiles or a text, not {wall!r}: for one wall, give [wall]")
    numbers = tiles.parse(wall) if isinstance(wall, str) else [int(tile) for tile in wall]
    if len(numbers) != st.WALL:
        raise ValueError(f"a wall has 136 tiles, not {len(numbers)}")
    if not all(0 <= tile < tiles.TILES for tile in numbers):
        raise ValueError("a wall holds tiles 0..36 only")
    found = np.bincount(numbers, minlength=tiles.TILES)
    expected = np.bincount(tiles.full_set(rules.red_fives), minlength=tiles.TILES)
    for tile in np.flatnonzero(found != expected):
        raise ValueError(f"the wall has {found[tile]} of {tiles.NAMES[tile]} where the rules have {expected[tile]}")
    return np.array(numbers, np.int8)
