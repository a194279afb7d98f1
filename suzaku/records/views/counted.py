"""What is counted of the games of a store, for each game that can be counted."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from suzaku.records.game import RecordError


@dataclass(frozen=True)
class Counted:
    """The counts of a game: its kernel, and what its numbers are called."""

    tally: Callable[..., bool]  # (tables, s, walls, actions, legal, out): replay a game and add it up
    counts: np.dtype
    rates: Callable[[Any], list[tuple[str, float, str]]]
    drawn: int  # the result of a round that nobody won
    drawn_name: str
    results: tuple[str, ...]  # by number
    decisions: Mapping[str, tuple[int, int]]  # by type, in the order of their bits: the actions that take it
    parts_name: str  # what a win is made of: yaku or fans
    parts: Callable[[Any], list[tuple[str, int]]]
    points_unit: str  # of the places of `points`


def _riichi() -> Counted:
    from suzaku.riichi import actions as act
    from suzaku.riichi import state as st
    from suzaku.riichi.hand_counts import hand_rates
    from suzaku.riichi.loops.tally import TALLY, tally
    from suzaku.riichi.yaku import YAKU

    return Counted(
        tally=tally,
        counts=TALLY,
        rates=hand_rates,
        drawn=st.EXHAUSTED,
        drawn_name="exhaustive draws",
        results=tuple(st.RESULT_NAMES),
        decisions={
            "discard": (0, act.RIICHI),
            "riichi": (act.RIICHI, act.CHOW_LOW),
            "chow": (act.CHOW_LOW, act.PONG),
            "pong": (act.PONG, act.OPEN_KONG),
            "kong": (act.OPEN_KONG, act.WIN_DRAW),
            "win": (act.WIN_DRAW, act.NINE_KINDS),
            "nine_kinds": (act.NINE_KINDS, act.NINE_KINDS + 1),
        },
        parts_name="yaku",
        parts=lambda counts: [(row.name, int(counts.yaku[row.number])) for row in YAKU],
        points_unit="thousands of points",
    )


def _mcr() -> Counted:
    from suzaku.mcr import actions as act
    from suzaku.mcr import state as st
    from suzaku.mcr.fans import FANS
    from suzaku.mcr.hand_counts import hand_rates
    from suzaku.mcr.loops.tally import TALLY, tally

    fans = {fan.name for fan in FANS}
    return Counted(
        tally=tally,
        counts=TALLY,
        rates=lambda counts: [row for row in hand_rates(counts) if row[0] not in fans],
        drawn=st.DRAWN,
        drawn_name="hands that nobody won",
        results=st.RESULT_NAMES,
        decisions={
            "discard": (act.DISCARD, act.CHOW_LOW),
            "chow": (act.CHOW_LOW, act.PONG),
            "pong": (act.PONG, act.OPEN_KONG),
            "kong": (act.OPEN_KONG, act.WIN),
            "win": (act.WIN, act.WIN + 1),
        },
        parts_name="fans",
        parts=lambda counts: [(fan.name, int(n)) for fan, n in zip(FANS, counts.fans, strict=True)],
        points_unit="fan",
    )


COUNTED = {"riichi": _riichi, "mcr": _mcr}


def counted(game: str) -> Counted:
    """How a game is counted."""
    if game not in COUNTED:
        raise RecordError(f"games of {game} are not counted; those of {', '.join(COUNTED)} are")
    return COUNTED[game]()
