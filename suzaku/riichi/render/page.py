"""A table as the page of `suzaku play` draws it: plain data, made from a record without what its viewer may not see."""

from typing import Any

import numpy as np

from suzaku.riichi import state as st
from suzaku.riichi.hidden import hide
from suzaku.riichi.render.picture import Picture, picture
from suzaku.riichi.render.settlement import Shown, settlement
from suzaku.riichi.rules import Rules
from suzaku.riichi.uma import final_points
from suzaku.table.render.page import Data, meld_data, tile_name, tile_names

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
