"""The end of a round in a terminal, with rich."""

from collections.abc import Sequence

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from suzaku.riichi.render.settlement import Settlement, Shown, Win
from suzaku.table.render.picture import WIND_NAMES
from suzaku.table.render.terminal import Brush
from suzaku.table.render.terminal_end import payments


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
