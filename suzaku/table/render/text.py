"""A seat as plain text, ASCII only.

Tiles are written as in `suzaku.tiles` (0 is the red five, ## a tile that may not be seen). After a discard, `!` marks
riichi, `^` that it was called, `'` that it was the tile just drawn. In a meld the called tile stands in parentheses:
first if it came from the left, second from across, last from the right; `<S` names the seat.
"""

from suzaku.table.render.picture import HIDDEN, Discard, Meld, Seat
from suzaku.tiles import NAMES

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
