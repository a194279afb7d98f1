"""The kernel that says what the asked seat may do."""

from suzaku.kernel import kernel
from suzaku.mcr import actions as act
from suzaku.mcr.claims import fans_of, fill_claims, win_flags
from suzaku.mcr.deal import is_last, left_for
from suzaku.mcr.melds import PONG
from suzaku.mcr.state import CALLED, CLAIM, ROB, TURN


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
