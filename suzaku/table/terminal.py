"""A table in a terminal, with rich.

- A table in a terminal, with rich: colours where there are some, marks and letters where there are none.
- Payments, rounds and ranking in a terminal, with rich, whatever the game.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from rich.align import Align
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from suzaku.system import some
from suzaku.table.picture import HIDDEN, WIND_NAMES, Discard, Drawable, Meld, Seat, discard_mark
from suzaku.tiles import KANJI, MJAI_HONOURS, NAMES, RED

# Narrow terminals get the four seats below each other (80x24 is enough), wide ones the seats around a middle.

PAPER = "on grey93"
INK = {"m": "grey11", "p": "blue3", "s": "dark_green", "z": "grey11"}
SIDE = 47  # columns of a seat that sits at a side of the table: 14 tiles and a frame
WIDE, TALL = 2 * SIDE + 26, 26  # from this size on the seats sit around the table
ROW = 6  # tiles of a river on a line in the wide layout


@dataclass(frozen=True)
class Brush:
    """How tiles are drawn on this terminal."""

    colour: bool
    kanji: bool

    @classmethod
    def of(cls, console: Console) -> "Brush":
        """The brush that suits a console."""
        return cls(console.color_system is not None and not console.no_color, not console.options.ascii_only)

    def face(self, tile: int) -> str:
        """Two cells for a tile."""
        if tile == HIDDEN:
            return "▒▒" if self.kanji else "##"
        if 27 <= tile < RED:
            return KANJI[tile - 27] if self.kanji else MJAI_HONOURS[tile - 27] + " "
        return NAMES[tile].replace("0", "5") if self.colour else NAMES[tile]

    def style(self, tile: int, dim: bool = False) -> str:
        """The colours of a tile."""
        if not self.colour:
            return "dim" if dim else ""
        if tile == HIDDEN:
            return "dark_orange3 on grey35"
        ink = "bold red3" if tile >= RED or tile == 33 else "dark_green" if tile == 32 else INK[NAMES[tile][1]]
        return f"{ink} on grey70" if dim else f"{ink} {PAPER}"

    def tiles(self, tiles: tuple[int, ...]) -> Text:
        """A row of tiles with gaps."""
        text = Text(no_wrap=True)
        for i, tile in enumerate(tiles):
            text.append(" " if i else "").append(self.face(tile), self.style(tile))
        return text

    def meld(self, meld: Meld) -> Text:
        """A meld; the called tile stands apart on the side it came from, with the wind of its seat."""
        text = Text(no_wrap=True)
        closed = meld.type == "closed_kong"
        for i, tile in enumerate(meld.tiles):
            called = i == meld.called
            text.append("(" if called else "[" if closed and i == 0 else "")
            text.append(self.face(tile), self.style(tile, dim=called))
            if called and meld.added >= 0:
                text.append("+").append(self.face(meld.added), self.style(meld.added))
            text.append(")" if called else "]" if closed and i == 3 else "")
        if meld.source:
            text.append(("←" if self.kanji else "<") + meld.source, "dim")
        return text

    def discard(self, discard: Discard) -> Text:
        """A tile of a river in three cells: the last one marks riichi, a call or a drawn tile where colours cannot."""
        if not self.colour:
            return Text().append(self.face(discard.tile) + discard_mark(discard), "bold" if discard.last else "")
        style = self.style(discard.tile, dim=discard.drawn)
        if discard.called:
            style = "strike grey46 on grey23"
        if discard.riichi:
            style = "bold white on dark_orange3" if not discard.called else "strike white on dark_orange3"
        return (
            Text()
            .append(self.face(discard.tile), style)
            .append("◂" if discard.last and self.kanji else " ", "bold yellow")
        )

    def river(self, river: tuple[Discard, ...], row: int) -> Text:
        """A river in rows."""
        text = Text()
        for i, discard in enumerate(river):
            if i and i % row == 0:
                text.append("\n")
            text.append(self.discard(discard))
        return text


def _title(side: Seat, name: str) -> Text:
    text = Text(no_wrap=True)
    text.append(f"{WIND_NAMES[side.wind]:<5}", "bold red3" if side.dealer else "bold")
    text.append(f" {name} ", "bold cyan" if side.asked else "")
    text.append(f"{side.score:,}", "bold")
    if side.dealer:
        text.append(" dealer", "dim")
    if side.riichi:
        text.append(" riichi", "bold dark_orange3")
    if flowers := getattr(side, "flowers", 0):  # of MCR
        text.append(f" {some(flowers, 'flower')}", "dim")
    if side.asked:
        text.append(" <", "bold cyan")
    return text


def _hand(side: Seat, brush: Brush) -> Text:
    text = brush.tiles(side.hand)
    if side.drawn is not None:
        text.append("  ").append(brush.face(side.drawn), brush.style(side.drawn))
    return text


def _melds(side: Seat, brush: Brush) -> Text:
    return Text("  ").join(brush.meld(meld) for meld in side.melds)


class Board:
    """The renderable of a table record, by the picture of its game: `console.print(Board(picture, record))`."""

    def __init__(
        self,
        draw: Callable[..., Drawable],
        record: np.record,
        seat: int | None = None,
        reveal: bool = True,
        names: tuple[str, ...] = ("seat 0", "seat 1", "seat 2", "seat 3"),
        note: str = "",
    ) -> None:
        self.view = draw(record, seat, reveal)
        self.bottom = seat or 0
        self.names = names
        self.note = note or self.view.asked

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        brush = Brush.of(console)
        if options.max_width >= WIDE and console.height >= TALL:
            yield self._around(brush)
        else:
            yield self._stacked(brush, options.max_width, roomy=console.height >= 26)

    def _stacked(self, brush: Brush, width: int, roomy: bool) -> RenderableType:
        lines: list[RenderableType] = [_header(self.view, brush)]
        for side in self.view.seats:
            hand = Text("  hand  ", no_wrap=True).append(_hand(side, brush))
            melds = _melds(side, brush)
            river = Grid.grid()
            river.add_row(Text("  river "), brush.river(side.river, max(1, (width - 8) // 3)))
            if roomy:
                lines.append(Text(""))
            lines.append(_title(side, self.names[side.seat]))
            if side.melds and hand.cell_len + melds.cell_len + 3 <= width:
                lines.append(hand.append("   ").append(melds))
            else:
                lines += [hand, Text("  melds ", no_wrap=True).append(melds)] if side.melds else [hand]
            lines.append(river)
        return Group(*lines, Text(self.note, "italic"))

    def _around(self, brush: Brush) -> RenderableType:
        right, top, left = ((self.bottom + i) % 4 for i in (1, 2, 3))
        grid = Grid.grid(expand=True)
        grid.add_column(width=SIDE)
        grid.add_column(ratio=1)
        grid.add_column(width=SIDE)
        middle = Align.center(_middle(self.view, brush, self.note), vertical="middle", height=8)
        grid.add_row(self._panel(left, brush), middle, self._panel(right, brush))
        return Group(Align.center(self._panel(top, brush)), grid, Align.center(self._panel(self.bottom, brush)))

    def _panel(self, seat: int, brush: Brush) -> Panel:
        side = self.view.seats[seat]
        river = brush.river(side.river, ROW)
        lines = river.plain.count("\n") + 1
        body = Group(_hand(side, brush), _melds(side, brush), river, *[Text("")] * (4 - lines))
        style = "cyan" if side.asked else "dark_orange3" if side.riichi else "dim"
        return Panel(body, title=_title(side, self.names[seat]), title_align="left", border_style=style, width=SIDE)


def _header(view: Drawable, brush: Brush) -> Text:
    text = Text(no_wrap=True)
    text.append(view.round_name, "bold")
    text.append("  " + "  ".join(view.counters))
    return text.append("  dora indicators ").append(brush.tiles(view.indicators)) if view.indicators else text


def _middle(view: Drawable, brush: Brush, note: str) -> RenderableType:
    return Group(
        Text(view.round_name, "bold", justify="center"),
        Text("   ".join(view.counters), justify="center"),
        Align.center(Text("dora indicators ").append(brush.tiles(view.indicators)) if view.indicators else Text("")),
        Text(""),
        Text(note, "italic", justify="center"),
    )


class Ended(Protocol):
    """What the settlements of all games have."""

    @property
    def title(self) -> str:
        """The round and its result."""

    @property
    def deltas(self) -> tuple[int, ...]:
        """Points won and lost by seat."""

    @property
    def scores(self) -> tuple[int, ...]:
        """Points after that."""

    @property
    def ranks(self) -> tuple[int, ...]:
        """By score, 0 = first."""

    @property
    def winds(self) -> tuple[int, ...]:
        """Of the seats."""


PLACES = ("1st", "2nd", "3rd", "4th")


def payments(end: Ended, names: Sequence[str]) -> RenderableType:
    """What a round brought everybody, and where it leaves them."""
    grid = Grid.grid(padding=(0, 2, 0, 0))
    for justify in ("left", "left", "right", "right", "left"):
        grid.add_column(justify=justify)
    for seat in range(len(end.deltas)):
        wind, place = WIND_NAMES[end.winds[seat]], Text(PLACES[end.ranks[seat]], "dim")
        grid.add_row(wind, names[seat], _change(end.deltas[seat]), f"{end.scores[seat]:,}", place)
    return grid


def summary(ends: Sequence[Ended], names: Sequence[str]) -> RenderableType:
    """The rounds of a game, a line each, with everybody's change of score."""
    grid = Grid(title="Rounds", title_justify="left", title_style="bold")
    grid.add_column("round")
    for name in names:
        grid.add_column(name, justify="right")
    for end in ends:
        grid.add_row(end.title, *(_change(delta) for delta in end.deltas))
    return grid


def _change(delta: int) -> Text:
    return Text(f"{delta:+,}" if delta else "0", "green" if delta > 0 else "red" if delta < 0 else "dim")


def ranking(record: np.record, names: Sequence[str], points: Sequence[float]) -> RenderableType:
    """The final ranking of a game that is over; `points` are the final points by seat."""
    grid = Grid(title="Final ranking", title_justify="left", title_style="bold")
    grid.add_column("place")
    grid.add_column("player")
    grid.add_column("score", justify="right")
    grid.add_column("points", justify="right")
    for place in range(len(record.ranks)):
        seat = [int(rank) for rank in record.ranks].index(place)
        style = "bold" if place == 0 else ""
        grid.add_row(PLACES[place], names[seat], f"{int(record.scores[seat]):,}", f"{points[seat]:+.1f}", style=style)
    return grid
