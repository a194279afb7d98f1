"""The kernel that carries out one action, and its parts: discards, calls and kongs."""

from suzaku.kernel import kernel
from suzaku.riichi import actions as act
from suzaku.riichi import state as st
from suzaku.riichi.claims import ask_next, barred_by_swap, end_turn, four_kongs, note_passed, open_claims
from suzaku.riichi.deal import bit, draw, draw_replacement, refresh, remove_tile
from suzaku.riichi.settle import abort_round, exhaust, settle_wins
from suzaku.riichi.state import ADDED_KONG, CHOW, CLOSED_KONG, OPEN_KONG, PONG
from suzaku.tiles import KIND_OF, RED


@kernel
def step(tables, s, action):
    """Carry out a legal action of the asked seat; the table then asks the next one."""
    if s.phase == st.CLAIM or s.phase == st.ROB:
        s.claim[s.seat] = action
        _go_on(tables, s)
    elif action <= act.DISCARD_DRAWN:
        _discard(tables, s, action)
    elif action == act.RIICHI:
        s.phase = st.RIICHI_DISCARD
    elif action == act.WIN_DRAW:
        settle_wins(tables, s, 1 << s.seat, s.drawn, True, False)
    elif action == act.NINE_KINDS:
        abort_round(tables, s, st.NINE_KINDS)
    elif action < act.ADDED_KONG:
        _closed_kong(tables, s, action - act.CLOSED_KONG)
    else:
        _added_kong(tables, s, action - act.ADDED_KONG)


@kernel
def _discard(tables, s, action):
    p = s.seat
    tile = s.drawn if action == act.DISCARD_DRAWN else action
    flag = st.RIVER_DRAWN if action == act.DISCARD_DRAWN else 0
    i = s.river_size[p]
    s.past_key[p, i % st.PAST] = s.key[p]
    remove_tile(s, p, tile)
    if s.phase == st.RIICHI_DISCARD:
        flag |= st.RIVER_RIICHI
        s.riichi_due = p
    s.river[p, i] = tile
    s.river_flag[p, i] = flag
    s.river_order[p, i] = s.discards
    s.river_size[p] = i + 1
    s.discards += 1
    s.discarded[p] |= bit(KIND_OF[tile])
    s.drawn = -1
    s.after_kong = 0
    s.forbidden = 0
    s.ippatsu[p] = 0
    end_turn(s, p)
    refresh(tables, s, p)
    _show_indicators(s)
    open_claims(tables, s, tile, False)
    _go_on(tables, s)


@kernel
def _show_indicators(s):
    """Show the indicators that open and added kongs still owe."""
    while s.due > 0:
        s.due -= 1
        _show_indicator(s)


@kernel
def _show_indicator(s):
    s.indicator_order[s.indicators] = s.discards
    s.indicators += 1


@kernel
def _go_on(tables, s):
    """Ask the next claimant, or settle the claims when all have answered."""
    if ask_next(s):
        return
    winners = 0
    n = 0
    for p in range(4):
        if s.claim[p] == act.WIN_DISCARD:
            winners |= 1 << p
            n += 1
    if n > s.rules.wins_on_discard and s.rules.too_many_wins_abort:
        abort_round(tables, s, st.THREE_WINS)
    elif n > 0:
        settle_wins(tables, s, winners, s.offer, False, s.phase == st.ROB)
    else:
        note_passed(s)
        if s.phase == st.ROB:
            _complete_kong(tables, s)
        else:
            _after_discard(tables, s)


@kernel
def _after_discard(tables, s):
    """A discard has passed: riichi is accepted, then aborts, calls, or the next draw."""
    if s.riichi_due >= 0:
        p = s.riichi_due
        s.riichi_due = -1
        s.scores[p] -= 1000
        s.sticks += 1
        s.riichi[p] = 2 if s.unbroken and s.river_size[p] == 1 else 1
        s.ippatsu[p] = 1
    result = _abort_reason(s)
    if result != st.NO_RESULT:
        abort_round(tables, s, result)
        return
    caller = -1
    for p in range(4):
        if act.PONG <= s.claim[p] <= act.OPEN_KONG:
            caller = p
    if caller < 0 and s.claim[(s.turn + 1) & 3] != act.PASS:
        caller = (s.turn + 1) & 3
    if caller >= 0:
        _call(tables, s, caller, s.claim[caller])
    elif s.left == 0:
        exhaust(tables, s)
    else:
        draw(s, (s.turn + 1) & 3)


@kernel
def _abort_reason(s):
    if s.rules.abort_four_riichi and s.riichi[0] and s.riichi[1] and s.riichi[2] and s.riichi[3]:
        return st.FOUR_RIICHI
    if s.rules.abort_four_winds and s.unbroken and s.discards == 4:
        wind = s.river[0, 0]
        if 27 <= wind <= 30 and s.river[1, 0] == wind and s.river[2, 0] == wind and s.river[3, 0] == wind:
            return st.FOUR_WINDS
    return st.FOUR_KONGS if four_kongs(s) else st.NO_RESULT


@kernel
def _break_turns(s):
    """A call or kong ends every ippatsu and all that needs an undisturbed first turn."""
    s.unbroken = 0
    s.ippatsu[:] = 0


@kernel
def _add_meld(s, p, meld_type, tile, called, source, red):
    i = s.melds[p]
    s.meld_type[p, i] = meld_type
    s.meld_tile[p, i] = tile
    s.meld_called[p, i] = called
    s.meld_from[p, i] = source
    s.meld_red[p, i] = red
    s.meld_order[p, i] = s.discards
    s.melds[p] = i + 1
    if meld_type != CLOSED_KONG:
        s.open_melds[p] += 1


@kernel
def _take(s, p, kind, red):
    """Take a tile of a kind out of the hand: the red five, or a plain one."""
    remove_tile(s, p, RED + kind // 9 if red else kind)


@kernel
def _call(tables, s, p, action):
    """Seat p takes the offered discard for a chow, pong or open kong."""
    _break_turns(s)
    source = s.turn
    s.river_flag[source, s.river_size[source] - 1] |= st.RIVER_CALLED
    kind = KIND_OF[s.offer]
    reds = 1 if s.offer >= RED else 0
    s.turn = p
    if action == act.OPEN_KONG:
        if kind < 27 and kind % 9 == 4 and s.red[p, kind // 9]:
            _take(s, p, kind, True)
            reds += 1
        while s.hand[p, kind] > 0:
            _take(s, p, kind, False)
        _add_meld(s, p, OPEN_KONG, kind, s.offer, source, reds)
        _note_liability(s, p, kind, source)
        s.kong_type = OPEN_KONG
        _complete_kong(tables, s)
        return
    shape = -1 if action >= act.PONG else (action - act.CHOW_LOW) % 3
    s.forbidden = 0 if s.rules.swap_calling else barred_by_swap(kind, shape)
    if action >= act.PONG:
        _take(s, p, kind, action == act.PONG_RED)
        _take(s, p, kind, False)
        reds += 1 if action == act.PONG_RED else 0
        _add_meld(s, p, PONG, kind, s.offer, source, reds)
        _note_liability(s, p, kind, source)
    else:
        red = action >= act.CHOW_LOW + act.CHOW_RED
        low = kind - shape
        for k in range(low, low + 3):
            if k != kind:
                _take(s, p, k, red and k % 9 == 4)
        reds += 1 if red else 0
        _add_meld(s, p, CHOW, low, s.offer, source, reds)
    s.phase = st.CALLED
    s.seat = p


@kernel
def _note_liability(s, p, kind, source):
    """Who feeds the third dragon or the fourth wind is liable."""
    dragons = 0
    winds = 0
    for i in range(s.melds[p]):
        if s.meld_type[p, i] != CHOW:
            dragons += s.meld_tile[p, i] >= 31
            winds += 27 <= s.meld_tile[p, i] <= 30
    if kind >= 31 and dragons == 3:
        s.pao[p, 0] = source
    elif 27 <= kind <= 30 and winds == 4:
        s.pao[p, 1] = source


@kernel
def _closed_kong(tables, s, kind):
    p = s.seat
    red = 0
    if kind < 27 and kind % 9 == 4 and s.red[p, kind // 9]:
        _take(s, p, kind, True)
        red = 1
    while s.hand[p, kind] > 0:
        _take(s, p, kind, False)
    _add_meld(s, p, CLOSED_KONG, kind, -1, p, red)
    _declare_kong(tables, s, CLOSED_KONG, kind)


@kernel
def _added_kong(tables, s, kind):
    p = s.seat
    red = kind < 27 and kind % 9 == 4 and s.red[p, kind // 9] > 0
    tile = RED + kind // 9 if red else kind
    remove_tile(s, p, tile)
    for i in range(s.melds[p]):
        if s.meld_type[p, i] == PONG and s.meld_tile[p, i] == kind:
            s.meld_type[p, i] = ADDED_KONG
            s.meld_added[p, i] = tile
            s.added_order[p, i] = s.discards
            s.meld_red[p, i] += 1 if red else 0
    _declare_kong(tables, s, ADDED_KONG, tile)


@kernel
def _declare_kong(tables, s, kong_type, tile):
    """Offer the kong to be robbed, then complete it."""
    s.drawn = -1
    s.after_kong = 0
    s.kong_type = kong_type
    refresh(tables, s, s.seat)
    if kong_type == ADDED_KONG or s.rules.rob_closed_kong:
        open_claims(tables, s, tile, True)
        _go_on(tables, s)
    else:
        _complete_kong(tables, s)


@kernel
def _complete_kong(tables, s):
    """Nobody robbed the kong of seat `turn`: show or owe an indicator and draw the replacement."""
    _break_turns(s)
    refresh(tables, s, s.turn)
    _show_indicators(s)
    if s.rules.kong_dora:
        if s.kong_type == CLOSED_KONG:
            _show_indicator(s)
        else:
            s.due += 1
    draw_replacement(s, s.turn)
