"""A table as plain text of at most 80 columns, ASCII only: for `print(table)`, tests and messages."""

import numpy as np

from suzaku.riichi.render.picture import Picture, picture
from suzaku.riichi.render.settlement import Settlement, Shown, settlement
from suzaku.riichi.state import GAME_OVER, ROUND_OVER
from suzaku.table.render.picture import WIND_NAMES
from suzaku.table.render.text import meld_text, seat_lines, tile_text, tiles_text
from suzaku.tiles import to_text


def draw_text(record: np.record, seat: int | None = None, reveal: bool = True) -> str:
    """The table as text: as `seat` sees it; without a seat all of it, or with `reveal` off what everybody can see."""
    view = picture(record, seat, reveal)
    lines = [header(view), f"dora indicators {tiles_text(view.indicators)}", ""]
    for side in view.seats:
        lines += seat_lines(side)
    lines += ["", view.asked]
    if record.phase in (ROUND_OVER, GAME_OVER):
        lines += ["", settlement_text(settlement(record))]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def header(view: Picture) -> str:
    """Round, counters and what is left of the wall, on a line."""
    return f"{view.round_name}   honba {view.honba}   riichi sticks {view.sticks}   tiles left {view.left}"


def shown_text(hand: Shown) -> str:
    """An open hand with its melds, such as "123m55p (7z)7z7z<S"."""
    return " ".join([to_text(hand.tiles), *(meld_text(meld) for meld in hand.melds)])


def settlement_text(end: Settlement) -> str:
    """The end of a round as text."""
    lines = [end.title, end.text]
    for win in end.wins:
        lines += [f"{WIND_NAMES[win.hand.wind]}: {shown_text(win.hand)} + {tile_text(win.tile)}"]
        lines += [f"  {name:<16} {worth}" for name, _, worth in win.yaku]
        lines += [f"  {win.worth}: {win.points} points"]
        if win.ura:
            lines += [f"  ura indicators {tiles_text(win.ura)}"]
    lines += [f"{WIND_NAMES[hand.wind]}: {shown_text(hand)}" for hand in end.hands]
    for seat in range(4):
        wind = WIND_NAMES[end.winds[seat]]
        lines.append(
            f"{wind:<6} seat {seat} {end.deltas[seat]:+7d} -> {end.scores[seat]:7d}  (place {end.ranks[seat] + 1})"
        )
    return "\n".join(lines)
