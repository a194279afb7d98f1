"""Kernels that end a hand: wins and their payments, draws, fouls, what comes next, and the end of the game."""

from suzaku.kernel import kernel
from suzaku.mcr import state as st
from suzaku.mcr.claims import fans_of, win_flags
from suzaku.mcr.deal import deal_round
from suzaku.table.kernels import fill_ranks


@kernel
def settle_win(tables, s, p, kind, drawn, robbing):
    """End the hand with the win of seat p on a tile of seat `turn`."""
    flags = win_flags(s, kind, drawn, robbing)
    if not drawn:
        s.hand[p, kind] += 1
    fan, big, small, more = fans_of(tables, s, p, kind, flags)
    if not drawn:
        s.hand[p, kind] -= 1
    flowers = 0
    for i in range(8):
        flowers += (s.flowers[p] >> i) & 1
    s.result = st.WIN_BY_DRAW if drawn else st.WIN_BY_DISCARD
    s.wins = 1
    s.win_seat = p
    s.win_from = s.turn
    s.win_tile = kind
    s.win_flags = flags
    s.win_fan = fan
    s.win_big = big
    s.win_small = small
    s.win_more = more
    s.win_flowers = flowers
    s.deltas[:] = 0
    for q in range(4):
        if q != p:
            share = s.rules.base + (fan + flowers if drawn or q == s.turn else 0)
            s.deltas[q] -= share
            s.deltas[p] += share
    _finish(tables, s)


@kernel
def settle_draw(tables, s):
    """End the hand because the seat that must draw has no tile left."""
    s.result = st.DRAWN
    s.wins = 0
    s.win_seat = -1
    s.deltas[:] = 0
    _finish(tables, s)


@kernel
def settle_foul(tables, s, p):
    """End the hand with a fine of seat p: a false win, or an answer that is against the rules."""
    s.result = st.FOUL
    s.wins = 0
    s.win_seat = p
    s.deltas[:] = s.rules.foul
    s.deltas[p] = -3 * s.rules.foul
    _finish(tables, s)


@kernel
def _finish(tables, s):
    """Book the points and go on to the next hand, or end the game."""
    s.seat = -1
    for p in range(4):
        s.scores[p] += s.deltas[p]
    if s.deal >= s.rules.hands:
        fill_ranks(s)
        s.phase = st.GAME_OVER
        return
    s.phase = st.ROUND_OVER
    if s.auto:
        advance(s)
        deal_round(tables, s)


@kernel
def advance(s):
    """Set the number of the next hand: the dealer passes on whoever won."""
    s.hand_no = (s.hand_no + 1) & 15
