"""One table for people: the same record and kernels as `Tables`, with names, views and clear errors."""

from collections.abc import Iterable

import numpy as np

from suzaku.hand.tables import tables as hand_tables
from suzaku.mcr.engine import ENGINE
from suzaku.mcr.hidden import hide
from suzaku.mcr.refusal import why_illegal
from suzaku.mcr.rules import Rules
from suzaku.mcr.settle import settle_foul
from suzaku.mcr.walls import check_wall
from suzaku.table.table import OneTable, TableView, Wall


class Table(OneTable):
    """A game of MCR, one decision at a time.

    `table.seat` is asked; `table.legal_actions()` lists what it may do; `table.act(...)` does it. At the end of a hand
    the table stops (`round_over`) so that the settlement can be looked at; `next_round()` goes on.
    """

    engine = ENGINE
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
        if not 0 <= seat <= 3:
            raise ValueError(f"seat must be 0..3, not {seat!r}")
        if self.seat < 0:
            raise ValueError(f"there is nothing to fine: the {self._over_word} is over")
        settle_foul(hand_tables(), self.record, seat)

    def view(self, seat: int) -> "View":
        """What a seat may see; everything else is removed from the view's record."""
        legal = self._legal_for(seat)
        return View(hide(self._array, seat), seat, legal)

    def hand(self, seat: int) -> list[int]:
        """The concealed tiles of a seat, sorted; the drawn tile is among them."""
        return hand_tiles(self.record, seat)


class View(TableView):
    """A table as one seat sees it; in its record the wall is -1, other hands are empty, their closed kongs -1."""

    engine = ENGINE

    @property
    def hand(self) -> list[int]:
        """The owner's concealed tiles, sorted."""
        return hand_tiles(self.record, self.owner)


def hand_tiles(record: np.record, seat: int) -> list[int]:
    """The concealed tiles of a seat in a table record, sorted."""
    return [kind for kind, count in enumerate(record.hand[seat].tolist()) for _ in range(count)]
