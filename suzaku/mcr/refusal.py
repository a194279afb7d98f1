"""Why an action is not legal, in words."""

import numpy as np

from suzaku.hand.tables import tables as hand_tables
from suzaku.mcr import actions as act
from suzaku.mcr import state as st
from suzaku.mcr.claims import fans_of, win_flags
from suzaku.mcr.deal import is_last, left_for
from suzaku.tiles import NAMES


def why_illegal(record: np.record, action: int) -> str:
    """The reason as an end of a sentence, such as " (the hand makes 6 fan and needs 8)"; empty if it is plain."""
    reason = _reason(record.copy(), action)
    return f" ({reason})" if reason else ""


def _reason(s: np.record, action: int) -> str:
    seat, claims = int(s.seat), s.phase in (st.CLAIM, st.ROB)
    if action == act.WIN:
        return _no_win(s, seat, claims)
    if not 0 <= action < act.ACTIONS:
        return f"actions are 0 to {act.ACTIONS - 1}"
    if action >= act.FOUL:
        return "a fine is not for a player to choose"
    if claims == (action < act.CHOW_LOW or act.CLOSED_KONG <= action < act.WIN):
        return "a tile of another seat is offered" if claims else "no tile of another seat is offered"
    if action < act.CHOW_LOW:
        return f"no {NAMES[action]} in the hand"
    if s.phase == st.CALLED:
        return "after a call a tile is discarded"
    if claims:
        if is_last(s, s.turn):
            return "the last discard can only be won on"
        if s.phase == st.ROB:
            return "a kong can only be robbed"
        if act.CHOW_LOW <= action <= act.CHOW_HIGH and (s.turn + 1) % 4 != seat:
            return "only the next seat may chow"
        if action == act.OPEN_KONG and s.hand[seat, s.offer] == 3:
            return "no tile is left to replace it"
        return "the hand does not hold the tiles for it"
    if left_for(s, seat) == 0 or is_last(s, seat):
        return "no kong when the walls run out"
    return "the hand does not hold the tiles for it"


def _no_win(s: np.record, seat: int, claims: bool) -> str:
    if s.phase == st.CALLED:
        return "after a call a tile is discarded"
    kind = int(s.offer if claims else s.drawn)
    if claims:
        s.hand[seat, kind] += 1
    fan = int(fans_of(hand_tables(), s, seat, kind, win_flags(s, kind, not claims, s.phase == st.ROB))[0])
    return "the hand is not complete" if fan < 0 else f"the hand makes {fan} fan and needs {int(s.rules.minimum)}"
