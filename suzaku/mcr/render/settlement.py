"""How a hand ended, read from its record as plain data."""

from dataclasses import dataclass

import numpy as np

from suzaku.mcr import state as st
from suzaku.mcr.fans import COUNT_BITS, FANS, FIRST_SMALL, REPEATED_SHIFT, Fan
from suzaku.mcr.render.picture import meld_of, round_name
from suzaku.mcr.table import hand_tiles
from suzaku.table.render.picture import WIND_NAMES, Meld, wind_of


@dataclass(frozen=True)
class Win:
    """The winner's hand and its fans."""

    seat: int
    wind: int
    tiles: tuple[int, ...]  # concealed, without the winning tile
    melds: tuple[Meld, ...]
    tile: int  # the winning tile
    fans: tuple[tuple[Fan, int], ...]  # with how often each counts, flowers last
    fan: int  # total with flowers
    points: int


@dataclass(frozen=True)
class Settlement:
    """The end of a hand."""

    title: str
    text: str  # one sentence: who won from whom, or why nobody did
    win: Win | None
    deltas: tuple[int, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]  # by score, ties by seat, 0 = first
    winds: tuple[int, ...]


def fans_of_win(record: np.record) -> list[tuple[Fan, int]]:
    """The fans of the win that ended the hand, each with how often it counts, flowers last."""
    big, small, more = int(record.win_big), int(record.win_small), int(record.win_more)
    found = []
    for fan in FANS:
        bit = big >> fan.number - 1 if fan.number < FIRST_SMALL else small >> fan.number - FIRST_SMALL
        if bit & 1:
            again = more >> REPEATED_SHIFT[fan.number] & (1 << COUNT_BITS) - 1 if fan.number in REPEATED_SHIFT else 0
            found.append((fan, 1 + again))
    flowers = int(record.win_flowers)
    return [*found, (FANS[80], flowers)] if flowers else found


def settlement(record: np.record) -> Settlement:
    """The settlement of a hand that is over."""
    scores = tuple(int(score) for score in record.scores)
    order = sorted(range(4), key=lambda seat: (-scores[seat], seat))
    return Settlement(
        title=f"{round_name(record)}: {st.RESULT_NAMES[int(record.result)]}",
        text=_text(record),
        win=_win(record) if record.wins else None,
        deltas=tuple(int(delta) for delta in record.deltas),
        scores=scores,
        ranks=tuple(order.index(seat) for seat in range(4)),
        winds=tuple(wind_of(record, seat) for seat in range(4)),
    )


def _text(record: np.record) -> str:
    if record.result == st.DRAWN:
        return "no tile is left to draw"
    name = WIND_NAMES[wind_of(record, int(record.win_seat))]
    if record.result == st.FOUL:
        return f"{name} is fined for a foul"
    if record.result == st.WIN_BY_DRAW:
        return f"{name} wins by self-draw"
    return f"{name} wins on the tile of {WIND_NAMES[wind_of(record, int(record.win_from))]}"


def _win(record: np.record) -> Win:
    seat, tile = int(record.win_seat), int(record.win_tile)
    tiles = hand_tiles(record, seat)
    if record.result == st.WIN_BY_DRAW and tile in tiles:
        tiles.remove(tile)
    return Win(
        seat=seat,
        wind=wind_of(record, seat),
        tiles=tuple(tiles),
        melds=tuple(meld_of(record, seat, i) for i in range(int(record.melds[seat]))),
        tile=tile,
        fans=tuple(fans_of_win(record)),
        fan=int(record.win_fan) + int(record.win_flowers),
        points=int(record.deltas[seat]),
    )
