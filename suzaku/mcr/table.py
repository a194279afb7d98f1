"""One table for people: the same record and kernels as `Tables`, with names, views and clear errors."""

import operator
from collections.abc import Iterable, Sequence

import numpy as np

from suzaku.hand.tables import tables as hand_tables
from suzaku.mcr import state as st
from suzaku.mcr.actions import ACTION_NAMES, ACTIONS, action_number
from suzaku.mcr.deal import deal_round, start_game, start_round
from suzaku.mcr.hidden import hide
from suzaku.mcr.legal import fill_legal
from suzaku.mcr.refusal import why_illegal
from suzaku.mcr.rules import Rules, chosen_rules
from suzaku.mcr.settle import advance, settle_foul
from suzaku.mcr.state import STATE
from suzaku.mcr.step import step
from suzaku.mcr.walls import check_wall
from suzaku.seeds import read_seed


class Table:
    """A game of MCR, one decision at a time.

    `table.seat` is asked; `table.legal_actions()` lists what it may do; `table.act(...)` does it. At the end of a hand
    the table stops (`round_over`) so that the settlement can be looked at; `next_round()` goes on.
    """

    def __init__(self, rules: Rules | None = None, seed: int = 0, length: str | None = None) -> None:
        self._start(rules, seed, length)
        deal_round(hand_tables(), self.record)

    def _start(self, rules: Rules | None, seed: int, length: str | None) -> None:
        first_seed = read_seed(seed)
        self.rules = chosen_rules(rules, length)
        self._array = np.zeros(1, STATE)
        self._array["rules"] = self.rules.to_record()
        self._walls: list[np.ndarray] | None = None
        start_game(self.record, first_seed, 0)

    @classmethod
    def deal(
        cls,
        walls: Iterable[Sequence[int] | np.ndarray | str],
        rules: Rules | None = None,
        length: str | None = None,
        wind: int = 0,
    ) -> "Table":
        """A table that plays the given walls, one a hand: 136 tiles (144 with flowers), as numbers or as text.

        A wall is drawn from its end, private walls of 34 one after the other each from its own (see `docs/mcr.md`).
        `wind` is the prevalent wind of the first hand, 0..3.
        """
        if isinstance(walls, str):
            raise ValueError("walls is a list with one wall a hand, not a text: for one wall, give [wall]")
        if not 0 <= wind <= 3:
            raise ValueError(f"wind must be 0..3 for east, south, west, north, not {wind!r}")
        table = cls.__new__(cls)
        table._start(rules, 0, length)
        table._walls = [check_wall(wall, table.rules) for wall in walls]
        if not table._walls:
            raise ValueError("at least one wall is needed to deal a table")
        table.record.hand_no = 4 * wind
        table._place_wall()
        return table

    @classmethod
    def from_record(cls, record: np.ndarray) -> "Table":
        """A table that goes on from a copy of a table record."""
        table = cls.__new__(cls)
        table._array = np.array(record, STATE).reshape(1)
        table._array["auto"] = 0
        table.rules = Rules.from_record(table.record.rules)
        table._walls = None
        return table

    def _place_wall(self) -> None:
        assert self._walls is not None
        self.record.wall[:] = self._walls[self.record.deal]
        self.record.deal += 1
        start_round(hand_tables(), self.record)

    @property
    def record(self) -> np.record:
        """The table record (see `state.py`); changing it changes the table."""
        return self._array[0]

    @property
    def seat(self) -> int:
        """The seat that is asked, or -1."""
        return int(self.record.seat)

    @property
    def round_over(self) -> bool:
        """The hand is settled; `next_round()` deals the next one."""
        return bool(self.record.phase == st.ROUND_OVER)

    @property
    def game_over(self) -> bool:
        """The game is over; `scores` and `ranks` are final."""
        return bool(self.record.phase == st.GAME_OVER)

    @property
    def scores(self) -> list[int]:
        """The points of the four seats."""
        return [int(score) for score in self.record.scores]

    @property
    def ranks(self) -> list[int]:
        """The places of the four seats, 1..4, once the game is over; ties go to the earlier seat."""
        if not self.game_over:
            raise ValueError("the game is not over yet")
        return [int(rank) + 1 for rank in self.record.ranks]

    def legal_mask(self) -> np.ndarray:
        """bool[113]: which actions the asked seat may take."""
        legal = np.zeros(ACTIONS, np.bool_)
        fill_legal(hand_tables(), self.record, legal)
        return legal

    def legal_actions(self) -> list[int]:
        """The actions the asked seat may take; `ACTION_NAMES` names them."""
        return [int(action) for action in np.flatnonzero(self.legal_mask())]

    def act(self, action: int | str) -> None:
        """Carry out an action of the asked seat, by number or by name. An illegal one changes nothing."""
        number = action_number(action) if isinstance(action, str) else operator.index(action)
        legal = self.legal_actions()
        if number not in legal:
            name = ACTION_NAMES[number] if 0 <= number < ACTIONS else f"action {number}"
            if not legal:
                raise ValueError(f"{name} is not legal: the {'game' if self.game_over else 'hand'} is over")
            choices = ", ".join(ACTION_NAMES[a] for a in legal)
            why = why_illegal(self.record, number)
            raise ValueError(f"{name} is not legal for seat {self.seat}{why}; legal: {choices}")
        step(hand_tables(), self.record, number)

    def foul(self, seat: int) -> None:
        """End the hand with a fine of a seat, as for a false win: it pays each of the others."""
        if not 0 <= seat <= 3:
            raise ValueError(f"seat must be 0..3, not {seat!r}")
        if self.seat < 0:
            raise ValueError(f"there is nothing to fine: the {'game' if self.game_over else 'hand'} is over")
        settle_foul(hand_tables(), self.record, seat)

    def next_round(self) -> None:
        """Deal the next hand after one has ended."""
        if not self.round_over:
            raise ValueError("the game is over" if self.game_over else "the hand is not over yet")
        if self._walls is not None and self.record.deal >= len(self._walls):
            raise ValueError(f"the game goes on, but only {len(self._walls)} walls were given")
        advance(self.record)
        if self._walls is None:
            deal_round(hand_tables(), self.record)
        else:
            self._place_wall()

    def copy(self) -> "Table":
        """An independent copy."""
        other = type(self).__new__(type(self))
        other._array = self._array.copy()
        other.rules = self.rules
        other._walls = self._walls
        return other

    def view(self, seat: int) -> "View":
        """What a seat may see; everything else is removed from the view's record."""
        if not 0 <= seat <= 3:
            raise ValueError(f"seat must be 0..3, not {seat!r}")
        legal = self.legal_mask() if self.seat == seat else np.zeros(ACTIONS, np.bool_)
        return View(hide(self._array, seat), seat, legal)

    def hand(self, seat: int) -> list[int]:
        """The concealed tiles of a seat, sorted; the drawn tile is among them."""
        return hand_tiles(self.record, seat)

    def __str__(self) -> str:
        from suzaku.mcr.render.text import draw_text

        return draw_text(self.record)

    def _repr_html_(self) -> str:
        from suzaku.mcr.render.svg import draw_svg

        return draw_svg(self.record)


class View:
    """A table as one seat sees it: `record` holds no tile that is hidden from it."""

    def __init__(self, array: np.ndarray, seat: int, legal: np.ndarray) -> None:
        self._array = array
        self.owner = seat
        self._legal = legal

    @property
    def record(self) -> np.record:
        """The table record without what is hidden: the wall is -1, other hands empty, their closed kongs -1."""
        return self._array[0]

    @property
    def seat(self) -> int:
        """The seat that is asked as far as the owner can tell, or -1."""
        return int(self.record.seat)

    @property
    def hand(self) -> list[int]:
        """The owner's concealed tiles, sorted."""
        return hand_tiles(self.record, self.owner)

    def legal_actions(self) -> list[int]:
        """What the owner may do now; empty when another seat is asked."""
        return [int(action) for action in np.flatnonzero(self._legal)]

    def __str__(self) -> str:
        from suzaku.mcr.render.text import draw_text

        return draw_text(self.record, seat=self.owner)

    def _repr_html_(self) -> str:
        from suzaku.mcr.render.svg import draw_svg

        return draw_svg(self.record, seat=self.owner)


def hand_tiles(record: np.record, seat: int) -> list[int]:
    """The concealed tiles of a seat in a table record, sorted."""
    return [kind for kind, count in enumerate(record.hand[seat].tolist()) for _ in range(count)]
