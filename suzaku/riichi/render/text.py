"""A table as plain text of at most 80 columns, ASCII only: for `print(table)`, tests and messages.

Tiles are written as in `suzaku.tiles` (0 is the red five, ## a tile that may not be seen). After a discard, `!` marks
riichi, `^` that it was called, `'` that it was the tile just drawn. In a meld the called tile stands in parentheses:
first if it came from the left, second from across, last from the right; `<S` names the seat.
"""

import numpy as np

from suzaku.riichi.render.picture import HIDDEN, WIND_NAMES, Discard, Meld, Picture, Seat, picture
from suzaku.riichi.render.settlement import Settlement, Shown, settlement
from suzaku.riichi.state import CLOSED_KONG, GAME_OVER, ROUND_OVER
from suzaku.tiles import NAMES, to_text

PER_LINE = 24  # tiles of a river on a line


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


def tile_text(tile: int) -> str:
    """One tile in two characters."""
    return "##" if tile == HIDDEN else NAMES[tile]


def tiles_text(tiles: tuple[int, ...]) -> str:
    """Tiles with a space between them."""
    return " ".join(tile_text(tile) for tile in tiles)


def meld_text(meld: Meld) -> str:
    """A meld such as "(3s)4s5s<W", "7z(7z)7z<N" or "[1m1m1m1m]"."""
    words = [tile_text(tile) for tile in meld.tiles]
    if meld.type == CLOSED_KONG:
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
