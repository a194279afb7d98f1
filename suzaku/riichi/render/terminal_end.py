"""The end of a round and of a game in a terminal, with rich."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from suzaku.riichi.render.picture import WIND_NAMES
from suzaku.riichi.render.settlement import Settlement, Shown, Win
from suzaku.riichi.render.terminal import Brush


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


class RoundEnd:
    """The renderable of a round's settlement: hands, yaku, doras, payments."""

    def __init__(self, end: Settlement, names: Sequence[str]) -> None:
        self.end = end
        self.names = names

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        brush = Brush.of(console)
        end = self.end
        doras = Text("dora indicators ").append(brush.tiles(end.indicators))
        ura = next((win.ura for win in end.wins if win.ura), ())
        if ura:
            doras.append("   ura ").append(brush.tiles(ura))
        parts: list[RenderableType] = [Text(end.text), doras]
        for win in end.wins:
            parts += [Text(""), *_win(win, brush, options.max_width)]
        for hand in end.hands:
            parts.append(Text(f"{WIND_NAMES[hand.wind]:<6}").append(_shown(hand, brush)))
        parts += [Text(""), payments(end, self.names)]
        yield Panel(Group(*parts), title=end.title, title_align="left", expand=False, padding=(0, 1))


def _shown(hand: Shown, brush: Brush) -> Text:
    text = brush.tiles(hand.tiles)
    for meld in hand.melds:
        text.append("  ").append(brush.meld(meld))
    return text


def _win(win: Win, brush: Brush, width: int) -> list[RenderableType]:
    hand = Text().append(f"{WIND_NAMES[win.hand.wind]:<6}", "bold").append(_shown(win.hand, brush))
    hand.append("  + ").append(brush.face(win.tile), brush.style(win.tile))
    grid = Grid.grid(padding=(0, 2, 0, 0))
    for name, gloss, worth in win.yaku:
        grid.add_row("", name, worth, Text(gloss if width >= 70 else "", "dim"))
    return [hand, grid, Text(f"  {win.worth}: ").append(f"{win.points:,} points", "bold")]


def payments(end: Ended, names: Sequence[str]) -> RenderableType:
    grid = Grid.grid(padding=(0, 2, 0, 0))
    for justify in ("left", "left", "right", "right", "left"):
        grid.add_column(justify=justify)
    for seat in range(4):
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
    for place in range(4):
        seat = [int(rank) for rank in record.ranks].index(place)
        style = "bold" if place == 0 else ""
        grid.add_row(PLACES[place], names[seat], f"{int(record.scores[seat]):,}", f"{points[seat]:+.1f}", style=style)
    return grid
