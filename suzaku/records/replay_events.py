"""The kernel that drives the engine by a record: it checks events and finds the actions, a kernel an event."""

import numpy as np

from suzaku.kernel import kernel
from suzaku.records import types as ev
from suzaku.riichi import actions as act
from suzaku.riichi import state as st
from suzaku.riichi.deal import start_round
from suzaku.riichi.legal import fill_legal
from suzaku.riichi.state import INDICATORS
from suzaku.riichi.step import step
from suzaku.table.kernels import AWAY

MOST_ACTIONS = 1024  # more than one round can have
DRAWS = 70  # of a round
UNKNOWN_END = -1  # of a DRAWN_END: the record does not say why

# what `replay_events` found; `verify.event_differs` says it in words
AGREES, HANDS_DIFFER, ILLEGAL, NOT_ASKED, OTHER_DRAW, OTHER_TILE, OTHER_INDICATOR, INDICATOR_TIME = range(8)
RIICHI_NOT_PASSED, RIICHI_NOT_RECORDED, ROUND_GOES_ON, OTHER_RESULT, ROUND_ENDED, NOT_CLAIMED = range(8, 14)

COURSE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("actions", "i8"),  # how many were carried out
                ("away", "i8"),  # mask of the seats that are away
                ("shown", "i8"),  # dora indicators in the record so far
                ("draws", "i8"),  # draws in the record so far, the dealer's first one included
                ("pending", "i8"),  # the seat whose riichi discard has not been answered in the record, or -1
                ("accepted", "i8"),  # whether the record accepts that riichi
            ]
        ),
    )
)  # how far the record of a round has been followed


@kernel
def _same_hands(s, hands):
    """Whether the hands, without the dealer's first draw, are the recorded ones."""
    for p in range(4):
        for tile in range(37):
            held = np.int64(s.red[p, tile - 34]) if tile >= 34 else np.int64(s.hand[p, tile])
            if tile < 27 and tile % 9 == 4:
                held -= s.red[p, tile // 9]
            if p == s.turn and tile == s.drawn:
                held -= 1
            if held != hands[p, tile]:
                return False
    return True


@kernel
def _do(tables, s, f, action, out):
    """Carry out an action and note it, with its mark."""
    out[f.actions] = action | (AWAY if (f.away >> s.seat) & 1 else 0)
    step(tables, s, action)
    f.actions += 1


@kernel
def _do_legal(tables, s, f, action, legal, out):
    """Carry out an action if it is legal."""
    fill_legal(tables, s, legal)
    if not legal[action]:
        return ILLEGAL
    _do(tables, s, f, action, out)
    return AGREES


@kernel
def _claim(tables, s, f, seats, action, legal, out):
    """Ask everybody: the seats of the mask answer with the action, the others pass. The mask of those who could."""
    done = 0
    while s.phase == st.CLAIM or s.phase == st.ROB:
        p = s.seat
        answer = act.PASS
        if (seats >> p) & 1 and not (done >> p) & 1:
            fill_legal(tables, s, legal)
            if legal[action]:
                answer = action
                done |= 1 << p
        _do(tables, s, f, answer, out)
    return done


@kernel
def _all_pass(tables, s, f, legal, out):
    """Nobody claims the tile on offer, if one is."""
    _claim(tables, s, f, 0, act.PASS, legal, out)


@kernel
def _find_end(tables, s, f, legal, out):
    """End a round of which the record only says that nobody won: the result."""
    winners = (s.can_win & 1) + (s.can_win >> 1 & 1) + (s.can_win >> 2 & 1) + (s.can_win >> 3 & 1)
    if s.phase == st.CLAIM and winners > s.rules.wins_on_discard and s.rules.too_many_wins_abort:
        _claim(tables, s, f, 15, act.WIN_DISCARD, legal, out)
    else:
        _all_pass(tables, s, f, legal, out)
    if s.phase == st.TURN:
        _do_legal(tables, s, f, act.NINE_KINDS, legal, out)
    return np.int64(s.result)


@kernel
def _owes_draw(s, f):
    """Whether the engine has drawn a tile that the record has not shown yet."""
    return f.draws != DRAWS - s.left


@kernel
def _replay_draw(tables, s, f, p, tile, strict, legal, out):
    _all_pass(tables, s, f, legal, out)
    f.draws += 1
    if s.phase >= st.ROUND_OVER:
        return ROUND_ENDED
    if s.phase != st.TURN or s.drawn != tile or _owes_draw(s, f):
        return OTHER_DRAW
    if s.seat != p:
        return NOT_ASKED
    return INDICATOR_TIME if strict and f.shown != s.indicators else AGREES


@kernel
def _replay_call(tables, s, f, p, action, called, legal, out):
    if s.phase != st.CLAIM or s.turn != called & 3:
        return NOT_ASKED
    if called >> 2 != 0 and (called >> 2) - 1 != s.offer:
        return OTHER_TILE
    if _claim(tables, s, f, 1 << p, action, legal, out) == 0:
        return NOT_CLAIMED
    return ROUND_ENDED if s.phase >= st.ROUND_OVER else AGREES


@kernel
def _replay_win(tables, s, f, p, seats, tile, source, legal, out):
    """Wins of all seats of the mask; p is one of them, and its only one if it won by its own draw."""
    if source == p:
        if s.phase != st.TURN or s.seat != p or _owes_draw(s, f):
            return NOT_ASKED
        if tile >= 0 and s.drawn != tile:
            return OTHER_TILE
        if _do_legal(tables, s, f, act.WIN_DRAW, legal, out) != AGREES:
            return ILLEGAL
    else:
        if (s.phase != st.CLAIM and s.phase != st.ROB) or s.turn != source:
            return NOT_ASKED
        if tile >= 0 and s.offer != tile:
            return OTHER_TILE
        if _claim(tables, s, f, seats, act.WIN_DISCARD, legal, out) != seats:
            return NOT_CLAIMED
    return INDICATOR_TIME if f.shown != s.indicators else AGREES


@kernel
def _replay_end(tables, s, f, result, legal, out):
    """A round without a winner."""
    if result == UNKNOWN_END:
        result = _find_end(tables, s, f, legal, out) if s.phase < st.ROUND_OVER else np.int64(s.result)
    elif result == st.NINE_KINDS:
        if s.phase != st.TURN or _owes_draw(s, f):
            return NOT_ASKED
        if _do_legal(tables, s, f, act.NINE_KINDS, legal, out) != AGREES:
            return ILLEGAL
    elif result == st.THREE_WINS:
        _claim(tables, s, f, 15, act.WIN_DISCARD, legal, out)
    else:
        _all_pass(tables, s, f, legal, out)
    if s.phase < st.ROUND_OVER:
        return ROUND_GOES_ON
    return AGREES if s.result == result else OTHER_RESULT


@kernel
def _replay_turn(tables, s, f, type_, p, a, drawn, strict, legal, out):
    """A discard, riichi or a kong of the own turn."""
    action = a
    if type_ == ev.DISCARD and drawn:
        action = act.DISCARD_DRAWN
        if s.drawn != a:
            return OTHER_TILE
    elif type_ == ev.RIICHI:
        action = act.RIICHI
    if s.phase > st.RIICHI_DISCARD or s.seat != p or _owes_draw(s, f):
        return NOT_ASKED
    if _do_legal(tables, s, f, action, legal, out) != AGREES:
        return ILLEGAL
    return INDICATOR_TIME if strict and type_ == ev.DISCARD and f.shown != s.indicators else AGREES


@kernel
def _replay_note(s, f, type_, p, tile):
    """What the record tells without anybody acting."""
    if type_ == ev.LEAVE:
        f.away |= 1 << p
    elif type_ == ev.RETURN:
        f.away &= ~(1 << p)
    elif type_ == ev.INDICATOR:
        if f.shown >= 5 or s.wall[INDICATORS[f.shown]] != tile:
            return OTHER_INDICATOR
        f.shown += 1
    elif type_ == ev.ACCEPTED:
        if f.pending != p:
            return RIICHI_NOT_PASSED
        f.accepted = 1
    return AGREES


@kernel
def _check_riichi(s, f):
    """Once somebody acts after a riichi discard, record and rules must agree whether it passed."""
    if f.pending < 0:
        return AGREES
    passed = s.riichi[f.pending] != 0
    f.pending = -1
    if passed == (f.accepted != 0):
        return AGREES
    return RIICHI_NOT_RECORDED if passed else RIICHI_NOT_PASSED


@kernel
def _replay_event(tables, s, f, events, i, strict, legal, out):
    """Play the event in row i, with those of the next rows that belong to it: what was found, and the last row."""
    type_ = events[i, 0]
    p = np.int64(events[i, 1])
    a = np.int64(events[i, 2])
    b = np.int64(events[i, 3])
    if type_ == ev.LEAVE or type_ == ev.RETURN or type_ == ev.INDICATOR or type_ == ev.ACCEPTED:
        return _replay_note(s, f, type_, p, a), i
    declared = s.phase == st.RIICHI_DISCARD
    if s.phase >= st.ROUND_OVER and type_ != ev.DRAWN_END:
        return ROUND_ENDED, i
    if type_ == ev.DRAW:
        code = _replay_draw(tables, s, f, p, a, strict, legal, out)
    elif type_ == ev.CALL:
        code = _replay_call(tables, s, f, p, a, b, legal, out)
    elif type_ == ev.WIN:
        seats = 1 << p
        while i + 1 < events.shape[0] and events[i + 1, 0] == ev.WIN:
            i += 1
            seats |= 1 << np.int64(events[i, 1])
        code = _replay_win(tables, s, f, p, seats, a, b, legal, out)
    elif type_ == ev.DRAWN_END:
        code = _replay_end(tables, s, f, a, legal, out)
    else:
        code = _replay_turn(tables, s, f, type_, p, a, b, strict, legal, out)
    if code == AGREES:
        code = _check_riichi(s, f)
        if declared:
            f.pending = p
            f.accepted = 0
    return code, i


@kernel
def replay_events(tables, s, hands, events, strict, legal, out):
    """Deal the round whose wall, scores and counters stand in `s` and play the events.

    Returns (what was found, the row of the event, the number of actions written to `out`).
    """
    start_round(tables, s)
    f = np.zeros(1, COURSE)[0]
    f.shown = 1
    f.pending = -1
    if not _same_hands(s, hands):
        return HANDS_DIFFER, 0, 0
    i = 0
    while i < events.shape[0]:
        code, i = _replay_event(tables, s, f, events, i, strict, legal, out)
        if code != AGREES:
            return code, i, f.actions
        i += 1
    if s.phase < st.ROUND_OVER:
        return ROUND_GOES_ON, events.shape[0] - 1, f.actions
    return AGREES, events.shape[0], f.actions
