"""What of a table record is to be drawn, and for whose eyes; how a hand ended.

- What of a table record is to be drawn, and for whose eyes: plain data.
- How a hand ended, read from its record as plain data.
"""

from dataclasses import dataclass

import numpy as np

from suzaku.mcr import state as md
from suzaku.mcr import state as st
from suzaku.mcr.fans import COUNT_BITS, FANS, FIRST_SMALL, REPEATED_SHIFT, Fan
from suzaku.mcr.redraw import hand_tiles, shown_hands
from suzaku.table import picture as drawn
from suzaku.table.picture import HIDDEN, WIND_NAMES, Discard, Meld, wind_of
from suzaku.tiles import WINDS


@dataclass(frozen=True)
class Seat(drawn.Seat):
    """One side of the table."""

    flowers: int  # laid out


@dataclass(frozen=True)
class Picture:
    """A whole table as one viewer sees it."""

    seats: tuple[Seat, ...]
    round_name: str
    counters: tuple[str, ...]  # tiles left, of each seat where walls are private
    asked: str  # what is asked of whom, or how the hand ended, in a few words
    over: bool  # the hand is over
    indicators: tuple[int, ...] = ()


def round_name(record: np.record) -> str:
    """Such as "East 1": the prevalent wind, and the number of the hand in its round."""
    number = int(record.hand_no)
    return f"{WIND_NAMES[number // 4]} {number % 4 + 1}"


def meld_of(record: np.record, seat: int, place: int) -> Meld:
    """A meld laid out as at a real table; a closed kong that may not be seen has kind -1."""
    type_, first = int(record.meld_type[seat, place]), int(record.meld_kind[seat, place])
    called = int(record.meld_called[seat, place])
    if type_ == md.CHOW:
        kinds = [first, first + 1, first + 2]
    else:
        kinds = [HIDDEN if first < 0 else first] * (3 if type_ in (md.PONG, md.ADDED_KONG) else 4)
    name = md.MELD_NAMES[type_]
    if called < 0:
        return Meld(name, tuple(kinds), -1, -1, "")
    kinds.remove(called)
    source = int(record.meld_from[seat, place])
    at = {3: 0, 2: 1, 1: len(kinds)}[(source - seat) % 4]  # left, across, right
    kinds.insert(at, called)
    added = first if type_ == md.ADDED_KONG else -1
    return Meld(name, tuple(kinds), at, added, WINDS[wind_of(record, source)])


def picture(record: np.record, seat: int | None = None, reveal: bool = True) -> Picture:
    """The table as `seat` sees it; without a seat, everything, or with `reveal` off what all can see."""
    shown = set(range(4)) if seat is None and reveal else shown_hands(record)
    if seat is not None:
        shown.add(seat)
    # Who is asked about a discard tells something about a hidden hand.
    open_question = record.phase not in (st.CLAIM, st.ROB) or int(record.seat) in shown
    left = [int(record.left)] if not record.rules.duplicate else record.own_left.tolist()
    return Picture(
        seats=tuple(_seat(record, p, p in shown, open_question) for p in range(4)),
        round_name=round_name(record),
        counters=("left " + " ".join(map(str, left)),),
        asked=_asked(record) if open_question else "waiting for claims",
        over=bool(record.phase >= st.ROUND_OVER),
    )


def _seat(record: np.record, seat: int, shown: bool, open_question: bool) -> Seat:
    over = bool(record.phase >= st.ROUND_OVER)
    has_turn = int(record.turn) == seat
    drawn = int(record.drawn) if has_turn else -1
    holds_drawn = has_turn and (record.phase == st.TURN or (over and drawn >= 0))
    tiles = hand_tiles(record, seat)
    melds = [meld_of(record, seat, i) for i in range(int(record.melds[seat]))]
    if shown and tiles:  # a view holds no tiles of hands its seat cannot see
        if holds_drawn and drawn in tiles:
            tiles.remove(drawn)
    else:
        tiles = [HIDDEN] * (13 - 3 * len(melds) + (record.phase == st.CALLED and has_turn))
        melds = [Meld(m.type, (HIDDEN,) * 4, -1, -1, "") if m.type == "closed_kong" else m for m in melds]
    newest = int(record.discards) - 1
    size = int(record.river_size[seat])
    rows = (record.river[seat, :size], record.river_called[seat, :size], record.river_order[seat, :size])
    river = [
        Discard(tile, False, False, bool(called), order == newest and not called)
        for tile, called, order in zip(*(row.tolist() for row in rows), strict=True)
    ]
    return Seat(
        seat=seat,
        wind=wind_of(record, seat),
        score=int(record.scores[seat]),
        hand=tuple(tiles),
        drawn=(drawn if shown and tiles else HIDDEN) if holds_drawn else None,
        melds=tuple(melds),
        river=tuple(river),
        riichi=False,
        dealer=int(record.dealer) == seat,
        asked=int(record.seat) == seat and open_question and not over,
        flowers=int(record.flowers[seat]).bit_count(),
    )


def _asked(record: np.record) -> str:
    phase = int(record.phase)
    if phase >= st.ROUND_OVER:
        over = "game" if phase == st.GAME_OVER else "hand"
        return f"{over} over: {st.RESULT_NAMES[int(record.result)]}"
    name = WIND_NAMES[wind_of(record, int(record.seat))]
    words = {
        st.TURN: "to move",
        st.CALLED: "to discard after the call",
        st.CLAIM: "may claim the discard",
        st.ROB: "may rob the kong",
    }
    return f"{name} {words[phase]}"


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
