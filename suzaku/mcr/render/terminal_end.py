"""The end of a hand in a terminal, with rich."""

from collections.abc import Sequence

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from suzaku.mcr.render.settlement import Settlement, Win
from suzaku.table.render.picture import WIND_NAMES
from suzaku.table.render.terminal import Brush
from suzaku.table.render.terminal_end import payments


class RoundEnd:
    """The renderable of a hand's settlement: the winner's tiles and fans, and the payments."""

    def __init__(self, end: Settlement, names: Sequence[str]) -> None:
        self.end = end
        self.names = names

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        brush, end = Brush.of(console), self.end
        parts: list[RenderableType] = [Text(end.text)]
        if end.win is not None:
            parts += [Text(""), *_win(end.win, brush)]
        parts += [Text(""), payments(end, self.names)]
        yield Panel(Group(*parts), title=end.title, title_align="left", expand=False, padding=(0, 1))


def _win(win: Win, brush: Brush) -> list[RenderableType]:
    hand = Text().append(f"{WIND_NAMES[win.wind]:<6}", "bold").append(brush.tiles(win.tiles))
    for meld in win.melds:
        hand.append("  ").append(brush.meld(meld))
    hand.append("  + ").append(brush.face(win.tile), brush.style(win.tile))
    grid = Grid.grid(padding=(0, 2, 0, 0))
    for fan, times in win.fans:
        value = f"{fan.value} x {times}" if times > 1 else str(fan.value)
        grid.add_row("", fan.name, value, Text(fan.chinese if brush.kanji else "", "dim"))
    return [hand, grid, Text(f"  {win.fan} fan: ").append(f"{win.points:,} points", "bold")]
