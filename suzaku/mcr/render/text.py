"""A table as plain text of at most 80 columns, ASCII only: for `print(table)`, tests and messages.

The marks are those of Riichi's drawing: `^` after a discard that was called; in a meld the called tile stands in
parentheses, first if it came from the left, second from across, last from the right; `<S` names the seat.
"""

import numpy as np

from suzaku.mcr.render.picture import Picture, picture
from suzaku.mcr.render.settlement import Settlement, settlement
from suzaku.mcr.state import ROUND_OVER
from suzaku.table.render.picture import WIND_NAMES
from suzaku.table.render.text import meld_text, seat_lines, tile_text
from suzaku.tiles import to_text
from suzaku.words import some


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
