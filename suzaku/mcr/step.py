"""The kernel that carries out one action, and its parts: discards, calls and kongs."""

from suzaku.kernel import kernel
from suzaku.mcr import actions as act
from suzaku.mcr import state as st
from suzaku.mcr.claims import ask_next, open_claims
from suzaku.mcr.deal import draw, refresh
from suzaku.mcr.settle import settle_draw, settle_foul, settle_win
from suzaku.mcr.state import ADDED_KONG, CHOW, CLOSED_KONG, OPEN_KONG, PONG


@kernel
def step(tables, s, action):
    """Carry out a legal action of the asked seat, or a foul; the table then asks the next one."""
    if action >= act.FOUL:
        settle_foul(tables, s, action - act.FOUL)
    elif s.phase == st.CLAIM or s.phase == st.ROB:
        s.claim[s.seat] = action
        _go_on(tables, s)
    elif action < act.CHOW_LOW:
        _discard(tables, s, action)
    elif action == act.WIN:
        settle_win(tables, s, s.seat, s.drawn, True, False)
    elif action < act.ADDED_KONG:
        _closed_kong(tables, s, action - act.CLOSED_KONG)
    else:
        _added_kong(tables, s, action - act.ADDED_KONG)


@kernel
def _discard(tables, s, kind):
    p = s.seat
    i = s.river_size[p]
    s.hand[p, kind] -= 1
    s.river[p, i] = kind
    s.river_order[p, i] = s.discards
    s.river_size[p] = i + 1
    s.discards += 1
    s.drawn = -1
    s.after_kong = 0
    refresh(tables, s, p)
    open_claims(tables, s, kind, False)
    _go_on(tables, s)


@kernel
def _go_on(tables, s):
    """Ask the next claimant, or settle the claims when all have answered."""
    if ask_next(s):
        return
    for i in range(1, 4):
        p = (s.turn + i) & 3
        if s.claim[p] == act.WIN:
            settle_win(tables, s, p, s.offer, False, s.phase == st.ROB)
            return
    if s.phase == st.ROB:
        _complete_kong(tables, s)
    else:
        _after_discard(tables, s)


@kernel
def _after_discard(tables, s):
    """Nobody won on a discard: a call, or the next draw."""
    caller = -1
    for p in range(4):
        if s.claim[p] == act.PONG or s.claim[p] == act.OPEN_KONG:
            caller = p
    after = (s.turn + 1) & 3
    if caller < 0 and s.claim[after] != act.PASS:
        caller = after
    if caller >= 0:
        call(tables, s, caller, s.claim[caller])
        return
    s.public[s.offer] += 1
    if not draw(s, after, False):
        settle_draw(tables, s)


@kernel
def _add_meld(s, p, meld_type, kind, called, source):
    i = s.melds[p]
    s.meld_type[p, i] = meld_type
    s.meld_kind[p, i] = kind
    s.meld_called[p, i] = called
    s.meld_from[p, i] = source
    s.meld_order[p, i] = s.discards
    s.melds[p] = i + 1


@kernel
def call(tables, s, p, action):
    """Seat p takes the offered discard for a chow, pong or open kong."""
    source = s.turn
    s.river_called[source, s.river_size[source] - 1] = 1
    kind = s.offer
    s.turn = p
    if action == act.OPEN_KONG:
        s.hand[p, kind] -= 3
        s.public[kind] += 4
        _add_meld(s, p, OPEN_KONG, kind, kind, source)
        _complete_kong(tables, s)
        return
    if action == act.PONG:
        s.hand[p, kind] -= 2
        s.public[kind] += 3
        _add_meld(s, p, PONG, kind, kind, source)
    else:
        low = kind - (action - act.CHOW_LOW)
        for k in range(low, low + 3):
            if k != kind:
                s.hand[p, k] -= 1
            s.public[k] += 1
        _add_meld(s, p, CHOW, low, kind, source)
    s.phase = st.CALLED
    s.seat = p


@kernel
def _closed_kong(tables, s, kind):
    p = s.seat
    s.hand[p, kind] -= 4
    _add_meld(s, p, CLOSED_KONG, kind, -1, p)
    _complete_kong(tables, s)


@kernel
def _added_kong(tables, s, kind):
    """Offer the added tile to be robbed; it lies in no hand meanwhile, and in the pong once nobody wins on it."""
    s.hand[s.seat, kind] -= 1
    s.drawn = -1
    s.after_kong = 0
    open_claims(tables, s, kind, True)
    _go_on(tables, s)


@kernel
def _complete_kong(tables, s):
    """The kong of seat `turn` stands: draw the replacement."""
    p = s.turn
    if s.phase == st.ROB:
        for i in range(s.melds[p]):
            if s.meld_type[p, i] == PONG and s.meld_kind[p, i] == s.offer:
                s.meld_type[p, i] = ADDED_KONG
        s.public[s.offer] += 1
    refresh(tables, s, p)
    if not draw(s, p, True):
        settle_draw(tables, s)
