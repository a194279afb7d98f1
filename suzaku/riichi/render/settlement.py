"""How a round ended, read from its record as plain data: wins with their yaku, draws with the tenpai hands."""

from dataclasses import dataclass

import numpy as np

from suzaku.riichi import state as st
from suzaku.riichi.hidden import shown_hands
from suzaku.riichi.render.picture import indicators_of, meld_of, round_name
from suzaku.riichi.table import hand_tiles
from suzaku.riichi.yaku import YAKU
from suzaku.table.render.picture import WIND_NAMES, Meld, wind_of

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
