"""A table as the page of `suzaku play` draws it: plain data, made from a record without what its viewer may not see."""

import numpy as np

from suzaku.mcr import state as st
from suzaku.mcr.hidden import hide
from suzaku.mcr.render.picture import Picture, picture
from suzaku.mcr.render.settlement import settlement
from suzaku.table.render.page import Data, meld_data, tile_name, tile_names

PHASES = ("turn", "called", "claim", "rob", "round over", "game over")


def view(record: np.record, seat: int | None = None) -> Data:
    """What a seat may see of a table; all of it, for watching agents and for replays, without a seat."""
    if seat is not None:
        record = hide(record.reshape(1), seat)[0]
    return _data(record, picture(record, seat))


def round_number(record: np.record) -> tuple[int, int]:
    """The hand, 0 for the first of the east wind, and that it is not repeated."""
    return int(record.hand_no), 0


def _data(record: np.record, drawn: Picture) -> Data:
    offered = record.phase in (st.CLAIM, st.ROB)
    data: Data = {
        "game": "mcr",
        "phase": PHASES[int(record.phase)],
        "round": int(record.hand_no),
        "left": int(record.left),
        "walls": record.own_left.tolist() if record.rules.duplicate else None,
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
                    [tile_name(one.tile), ("c" if one.called else "") + ("l" if one.last else "")] for one in side.river
                ],
                "flowers": [f"{i + 1}f" for i in range(8) if int(record.flowers[side.seat]) >> i & 1],
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


def _settlement(record: np.record) -> Data:
    end = settlement(record)
    wins = []
    if end.win:
        win = end.win
        wins.append(
            {
                "seat": win.seat,
                "tiles": tile_names(win.tiles),
                "melds": [meld_data(meld) for meld in win.melds],
                "tile": tile_name(win.tile),
                "fans": [[fan.name, fan.chinese, fan.value, times] for fan, times in win.fans],
                "fan": win.fan,
                "points": win.points,
            }
        )
    return {
        "result": st.RESULT_NAMES[int(record.result)],
        "from": int(record.win_from) if wins else None,
        "foul": int(record.win_seat) if record.result == st.FOUL else None,
        "wins": wins,
        "deltas": list(end.deltas),
        "scores": list(end.scores),
    }


def _ranking(record: np.record) -> list[Data]:
    start = int(record.rules.start_score)
    return [
        {"seat": int(seat), "score": int(record.scores[seat]), "points": int(record.scores[seat]) - start}
        for seat in np.argsort(record.ranks)
    ]
