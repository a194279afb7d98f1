"""What the asked seat may do, of which types its decision is, and why an action is not legal.

- The kernel that says what the asked seat may do.
- Why an action is not legal, in words.
- Types of decisions: what was being asked, whatever the answer.
"""

import numpy as np

from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.mcr import actions as act
from suzaku.mcr import state as st
from suzaku.mcr.claims import fans_of, fill_claims, win_flags
from suzaku.mcr.deal import is_last, left_for
from suzaku.mcr.state import CALLED, CLAIM, PONG, ROB, TURN
from suzaku.tiles import NAMES


@kernel
def _fill_discards(s, p, out):
    for kind in range(34):
        if s.hand[p, kind] > 0:
            out[act.DISCARD + kind] = True


@kernel
def _fill_kongs(s, p, out):
    if left_for(s, p) == 0 or is_last(s, p):
        return
    for kind in range(34):
        if s.hand[p, kind] == 4:
            out[act.CLOSED_KONG + kind] = True
    for i in range(s.melds[p]):
        if s.meld_type[p, i] == PONG and s.hand[p, s.meld_kind[p, i]] > 0:
            out[act.ADDED_KONG + s.meld_kind[p, i]] = True


@kernel
def _can_win_draw(tables, s, p):
    if s.shanten[p] != 0:
        return False
    return fans_of(tables, s, p, s.drawn, win_flags(s, s.drawn, True, False))[0] >= s.rules.minimum


@kernel
def fill_legal(tables, s, out):
    """Set out[action] for every action that the asked seat may take, and clear the rest."""
    out[:] = False
    p = s.seat
    if s.phase == TURN:
        if _can_win_draw(tables, s, p):
            out[act.WIN] = True
        _fill_discards(s, p, out)
        _fill_kongs(s, p, out)
    elif s.phase == CALLED:
        _fill_discards(s, p, out)
    elif s.phase == CLAIM or s.phase == ROB:
        fill_claims(s, p, out)


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


# Types of decisions: what was being asked, whatever the answer.

TYPE_DISCARD, TYPE_CHOW, TYPE_PONG, TYPE_KONG, TYPE_WIN = (1 << i for i in range(5))
DECISION_TYPES = {
    "discard": TYPE_DISCARD,  # a tile was discarded, and there was a choice
    "chow": TYPE_CHOW,  # a chow was possible ...
    "pong": TYPE_PONG,
    "kong": TYPE_KONG,  # open, closed or added
    "win": TYPE_WIN,
}
FORCED = 1 << len(DECISION_TYPES)  # no decision at all: there was no choice


@kernel
def types_of(legal, action):
    """The types that a question with these legal actions belongs to, given the answer; FORCED without a choice."""
    types = 0
    discards = 0
    for a in range(act.CHOW_LOW):
        discards += legal[a]
    if action < act.CHOW_LOW and discards > 1:
        types |= TYPE_DISCARD
    for a in range(act.CHOW_LOW, act.PONG):
        if legal[a]:
            types |= TYPE_CHOW
    if legal[act.PONG]:
        types |= TYPE_PONG
    for a in range(act.OPEN_KONG, act.WIN):
        if legal[a]:
            types |= TYPE_KONG
    if legal[act.WIN]:
        types |= TYPE_WIN
    return types if types else FORCED
