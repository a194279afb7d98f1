"""What of a table record is to be drawn, and for whose eyes; how a round ended.

- What of a table record is to be drawn, and for whose eyes: plain data that text, terminal and SVG share.
- How a round ended, read from its record as plain data: wins with their yaku, draws with the tenpai hands.
"""

from dataclasses import dataclass

import numpy as np

from suzaku.riichi import state as st
from suzaku.riichi.redraw import hand_tiles, shown_hands
from suzaku.riichi.yaku import YAKU
from suzaku.table.picture import HIDDEN, WIND_NAMES, Discard, Meld, Seat, wind_of
from suzaku.tiles import DORA_OF, KIND_OF, RED, WINDS


@dataclass(frozen=True)
class Picture:
    """A whole table as one viewer sees it."""

    seats: tuple[Seat, ...]
    round_name: str
    honba: int
    sticks: int
    left: int
    indicators: tuple[int, ...]
    asked: str  # what is asked of whom, or how the round ended, in a few words
    over: bool  # the round is over

    @property
    def counters(self) -> tuple[str, ...]:
        """What the middle of the table says besides the round."""
        return f"honba {self.honba}", f"sticks {self.sticks}", f"left {self.left}"

    @property
    def dora(self) -> tuple[int, ...]:
        """The kinds that are dora."""
        return tuple(int(DORA_OF[tile]) for tile in self.indicators)


def round_name(record: np.record) -> str:
    """Such as "East 1"."""
    number = int(record.round_no)
    return f"{WIND_NAMES[number // 4 % 4]} {number % 4 + 1}"


def meld_of(record: np.record, seat: int, place: int) -> Meld:
    """A meld laid out as at a real table."""
    type_, first = int(record.meld_type[seat, place]), int(record.meld_tile[seat, place])
    called, added = int(record.meld_called[seat, place]), int(record.meld_added[seat, place])
    kinds = (
        [first, first + 1, first + 2] if type_ == st.CHOW else [first] * (3 if type_ in (st.PONG, st.ADDED_KONG) else 4)
    )
    red = int(record.meld_red[seat, place]) - (called >= RED) - (added >= RED)
    if called >= 0:
        kinds.remove(int(KIND_OF[called]))
    tiles = []
    for k in kinds:
        if red > 0 and k < 27 and k % 9 == 4:
            tiles.append(RED + k // 9)
            red -= 1
        else:
            tiles.append(k)
    if called < 0:
        return Meld(st.MELD_NAMES[type_], tuple(tiles), -1, -1, "")
    source = int(record.meld_from[seat, place])
    at = {3: 0, 2: 1, 1: len(tiles)}[(source - seat) % 4]  # left, across, right
    tiles.insert(at, called)
    return Meld(st.MELD_NAMES[type_], tuple(tiles), at, added, WINDS[wind_of(record, source)])


def indicators_of(record: np.record, ura: bool = False) -> tuple[int, ...]:
    """The dora indicators shown so far, or the ones below them."""
    places = (st.URA_INDICATORS if ura else st.INDICATORS)[: int(record.indicators)]
    return tuple(int(record.wall[place]) for place in places)


def picture(record: np.record, seat: int | None = None, reveal: bool = True) -> Picture:
    """The table as `seat` sees it; without a seat, everything, or with `reveal` off what all can see."""
    shown = set(range(4)) if seat is None and reveal else shown_hands(record)
    if seat is not None:
        shown.add(seat)
    # Who is asked about a discard tells something about a hidden hand.
    open_question = record.phase not in (st.CLAIM, st.ROB) or int(record.seat) in shown
    return Picture(
        seats=tuple(_seat(record, p, p in shown, open_question) for p in range(4)),
        round_name=round_name(record),
        honba=int(record.honba),
        sticks=int(record.sticks),
        left=int(record.left),
        indicators=indicators_of(record),
        asked=_asked(record) if open_question else "waiting for claims",
        over=record.phase in (st.ROUND_OVER, st.GAME_OVER),
    )


def _seat(record: np.record, seat: int, shown: bool, open_question: bool) -> Seat:
    over = record.phase in (st.ROUND_OVER, st.GAME_OVER)
    has_turn = int(record.turn) == seat
    drawn = int(record.drawn) if has_turn and record.phase != st.CALLED else -1
    holds_drawn = has_turn and (record.phase in (st.TURN, st.RIICHI_DISCARD) or (over and drawn >= 0))
    tiles = hand_tiles(record, seat)
    if shown and tiles:  # a view holds no tiles of hands its seat cannot see
        if holds_drawn and drawn in tiles:
            tiles.remove(drawn)
    else:
        tiles = [HIDDEN] * (13 - 3 * int(record.melds[seat]) + (record.phase == st.CALLED and has_turn))
    newest = int(record.discards) - 1
    size = int(record.river_size[seat])
    rows = (record.river[seat, :size], record.river_flag[seat, :size], record.river_order[seat, :size])
    river = [
        Discard(
            tile,
            bool(flag & st.RIVER_DRAWN),
            bool(flag & st.RIVER_RIICHI),
            bool(flag & st.RIVER_CALLED),
            order == newest and not flag & st.RIVER_CALLED,
        )
        for tile, flag, order in zip(*(row.tolist() for row in rows), strict=True)
    ]
    return Seat(
        seat=seat,
        wind=wind_of(record, seat),
        score=int(record.scores[seat]),
        hand=tuple(tiles),
        drawn=(drawn if shown and tiles else HIDDEN) if holds_drawn else None,
        melds=tuple(meld_of(record, seat, i) for i in range(int(record.melds[seat]))),
        river=tuple(river),
        riichi=bool(record.riichi[seat]) or int(record.riichi_due) == seat,
        dealer=int(record.dealer) == seat,
        asked=int(record.seat) == seat and open_question and not over,
    )


def _asked(record: np.record) -> str:
    phase = int(record.phase)
    if phase == st.ROUND_OVER:
        return f"round over: {st.RESULT_NAMES[int(record.result)]}"
    if phase == st.GAME_OVER:
        return f"game over: {st.RESULT_NAMES[int(record.result)]}"
    name = WIND_NAMES[wind_of(record, int(record.seat))]
    return (
        name
        + {
            st.TURN: " to move",
            st.CALLED: " to discard after the call",
            st.RIICHI_DISCARD: " to discard for riichi",
            st.CLAIM: " may claim the discard",
            st.ROB: " may rob the kong",
        }[phase]
    )


LIMITS = ("mangan", "haneman", "haneman", "baiman", "baiman", "baiman", "sanbaiman", "sanbaiman")  # from 5 han on
DORAS = (
    ("dora", "tiles after the indicators"),
    ("ura dora", "tiles after the indicators below, for riichi"),
    ("red five", "each counts as a dora"),
)


@dataclass(frozen=True)
class Shown:
    """A hand laid open."""

    seat: int
    wind: int
    tiles: tuple[int, ...]  # without the winning tile
    melds: tuple[Meld, ...]


@dataclass(frozen=True)
class Win:
    """One winner's hand and its worth."""

    hand: Shown
    tile: int  # the winning tile
    yaku: tuple[tuple[str, str, str], ...]  # name, meaning and worth of each, doras last
    worth: str  # such as "3 han 30 fu" or "yakuman"
    points: int
    ura: tuple[int, ...]  # indicators below, for a riichi win


@dataclass(frozen=True)
class Settlement:
    """The end of a round."""

    title: str
    text: str  # one sentence: who won from whom, or why nobody did
    wins: tuple[Win, ...]
    hands: tuple[Shown, ...]  # at a draw: the hands laid open
    indicators: tuple[int, ...]
    deltas: tuple[int, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]  # by score, ties by seat, 0 = first
    winds: tuple[int, ...]
    sticks: int  # riichi sticks left on the table


def settlement(record: np.record) -> Settlement:
    """The settlement of a round that is over; its record must be at ROUND_OVER or GAME_OVER."""
    scores = tuple(int(score) for score in record.scores)
    order = sorted(range(4), key=lambda seat: (-scores[seat], seat))
    won = record.result in (st.WIN_BY_DRAW, st.WIN_BY_DISCARD)
    honba = f", {int(record.honba)} honba" if record.honba else ""
    return Settlement(
        title=f"{round_name(record)}{honba}: {st.RESULT_NAMES[int(record.result)]}",
        text=_text(record),
        wins=tuple(_win(record, i) for i in range(int(record.wins))),
        hands=() if won else tuple(_shown(record, seat) for seat in sorted(shown_hands(record))),
        indicators=indicators_of(record),
        deltas=tuple(int(delta) for delta in record.deltas),
        scores=scores,
        ranks=tuple(order.index(seat) for seat in range(4)),
        winds=tuple(wind_of(record, seat) for seat in range(4)),
        sticks=int(record.sticks),
    )


def _name(record: np.record, seat: int) -> str:
    return WIND_NAMES[wind_of(record, seat)]


def _text(record: np.record) -> str:
    result = int(record.result)
    if result in (st.WIN_BY_DRAW, st.WIN_BY_DISCARD):
        winners = " and ".join(_name(record, int(seat)) for seat in record.win_seat[: record.wins])
        verb = "win" if record.wins > 1 else "wins"
        if result == st.WIN_BY_DRAW:
            return f"{winners} {verb} by self-draw"
        return f"{winners} {verb} on the tile of {_name(record, int(record.win_from))}"
    if result in (st.EXHAUSTED, st.NAGASHI):
        tenpai = [_name(record, seat) for seat in range(4) if int(record.tenpai) >> seat & 1]
        return f"tenpai: {', '.join(tenpai) or 'nobody'}"
    return "the round is aborted and dealt again"


def _shown(record: np.record, seat: int, without: int = -1) -> Shown:
    tiles = hand_tiles(record, seat)
    if without in tiles and len(tiles) % 3 == 2:
        tiles.remove(without)
    melds = tuple(meld_of(record, seat, i) for i in range(int(record.melds[seat])))
    return Shown(seat, wind_of(record, seat), tuple(tiles), melds)


def _win(record: np.record, i: int) -> Win:
    seat = int(record.win_seat[i])
    han, fu, yakuman = int(record.win_han[i]), int(record.win_fu[i]), int(record.win_yakuman[i])
    opened = record.open_melds[seat] > 0
    mask = int(record.win_yaku[i])
    yaku = [
        (row.name, row.gloss, "yakuman" if yakuman else f"{row.open if opened else row.closed} han")
        for row in YAKU
        if mask >> row.number & 1
    ]
    if not yakuman:
        for (name, gloss), count in zip(DORAS, record.win_dora[i], strict=True):
            if count:
                yaku.append((name, gloss, f"{int(count)} han"))
    return Win(
        hand=_shown(record, seat, int(record.win_tile)),
        tile=int(record.win_tile),
        yaku=tuple(yaku),
        worth=_worth(record, han, fu, yakuman),
        points=int(record.win_points[i]),
        ura=indicators_of(record, ura=True) if record.riichi[seat] and record.rules.ura_dora else (),
    )


def _worth(record: np.record, han: int, fu: int, yakuman: int) -> str:
    if yakuman:
        return "yakuman" if yakuman == 1 else f"{yakuman} times yakuman"
    if han >= 13:
        return f"{han} han, " + ("counted yakuman" if record.rules.counted_yakuman else "sanbaiman")
    if han >= 5:
        return f"{han} han, {LIMITS[han - 5]}"
    raw = fu << (2 + han)
    mangan = raw >= 2000 or (record.rules.round_up_mangan and raw >= 1920)
    return f"{han} han {fu} fu" + (", mangan" if mangan else "")
