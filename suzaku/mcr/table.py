"""Tables of MCR: many for programs, one for people, and the walls given from outside."""

from collections.abc import Iterable, Sequence

import numpy as np

from suzaku import tiles
from suzaku.mcr.game import GAME
from suzaku.mcr.legal import why_illegal
from suzaku.mcr.rules import Rules
from suzaku.mcr.settle import settle_foul
from suzaku.mcr.state import FLOWER, TILES, WALL
from suzaku.table.table import OneTable, Wall
from suzaku.table.tables import ManyTables

random_rollouts, resample_hidden = GAME.rollouts, GAME.redraw


class Tables(ManyTables):
    """Many tables of MCR."""

    game = GAME


def check_wall(wall: Sequence[int] | np.ndarray | str, rules: Rules) -> np.ndarray:
    """The wall as an array of 144 places, or a ValueError that says why it cannot be one."""
    if np.ndim(wall) == 0 and not isinstance(wall, str):
        raise ValueError(f"a wall is a list of tiles or a text, not {wall!r}: for one wall, give [wall]")
    numbers = _read(wall) if isinstance(wall, str) else [int(tile) for tile in wall if tile >= 0]
    size = WALL if rules.flowers else WALL - (TILES - FLOWER)
    if len(numbers) != size:
        raise ValueError(f"a wall has {size} tiles, not {len(numbers)}")
    if not all(0 <= tile < TILES for tile in numbers):
        raise ValueError("a wall holds kinds 0..33, and flowers 34..41 if the rules have them")
    found = np.bincount(numbers, minlength=TILES)
    for tile in range(TILES):
        expected = 4 if tile < FLOWER else int(rules.flowers)
        if found[tile] != expected:
            raise ValueError(f"the wall has {found[tile]} of {tile_name(tile)} where the rules have {expected}")
    return np.array(numbers + [-1] * (WALL - size), np.int8)


def tile_name(tile: int) -> str:
    """A kind such as 5m, or a flower, 1f to 8f."""
    return tiles.NAMES[tile] if tile < FLOWER else f"{tile - FLOWER + 1}f"


def _read(text: str) -> list[int]:
    """Tiles in the usual notation, with flowers as "1f"."""
    found: list[int] = []
    for part in text.split():
        if part.endswith("f") and part[:-1].isdigit():
            found += [FLOWER + int(digit) - 1 for digit in part[:-1]]
        else:
            found += tiles.parse(part)
    if any(FLOWER <= tile < FLOWER + 3 for tile in found) and "0" in text:
        raise ValueError("there are no red fives in this game: write 5 for 0")
    return found


class Table(OneTable):
    """A game of MCR, one decision at a time.

    `table.seat` is asked; `table.legal_actions()` lists what it may do; `table.act(...)` does it. At the end of a hand
    the table stops (`round_over`) so that the settlement can be looked at; `next_round()` goes on.
    """

    game = GAME
    round_word = "hand"
    rules: Rules

    @classmethod
    def deal(
        cls, walls: Iterable[Wall], rules: Rules | None = None, length: str | None = None, wind: int = 0
    ) -> "Table":
        """A table that plays the given walls, one a hand: 136 tiles (144 with flowers), as numbers or as text.

        A wall is drawn from its end, private walls of 34 one after the other each from its own (see `docs/mcr.md`).
        `wind` is the prevalent wind of the first hand, 0..3.
        """
        if not 0 <= wind <= 3:
            raise ValueError(f"wind must be 0..3 for east, south, west, north, not {wind!r}")
        table = cls._with_walls(walls, rules, length)
        table.record.hand_no = 4 * wind
        table._place_wall()
        return table

    def _check_wall(self, wall: Wall) -> np.ndarray:
        return check_wall(wall, self.rules)

    def _why_illegal(self, action: int) -> str:
        return why_illegal(self.record, action)

    def foul(self, seat: int) -> None:
        """End the hand with a fine of a seat, as for a false win: it pays each of the others."""
        self._check_seat(seat)
        if self.seat < 0:
            raise ValueError(f"there is nothing to fine: the {self._over_word} is over")
        settle_foul(self.game.tables(), self.record, seat)
