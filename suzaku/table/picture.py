"""What is to be drawn of a table, as plain data and as plain text.

- What is to be drawn of a table, as plain data that text, terminal and SVG share, whatever the game.
- Tiles and melds as the page of `suzaku play` knows them.
- A seat as plain text, ASCII only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from suzaku.tiles import NAMES, WINDS

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


Data = dict[str, Any]


def tile_name(tile: int) -> str:
    """A tile as the page knows it; "?" lies face down."""
    return "?" if tile == HIDDEN else NAMES[tile]


def tile_names(tiles: Any) -> list[str]:
    """Several of them."""
    return [tile_name(int(tile)) for tile in tiles]


def meld_data(meld: Meld) -> Data:
    """A meld as the page knows it."""
    return {
        "type": meld.type,
        "tiles": tile_names(meld.tiles),
        "called": meld.called,
        "added": tile_name(meld.added) if meld.added >= 0 else None,
    }


# Tiles are written as in `suzaku.tiles` (0 is the red five, ## a tile that may not be seen). After a discard, `!`
# marks riichi, `^` that it was called, `'` that it was the tile just drawn. In a meld the called tile stands in
# parentheses: first if it came from the left, second from across, last from the right; `<S` names the seat.

PER_LINE = 24  # tiles of a river on a line


def tile_text(tile: int) -> str:
    """One tile in two characters."""
    return "##" if tile == HIDDEN else NAMES[tile]


def tiles_text(tiles: tuple[int, ...]) -> str:
    """Tiles with a space between them."""
    return " ".join(tile_text(tile) for tile in tiles)


def meld_text(meld: Meld) -> str:
    """A meld such as "(3s)4s5s<W", "7z(7z)7z<N" or "[1m1m1m1m]"."""
    words = [tile_text(tile) for tile in meld.tiles]
    if meld.type == "closed_kong":
        return f"[{''.join(words)}]"
    added = f"+{tile_text(meld.added)}" if meld.added >= 0 else ""
    words[meld.called] = f"({words[meld.called]}{added})"
    return "".join(words) + f"<{meld.source}"


def discard_mark(discard: Discard) -> str:
    """The character after a discard that says what was special about it."""
    return "!" if discard.riichi else "^" if discard.called else "'" if discard.drawn else " "


def seat_lines(side: Seat) -> list[str]:
    """A seat with its hand, melds and river."""
    notes = [note for note, on in (("dealer", side.dealer), ("riichi", side.riichi), ("asked", side.asked)) if on]
    title = f"{side.letter} seat {side.seat} {side.score:7d}   {', '.join(notes)}"
    drawn = "" if side.drawn is None else f"  + {tile_text(side.drawn)}"
    lines = [title, f"  {tiles_text(side.hand)}{drawn}"]
    if side.melds:
        lines.append("  melds " + "  ".join(meld_text(meld) for meld in side.melds))
    for start in range(0, len(side.river), PER_LINE):
        row = side.river[start : start + PER_LINE]
        lines.append("  : " + "".join(tile_text(discard.tile) + discard_mark(discard) for discard in row))
    return lines
