"""Payments, rounds and ranking in a terminal, with rich, whatever the game."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text

from suzaku.table.render.picture import WIND_NAMES


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
