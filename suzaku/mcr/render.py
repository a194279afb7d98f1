"""A table of MCR drawn: as text, as SVG, for the page, and the end of a hand in a terminal.

- A table as plain text of at most 80 columns, ASCII only: for `print(table)`, tests and messages.
- A table as SVG, for notebooks and pages.
- A table as the page of `suzaku play` draws it: plain data, made from a record without what its viewer may not see.
- What everybody at the table sees happen by one action, as the page is told.
- The end of a hand in a terminal, with rich.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from suzaku.mcr import actions as act
from suzaku.mcr import state as md
from suzaku.mcr import state as st
from suzaku.mcr.picture import Picture, Settlement, Win, picture, settlement
from suzaku.mcr.redraw import hide
from suzaku.mcr.state import ROUND_OVER
from suzaku.system import some
from suzaku.table.picture import WIND_NAMES, Data, meld_data, meld_text, seat_lines, tile_name, tile_names, tile_text
from suzaku.table.svg import picture_svg
from suzaku.table.terminal import Brush, payments
from suzaku.tiles import to_text

# The marks are those of Riichi's drawing: `^` after a discard that was called; in a meld the called tile stands in
# parentheses, first if it came from the left, second from across, last from the right; `<S` names the seat.


def draw_text(record: np.record, seat: int | None = None, reveal: bool = True) -> str:
    """The table as text: as `seat` sees it; without a seat all of it, or with `reveal` off what everybody can see."""
    view = picture(record, seat, reveal)
    lines = [header(view), ""]
    for side in view.seats:
        title, *rest = seat_lines(side)
        lines += [f"{title.rstrip()}   {some(side.flowers, 'flower')}" if side.flowers else title, *rest]
    lines += ["", view.asked]
    if record.phase >= ROUND_OVER:
        lines += ["", settlement_text(settlement(record))]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def header(view: Picture) -> str:
    """The hand and what is left of the walls, on a line."""
    return f"{view.round_name}   tiles {view.counters[0]}"


def settlement_text(end: Settlement) -> str:
    """The end of a hand as text."""
    lines = [end.title, end.text]
    if end.win:
        win = end.win
        hand = " ".join([to_text(win.tiles), *(meld_text(meld) for meld in win.melds)])
        lines += [f"{WIND_NAMES[win.wind]}: {hand} + {tile_text(win.tile)}"]
        for fan, times in win.fans:
            lines.append(f"  {fan.name:<34} {fan.value}" + (f" x {times}" if times > 1 else ""))
        lines += [f"  {win.fan} fan: {win.points} points"]
    for seat in range(4):
        wind, place = WIND_NAMES[end.winds[seat]], end.ranks[seat] + 1
        lines.append(f"{wind:<6} seat {seat} {end.deltas[seat]:+5d} -> {end.scores[seat]:5d}  (place {place})")
    return "\n".join(lines)


def draw_svg(
    record: np.record, seat: int | None = None, reveal: bool = True, names: tuple[str, ...] = ("", "", "", "")
) -> str:
    """The table as SVG: as `seat` sees it, from its side; without one all of it, or with `reveal` off what all see."""
    return picture_svg(picture(record, seat, reveal), seat or 0, names)


PHASES = ("turn", "called", "claim", "rob", "round over", "game over")


def view(record: np.record, seat: int | None = None) -> Data:
    """What a seat may see of a table; all of it, for watching agents and for replays, without a seat."""
    if seat is not None:
        record = hide(record.reshape(1), seat)[0]
    return _data(record, picture(record, seat))


def round_number(record: np.record) -> tuple[int, int]:
    """The hand, 0 for the first of the east wind, and that it is not repeated."""
    return int(record.hand_no), 0


def _data(record: np.record, drawn: Picture) -> Data:
    offered = record.phase in (st.CLAIM, st.ROB)
    data: Data = {
        "game": "mcr",
        "phase": PHASES[int(record.phase)],
        "round": int(record.hand_no),
        "left": int(record.left),
        "walls": record.own_left.tolist() if record.rules.duplicate else None,
        "turn": int(record.turn),
        "offer": tile_name(int(record.offer)) if offered else None,
        "seats": [
            {
                "wind": side.wind,
                "score": side.score,
                "hand": tile_names(side.hand),
                "drawn": None if side.drawn is None else tile_name(side.drawn),
                "melds": [meld_data(meld) for meld in side.melds],
                "river": [
                    [tile_name(one.tile), ("c" if one.called else "") + ("l" if one.last else "")] for one in side.river
                ],
                "flowers": [f"{i + 1}f" for i in range(8) if int(record.flowers[side.seat]) >> i & 1],
                "asked": side.asked,
            }
            for side in drawn.seats
        ],
    }
    if drawn.over:
        data["settlement"] = _settlement(record)
    if record.phase == st.GAME_OVER:
        data["ranking"] = _ranking(record)
    return data


def _settlement(record: np.record) -> Data:
    end = settlement(record)
    wins = []
    if end.win:
        win = end.win
        wins.append(
            {
                "seat": win.seat,
                "tiles": tile_names(win.tiles),
                "melds": [meld_data(meld) for meld in win.melds],
                "tile": tile_name(win.tile),
                "fans": [[fan.name, fan.chinese, fan.value, times] for fan, times in win.fans],
                "fan": win.fan,
                "points": win.points,
            }
        )
    return {
        "result": st.RESULT_NAMES[int(record.result)],
        "from": int(record.win_from) if wins else None,
        "foul": int(record.win_seat) if record.result == st.FOUL else None,
        "wins": wins,
        "deltas": list(end.deltas),
        "scores": list(end.scores),
    }


def _ranking(record: np.record) -> list[Data]:
    start = int(record.rules.start_score)
    return [
        {"seat": int(seat), "score": int(record.scores[seat]), "points": int(record.scores[seat]) - start}
        for seat in np.argsort(record.ranks)
    ]


def event_of(before: np.record | None, action: int, after: np.record) -> dict[str, Any] | None:
    """The event that an action brought about; None if it stays secret, such as a claim that is not settled yet.

    Without a table before it is a deal.
    """
    if before is None:
        return {"type": "deal", "seat": int(after.dealer)}
    if after.wins and after.phase >= st.ROUND_OVER:
        type_ = "self_draw" if after.result == st.WIN_BY_DRAW else "win"
        return {"type": type_, "seat": int(after.win_seat)}
    if action >= act.FOUL:
        return {"type": "foul", "seat": action - act.FOUL}
    for seat in range(4):
        if after.melds[seat] > before.melds[seat]:
            made = int(after.meld_type[seat, after.melds[seat] - 1])
            return {"type": "chow" if made == md.CHOW else "pong" if made == md.PONG else "kong", "seat": seat}
    if before.phase in (st.CLAIM, st.ROB):
        return None
    seat = int(before.seat)
    if act.CLOSED_KONG <= action < act.WIN:
        return {"type": "kong", "seat": seat}
    return {"type": "discard", "seat": seat} if action < act.CHOW_LOW else None


def in_secret(record: np.record) -> bool:
    """Whether a seat is asked about a tile of another: that it may claim it is secret."""
    return bool(record.phase in (st.CLAIM, st.ROB))


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
