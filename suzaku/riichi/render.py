"""A table of Riichi drawn: as text, as SVG, for the page, and the end of a round in a terminal.

- A table as plain text of at most 80 columns, ASCII only: for `print(table)`, tests and messages.
- A table as SVG, for notebooks and pages.
- A table as the page of `suzaku play` draws it: plain data, made from a record without what its viewer may not see.
- What everybody at the table sees happen by one action, as the page is told.
- The end of a round in a terminal, with rich.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from suzaku.riichi import actions as act
from suzaku.riichi import state as st
from suzaku.riichi.picture import Picture, Settlement, Shown, Win, picture, settlement
from suzaku.riichi.redraw import hide
from suzaku.riichi.rules import Rules, final_points
from suzaku.riichi.state import GAME_OVER, ROUND_OVER
from suzaku.table.picture import (
    WIND_NAMES,
    Data,
    meld_data,
    meld_text,
    seat_lines,
    tile_name,
    tile_names,
    tile_text,
    tiles_text,
)
from suzaku.table.svg import picture_svg
from suzaku.table.terminal import Brush, payments
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


def draw_svg(
    record: np.record, seat: int | None = None, reveal: bool = True, names: tuple[str, ...] = ("", "", "", "")
) -> str:
    """The table as SVG: as `seat` sees it, from its side; without one all of it, or with `reveal` off what all see."""
    return picture_svg(picture(record, seat, reveal), seat or 0, names)


PHASES = ("turn", "called", "riichi", "claim", "rob", "round over", "game over")


def view(record: np.record, seat: int | None = None) -> Data:
    """What a seat may see of a table; all of it, for watching agents and for replays, without a seat."""
    if seat is not None:
        record = hide(record.reshape(1), seat)[0]
    return _data(record, picture(record, seat))


def round_number(record: np.record) -> tuple[int, int]:
    """The round, 0 for the first of the east wind, and its honba."""
    return int(record.round_no), int(record.honba)


def _data(record: np.record, drawn: Picture) -> Data:
    offered = record.phase in (st.CLAIM, st.ROB)
    data: Data = {
        "game": "riichi",
        "phase": PHASES[int(record.phase)],
        "round": int(record.round_no),
        "honba": drawn.honba,
        "sticks": drawn.sticks,
        "left": drawn.left,
        "indicators": tile_names(drawn.indicators),
        "dora": tile_names(drawn.dora),
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
                    [tile_name(one.tile), "".join(m for m, on in zip("drcl", _marks(one), strict=True) if on)]
                    for one in side.river
                ],
                "riichi": side.riichi,
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


def _marks(one: Any) -> tuple[bool, ...]:
    return one.drawn, one.riichi, one.called, one.last


def _shown(hand: Shown) -> Data:
    return {"seat": hand.seat, "tiles": tile_names(hand.tiles), "melds": [meld_data(meld) for meld in hand.melds]}


def _settlement(record: np.record) -> Data:
    end = settlement(record)
    wins = []
    for i, win in enumerate(end.wins):
        wins.append(
            {
                **_shown(win.hand),
                "tile": tile_name(win.tile),
                "yaku": [[name, worth.removesuffix(" han")] for name, _, worth in win.yaku],
                "han": int(record.win_han[i]),
                "fu": int(record.win_fu[i]),
                "yakuman": int(record.win_yakuman[i]),
                "limit": win.worth.partition(", ")[2],
                "points": win.points,
                "ura": tile_names(win.ura),
            }
        )
    won = bool(wins)
    return {
        "result": st.RESULT_NAMES[int(record.result)],
        "from": int(record.win_from) if won else None,
        "wins": wins,
        "hands": [_shown(hand) for hand in end.hands],
        "tenpai": [seat for seat in range(4) if int(record.tenpai) >> seat & 1],
        "indicators": tile_names(end.indicators),
        "deltas": list(end.deltas),
        "scores": list(end.scores),
    }


def _ranking(record: np.record) -> list[Data]:
    points = final_points(Rules.from_record(record.rules), record.scores, record.ranks)
    order = np.argsort(record.ranks)
    return [
        {"seat": int(seat), "score": int(record.scores[seat]), "points": round(float(points[seat]), 1)}
        for seat in order
    ]


CALLS = {st.CHOW: "chow", st.PONG: "pong", st.OPEN_KONG: "kong", st.CLOSED_KONG: "kong", st.ADDED_KONG: "kong"}


def event_of(before: np.record | None, action: int, after: np.record) -> dict[str, Any] | None:
    """The event that an action brought about; None if it stays secret, such as a claim that is not settled yet.

    Without a table before it is a deal.
    """
    if before is None:
        return {"type": "deal", "seat": int(after.dealer)}
    if after.wins and after.phase >= st.ROUND_OVER:
        type_ = "tsumo" if after.result == st.WIN_BY_DRAW else "ron"
        return {"type": type_, "seat": int(after.win_seat[0])}
    for seat in range(4):
        if after.melds[seat] > before.melds[seat]:
            return {"type": CALLS[int(after.meld_type[seat, after.melds[seat] - 1])], "seat": seat}
        if (after.meld_added[seat] >= 0).sum() > (before.meld_added[seat] >= 0).sum():
            return {"type": "kong", "seat": seat}
    if before.phase in (st.CLAIM, st.ROB):
        return None
    seat = int(before.seat)
    if action == act.RIICHI:
        return {"type": "riichi", "seat": seat}
    if act.CLOSED_KONG <= action < act.WIN_DRAW:
        return {"type": "kong", "seat": seat}
    return {"type": "discard", "seat": seat} if action <= act.DISCARD_DRAWN else None


def in_secret(record: np.record) -> bool:
    """Whether a seat is asked about a tile of another: that it may claim it is secret."""
    return bool(record.phase in (st.CLAIM, st.ROB))


class RoundEnd:
    """The renderable of a round's settlement: hands, yaku, doras, payments."""

    def __init__(self, end: Settlement, names: Sequence[str]) -> None:
        self.end = end
        self.names = names

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        brush = Brush.of(console)
        end = self.end
        doras = Text("dora indicators ").append(brush.tiles(end.indicators))
        ura = next((win.ura for win in end.wins if win.ura), ())
        if ura:
            doras.append("   ura ").append(brush.tiles(ura))
        parts: list[RenderableType] = [Text(end.text), doras]
        for win in end.wins:
            parts += [Text(""), *_win(win, brush, options.max_width)]
        for hand in end.hands:
            parts.append(Text(f"{WIND_NAMES[hand.wind]:<6}").append(_hand_line(hand, brush)))
        parts += [Text(""), payments(end, self.names)]
        yield Panel(Group(*parts), title=end.title, title_align="left", expand=False, padding=(0, 1))


def _hand_line(hand: Shown, brush: Brush) -> Text:
    text = brush.tiles(hand.tiles)
    for meld in hand.melds:
        text.append("  ").append(brush.meld(meld))
    return text


def _win(win: Win, brush: Brush, width: int) -> list[RenderableType]:
    hand = Text().append(f"{WIND_NAMES[win.hand.wind]:<6}", "bold").append(_hand_line(win.hand, brush))
    hand.append("  + ").append(brush.face(win.tile), brush.style(win.tile))
    grid = Grid.grid(padding=(0, 2, 0, 0))
    for name, gloss, worth in win.yaku:
        grid.add_row("", name, worth, Text(gloss if width >= 70 else "", "dim"))
    return [hand, grid, Text(f"  {win.worth}: ").append(f"{win.points:,} points", "bold")]
