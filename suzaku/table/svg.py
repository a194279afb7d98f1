"""A table as SVG, for notebooks and pages: every seat's hand, melds and river around the middle."""

from html import escape

from suzaku.table.picture import HIDDEN, WIND_NAMES, Drawable, Meld, Seat
from suzaku.tiles import KANJI, NAMES, RED, WINDS

SIZE = 640  # width and height of the drawing
CENTRE = SIZE / 2
WIDTH, HEIGHT = 30, 40  # a tile of a hand
SMALL = 0.84  # tiles of melds and rivers beside those of a hand
MIDDLE = 100  # half the width of the middle square
ROW = 6  # tiles of a river on a line

INK = {"m": "#8c1d18", "p": "#1d4e89", "s": "#1f6b3a"}
RED_INK = "#d7261e"
HONOUR_INK = ["#222", "#222", "#222", "#222", "#789", "#1f6b3a", RED_INK]
FONT = "font-family='Noto Sans CJK JP, Hiragino Sans, Yu Gothic, Microsoft YaHei, sans-serif'"


def tile_svg(tile: int, x: float, y: float, scale: float = 1, sideways: bool = False, shade: float = 1) -> str:
    """One tile with its upper left corner at x, y; `sideways` lays it on its side, `shade` below 1 pales it."""
    place = f"translate({x:.1f} {y:.1f}) scale({scale})"
    if sideways:
        place += f" translate(0 {WIDTH}) rotate(-90)"
    opacity = f" opacity='{shade}'" if shade < 1 else ""
    return f"<g transform='{place}'{opacity}>{_face(tile)}</g>"


def _face(tile: int) -> str:
    fill, edge = ("#c7722b", "#8a4c18") if tile == HIDDEN else ("#fbf8ef", "#8d8672")
    parts = [
        f"<rect x='.75' y='.75' width='{WIDTH - 1.5}' height='{HEIGHT - 1.5}' rx='4' fill='{fill}' stroke='{edge}'/>"
    ]
    if tile == HIDDEN:
        parts.append(
            f"<rect x='5' y='5' width='{WIDTH - 10}' height='{HEIGHT - 10}' rx='2' fill='none' stroke='#e0a36c'/>"
        )
    elif 27 <= tile < RED:
        honour = tile - 27
        parts.append(_text(15, 28, 21, KANJI[honour], HONOUR_INK[honour], bold=True))
        if honour < 4:
            parts.append(_text(6.5, 11, 8, WINDS[honour], "#888"))
    else:
        number, suit = NAMES[tile][0], NAMES[tile][1]
        ink = RED_INK if tile >= RED else INK[suit]
        parts.append(_text(15, 20, 20, "5" if tile >= RED else number, ink, bold=True))
        parts.append(_suit(suit, ink))
        if tile >= RED:
            parts.append(f"<circle cx='24.5' cy='6.5' r='2.5' fill='{RED_INK}'/>")
    return "".join(parts)


def _suit(suit: str, ink: str) -> str:
    """The sign of a suit in the lower part of a tile: a character, a circle, a bamboo."""
    if suit == "m":
        return _text(15, 35.5, 13, "萬", ink)
    if suit == "p":
        ring = f"<circle cx='15' cy='30' r='5.5' fill='none' stroke='{ink}' stroke-width='2'/>"
        return ring + f"<circle cx='15' cy='30' r='1.8' fill='{ink}'/>"
    stick = f"<rect x='12.5' y='24' width='5' height='12' rx='2.5' fill='{ink}'/>"
    return stick + f"<path d='M10.5 30H19.5' stroke='#fbf8ef' stroke-width='1.6'/><path d='M11 30H19' stroke='{ink}'/>"


def _text(x: float, y: float, size: float, text: str, fill: str, bold: bool = False, anchor: str = "middle") -> str:
    weight = " font-weight='bold'" if bold else ""
    where = f"x='{x:.1f}' y='{y:.1f}' font-size='{size}' text-anchor='{anchor}'"
    return f"<text {where} fill='{fill}'{weight} {FONT}>{escape(text)}</text>"


def _meld(meld: Meld, right: float, bottom: float) -> tuple[str, float]:
    """A meld that ends at `right` and stands on `bottom`, and where it begins."""
    width, height = WIDTH * SMALL, HEIGHT * SMALL
    parts = []
    x = right
    for place in reversed(range(len(meld.tiles))):
        tile = meld.tiles[place]
        if place == meld.called:
            x -= height
            parts.append(tile_svg(tile, x, bottom - width, SMALL, sideways=True))
            if meld.added >= 0:
                parts.append(tile_svg(meld.added, x, bottom - 2 * width, SMALL, sideways=True))
        else:
            x -= width
            back = meld.type == "closed_kong" and place in (0, 3)
            parts.append(tile_svg(HIDDEN if back else tile, x, bottom - height, SMALL))
    return "".join(parts), x


def _river(side: Seat) -> str:
    width, height = WIDTH * SMALL, HEIGHT * SMALL
    parts = []
    x, y = CENTRE - ROW / 2 * width, CENTRE + MIDDLE + 8
    for i, discard in enumerate(side.river):
        if i % ROW == 0 and 0 < i <= 2 * ROW:  # the third row holds all the rest
            x, y = CENTRE - ROW / 2 * width, y + height + 2
        shade = 0.35 if discard.called else 0.72 if discard.drawn else 1
        drop = height - width if discard.riichi else 0
        parts.append(tile_svg(discard.tile, x, y + drop, SMALL, discard.riichi, shade))
        across = height if discard.riichi else width
        if discard.last:
            mark = f"x='{x:.1f}' y='{y + drop:.1f}' width='{across:.1f}' height='{height - drop:.1f}'"
            parts.append(f"<rect {mark} rx='4' fill='none' stroke='#f2c230' stroke-width='2.5'/>")
        x += across
    return "".join(parts)


def _side(side: Seat, name: str) -> str:
    """A seat drawn at the bottom; the caller turns it to its side."""
    bottom = SIZE - 12.0
    right = SIZE - 66.0
    parts = [_river(side)]
    for meld in side.melds:
        drawing, right = _meld(meld, right, bottom)
        parts.append(drawing)
        right -= 6
    tiles = len(side.hand) + (side.drawn is not None)
    x = min(CENTRE - 7 * WIDTH, right - tiles * WIDTH - 14)
    for tile in side.hand:
        parts.append(tile_svg(tile, x, bottom - HEIGHT))
        x += WIDTH
    if side.drawn is not None:
        parts.append(tile_svg(side.drawn, x + 8, bottom - HEIGHT))
    y = CENTRE + MIDDLE - 17
    ink = "#f2c230" if side.asked else "#e9efe9"
    wind = WIND_NAMES[side.wind] + (" (dealer)" if side.dealer else "")
    parts.append(_text(CENTRE, y, 14, f"{wind}  {side.score:,}", ink, bold=side.asked))
    if name:
        parts.append(_text(CENTRE - 7 * WIDTH, bottom - HEIGHT - 8, 12, name, "#cfe0d3", anchor="start"))
    if side.riichi:
        parts.append(f"<rect x='{CENTRE - 45}' y='{y + 6}' width='90' height='5' rx='2.5' fill='#fff'/>")
        parts.append(f"<circle cx='{CENTRE}' cy='{y + 8.5}' r='1.8' fill='{RED_INK}'/>")
    return "".join(parts)


def _middle(view: Drawable) -> str:
    corner, side = CENTRE - MIDDLE, 2 * MIDDLE
    parts = [
        f"<rect x='{corner}' y='{corner}' width='{side}' height='{side}' rx='10' fill='#1c3d31' stroke='#0f241c'/>"
    ]
    parts.append(_text(CENTRE, CENTRE - 30, 20, view.round_name, "#fff", bold=True))
    parts.append(_text(CENTRE, CENTRE - 12, 10.5, " · ".join(view.counters), "#cfe0d3"))
    width = WIDTH * 0.8
    for i in range(5 if view.indicators else 0):
        tile = view.indicators[i] if i < len(view.indicators) else HIDDEN
        parts.append(tile_svg(tile, CENTRE + (i - 2.5) * width, CENTRE - 2, 0.8))
    if view.over:
        parts.append(_text(CENTRE, CENTRE + 50, 11, view.asked, "#f2c230"))
    return "".join(parts)


def picture_svg(view: Drawable, bottom: int, names: tuple[str, ...]) -> str:
    """What is to be drawn as SVG, with one seat at the bottom."""
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {SIZE} {SIZE}' width='100%' style='max-width:{SIZE}px'>",
        f"<rect width='{SIZE}' height='{SIZE}' rx='14' fill='#2c5f4b'/>",
        _middle(view),
    ]
    for side in view.seats:
        turn = -90 * ((side.seat - bottom) % 4)
        parts.append(f"<g transform='rotate({turn} {CENTRE} {CENTRE})'>{_side(side, names[side.seat])}</g>")
    return "".join(parts) + "</svg>"
