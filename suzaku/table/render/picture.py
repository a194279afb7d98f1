"""What is to be drawn of a table, as plain data that text, terminal and SVG share, whatever the game."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from suzaku.tiles import WINDS

HIDDEN = -1  # a tile that may not be seen
WIND_NAMES = ("East", "South", "West", "North")


@dataclass(frozen=True)
class Meld:
    """A meld as it lies on the table: the place of the called tile tells from whom it came."""

    type: str  # "chow", "pong", "open_kong", "closed_kong" or "added_kong"
    tiles: tuple[int, ...]  # in the order they lie, without the tile added to a pong
    called: int  # place of the called tile, or -1
    added: int  # the tile added to a pong, or -1
    source: str  # wind letter of the seat it was called from, or ""


@dataclass(frozen=True)
class Discard:
    """One tile of a river."""

    tile: int
    drawn: bool  # it was the tile just drawn
    riichi: bool
    called: bool
    last: bool  # it is the newest of the table


@dataclass(frozen=True)
class Seat:
    """One side of the table."""

    seat: int
    wind: int  # 0..3 for E, S, W, N in this round
    score: int
    hand: tuple[int, ...]  # sorted, without the drawn tile; HIDDEN for each tile that may not be seen
    drawn: int | None  # the tile just drawn, HIDDEN, or None
    melds: tuple[Meld, ...]
    river: tuple[Discard, ...]
    riichi: bool
    dealer: bool
    asked: bool

    @property
    def letter(self) -> str:
        """The seat's wind as a letter."""
        return WINDS[self.wind]


class Drawable(Protocol):
    """What the drawings need of a whole table, whatever the game."""

    @property
    def seats(self) -> Sequence[Seat]:
        """The four sides."""

    @property
    def round_name(self) -> str:
        """Such as "East 1"."""

    @property
    def counters(self) -> tuple[str, ...]:
        """What the middle of the table says besides the round."""

    @property
    def indicators(self) -> tuple[int, ...]:
        """Dora indicators, if the game has some."""

    @property
    def asked(self) -> str:
        """What is asked of whom, or how the round ended."""

    @property
    def over(self) -> bool:
        """The round is over."""


def wind_of(record: np.record, seat: int) -> int:
    """The wind of a seat in this round, 0..3."""
    return (seat - int(record.dealer)) % 4
