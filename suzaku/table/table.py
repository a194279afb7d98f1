"""One table for people: the same record and kernels as many tables at once, with names, views and clear errors."""

import operator
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, TypeVar

import numpy as np

from suzaku.seeds import read_seed
from suzaku.table.game import Game

T = TypeVar("T", bound="OneTable")
Wall = Sequence[int] | np.ndarray | str


class RecordHolder:
    """A record that draws itself, in a terminal and in a notebook."""

    game: Game
    _array: np.ndarray  # the record alone
    _drawn_for: int | None = None  # the seat whose eyes it is drawn for, or all

    @property
    def record(self) -> np.record:
        """The table record (see the game's `state.py`); changing it changes the table."""
        return self._array[0]

    @property
    def seat(self) -> int:
        """The seat that is asked, as far as can be told, or -1."""
        return int(self.record.seat)

    def __str__(self) -> str:
        return self.game.drawings.draw_text(self.record, seat=self._drawn_for)

    def _repr_html_(self) -> str:
        return self.game.drawings.draw_svg(self.record, seat=self._drawn_for)


class TableView(RecordHolder):
    """A table as one seat sees it: `record` holds no tile that is hidden from it."""

    def __init__(self, game: Game, array: np.ndarray, seat: int, legal: np.ndarray) -> None:
        self.game = game
        self._array = array
        self.owner = self._drawn_for = seat
        self._legal = legal

    def legal_actions(self) -> list[int]:
        """What the owner may do now; empty when another seat is asked."""
        return [int(action) for action in np.flatnonzero(self._legal)]

    @property
    def hand(self) -> list[int]:
        """The owner's concealed tiles, sorted."""
        return self.game.hand_tiles(self.record, self.owner)


class OneTable(RecordHolder):
    """A game, one decision at a time.

    `table.seat` is asked; `table.legal_actions()` lists what it may do; `table.act(...)` does it. At the end of a round
    the table stops (`round_over`) so that the settlement can be looked at; `next_round()` goes on.
    """

    round_word: ClassVar[str] = "round"  # what the game calls it

    def __init__(self, rules: Any = None, seed: int = 0, length: str | None = None) -> None:
        self._start(rules, seed, length)
        self.game.deal_round(self.game.tables(), self.record)

    def _start(self, rules: Any, seed: int, length: str | None) -> None:
        first_seed = read_seed(seed)
        self.rules = self.game.rules.chosen(rules, length)
        self._array = np.zeros(1, self.game.record)
        self._array["rules"] = self.rules.to_record()
        self._walls: list[np.ndarray] | None = None
        self.game.start_game(self.record, first_seed, 0)

    @classmethod
    def _with_walls(cls: type[T], walls: Iterable[Wall], rules: Any, length: str | None) -> T:
        """A table that will play the given walls; the first is not placed yet."""
        if isinstance(walls, str):
            raise ValueError(f"walls is a list with one wall a {cls.round_word}, not a text: for one wall, give [wall]")
        table = cls.__new__(cls)
        table._start(rules, 0, length)
        table._walls = [table._check_wall(wall) for wall in walls]
        if not table._walls:
            raise ValueError("at least one wall is needed to deal a table")
        return table

    def _check_wall(self, wall: Wall) -> np.ndarray:
        """The wall as an array, or a ValueError that says why it cannot be one."""
        return np.array(wall, np.int8)

    @classmethod
    def from_record(cls: type[T], record: np.ndarray) -> T:
        """A table that goes on from a copy of a table record."""
        table = cls.__new__(cls)
        table._array = np.array(record, cls.game.record).reshape(1)
        table._array["auto"] = 0
        table.rules = cls.game.rules.from_record(table.record.rules)
        table._walls = None
        return table

    def _place_wall(self) -> None:
        assert self._walls is not None
        self.record.wall[:] = self._walls[self.record.deal]
        self.record.deal += 1
        self.game.start_round(self.game.tables(), self.record)

    @property
    def round_over(self) -> bool:
        """The round is settled; `next_round()` deals the next one."""
        return bool(self.record.phase == self.game.round_over)

    @property
    def game_over(self) -> bool:
        """The game is over; `scores` and `ranks` are final."""
        return bool(self.record.phase == self.game.game_over)

    @property
    def scores(self) -> list[int]:
        """The points of the seats."""
        return [int(score) for score in self.record.scores]

    @property
    def ranks(self) -> list[int]:
        """The places of the seats, from 1, once the game is over; ties go to the earlier seat."""
        if not self.game_over:
            raise ValueError("the game is not over yet")
        return [int(rank) + 1 for rank in self.record.ranks]

    def legal_mask(self) -> np.ndarray:
        """bool[actions]: which actions the asked seat may take."""
        legal = np.zeros(self.game.actions, np.bool_)
        self.game.legal(self.game.tables(), self.record, legal)
        return legal

    def legal_actions(self) -> list[int]:
        """The actions the asked seat may take; `ACTION_NAMES` names them."""
        return [int(action) for action in np.flatnonzero(self.legal_mask())]

    def act(self, action: int | str) -> None:
        """Carry out an action of the asked seat, by number or by name. An illegal one changes nothing."""
        number = self.game.number_of(action) if isinstance(action, str) else operator.index(action)
        legal = self.legal_actions()
        if number not in legal:
            names = self.game.action_names
            name = names[number] if 0 <= number < len(names) else f"action {number}"
            if not legal:
                raise ValueError(f"{name} is not legal: the {self._over_word} is over")
            choices = ", ".join(names[a] for a in legal)
            why = self._why_illegal(number)
            raise ValueError(f"{name} is not legal for seat {self.seat}{why}; legal: {choices}")
        self.game.step(self.game.tables(), self.record, number)

    @property
    def _over_word(self) -> str:
        return "game" if self.game_over else self.round_word

    def _why_illegal(self, action: int) -> str:
        """The reason as an end of a sentence, or nothing."""
        return ""

    def next_round(self) -> None:
        """Deal the next round after one has ended."""
        if not self.round_over:
            raise ValueError("the game is over" if self.game_over else f"the {self.round_word} is not over yet")
        if self._walls is not None and self.record.deal >= len(self._walls):
            raise ValueError(f"the game goes on, but only {len(self._walls)} walls were given")
        self.game.advance(self.record)
        if self._walls is None:
            self.game.deal_round(self.game.tables(), self.record)
        else:
            self._place_wall()

    def copy(self: T) -> T:
        """An independent copy."""
        other = type(self).__new__(type(self))
        other._array = self._array.copy()
        other.rules = self.rules
        other._walls = self._walls
        return other

    def view(self, seat: int) -> TableView:
        """What a seat may see; everything else is removed from the view's record."""
        self._check_seat(seat)
        legal = self.legal_mask() if self.seat == seat else np.zeros(self.game.actions, np.bool_)
        return TableView(self.game, self.game.hide(self._array, seat), seat, legal)

    def hand(self, seat: int) -> list[int]:
        """The concealed tiles of a seat, sorted; the drawn tile is among them."""
        return self.game.hand_tiles(self.record, seat)

    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < self.game.seats:
            raise ValueError(f"seat must be 0..{self.game.seats - 1}, not {seat!r}")
