"""What everybody at the table sees happen by one action, as the page is told."""

from typing import Any

import numpy as np

from suzaku.mcr import actions as act
from suzaku.mcr import melds as md
from suzaku.mcr import state as st


def event_of(before: np.record | None, action: int, after: np.record) -> dict[str, Any] | None:
    """The event that an action brought about; None if it stays secret, such as a claim that is not settled yet.

    Without a table before it is a deal.
    """
    if before is None:
        return {"type": "deal", "seat": int(after.dealer)}
    if after.wins and after.phase >= st.ROUND_OVER:
        type_ = "self_draw" if after.result == st.WIN_BY_DRAW else "win"
        return {"type": type_, "seat": int(after.win_seat)}
    if action >= act.FOUL:
        return {"type": "foul", "seat": action - act.FOUL}
    for seat in range(4):
        if after.melds[seat] > before.melds[seat]:
            made = int(after.meld_type[seat, after.melds[seat] - 1])
            return {"type": "chow" if made == md.CHOW else "pong" if made == md.PONG else "kong", "seat": seat}
    if before.phase in (st.CLAIM, st.ROB):
        return None
    seat = int(before.seat)
    if act.CLOSED_KONG <= action < act.WIN:
        return {"type": "kong", "seat": seat}
    return {"type": "discard", "seat": seat} if action < act.CHOW_LOW else None


def in_secret(record: np.record) -> bool:
    """Whether a seat is asked about a tile of another: that it may claim it is secret."""
    return bool(record.phase in (st.CLAIM, st.ROB))
