"""Kernels that drive the engine by a record: `follow` checks events and finds the actions, `replay` repeats them."""

import numpy as np

from suzaku.kernel import kernel
from suzaku.records import events as ev
from suzaku.riichi import actions as act
from suzaku.riichi import state as st
from suzaku.riichi.deal import start_round
from suzaku.riichi.legal import fill_legal
from suzaku.riichi.settle import advance
from suzaku.riichi.state import INDICATORS
from suzaku.riichi.step import step

AWAY = 128  # added to an action that is no decision: the player was away
MOST_ACTIONS = 1024  # more than one round can have
UNKNOWN_END = -1  # of a DRAWN_END: the record does not say why

# what `follow` found
AGREES, HANDS_DIFFER, ILLEGAL, NOT_ASKED, OTHER_DRAW, OTHER_TILE, OTHER_INDICATOR, INDICATOR_TIME = range(8)
RIICHI_NOT_PASSED, RIICHI_NOT_RECORDED, ROUND_GOES_ON, OTHER_RESULT, ROUND_ENDED, NOT_CLAIMED = range(8, 14)
TEXT = (
    "agrees",
    "the dealt hands differ from the wall",
    "the recorded action is not legal",
    "the recorded seat is not the one whose turn it is",
    "the drawn tile differs from the wall, or nobody draws now",
    "the tile called or won is not the one just discarded",
    "the dora indicator differs from the wall",
    "a dora indicator shows at another time",
    "the record accepts a riichi that the rules do not",
    "the rules accept a riichi that the record does not",
    "the record ends the round, the rules go on",
    "the round ends in another way",
    "the rules end the round, the record goes on",
    "the recorded seat cannot claim this tile",
)


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
def _do(tables, s, action, away, out, n):
    """Carry out an action and note it, with its mark."""
    out[n] = action | (AWAY if (away >> s.seat) & 1 else 0)
    step(tables, s, action)
    return n + 1


@kernel
def _claim(tables, s, seats, action, away, legal, out, n):
    """Ask everybody: the seats of the mask answer with the action, the others pass. The mask that could, and n."""
    done = 0
    while s.phase == st.CLAIM or s.phase == st.ROB:
        p = s.seat
        answer = act.PASS
        if (seats >> p) & 1 and not (done >> p) & 1:
            fill_legal(tables, s, legal)
            if legal[action]:
                answer = action
                done |= 1 << p
        n = _do(tables, s, answer, away, out, n)
    return done, n


@kernel
def _find_end(tables, s, away, legal, out, n):
    """End a round of which the record only says that nobody won: the result, and n."""
    winners = (s.can_win & 1) + (s.can_win >> 1 & 1) + (s.can_win >> 2 & 1) + (s.can_win >> 3 & 1)
    if s.phase == st.CLAIM and winners > s.rules.wins_on_discard and s.rules.too_many_wins_abort:
        _, n = _claim(tables, s, 15, act.WIN_DISCARD, away, legal, out, n)
    else:
        _, n = _claim(tables, s, 0, act.PASS, away, legal, out, n)
    if s.phase == st.TURN:
        fill_legal(tables, s, legal)
        if legal[act.NINE_KINDS]:
            n = _do(tables, s, act.NINE_KINDS, away, out, n)
    return np.int64(s.result), n


@kernel
def follow(tables, s, hands, events, strict, legal, out):
    """Deal the round whose wall, scores and counters stand in `s` and play the events.

    Returns (what was found, the row of the event, the number of actions written to `out`).
    """
    start_round(tables, s)
    n = 0
    if not _same_hands(s, hands):
        return HANDS_DIFFER, 0, n
    away = 0
    shown = 1
    draws = 0
    pending = -1  # the seat whose riichi discard has not been answered in the record
    accepted = False
    i = 0
    while i < events.shape[0]:
        kind = events[i, 0]
        p = np.int64(events[i, 1])
        a = np.int64(events[i, 2])
        b = np.int64(events[i, 3])
        if kind == ev.LEAVE:
            away |= 1 << p
        elif kind == ev.RETURN:
            away &= ~(1 << p)
        elif kind == ev.INDICATOR:
            if shown >= 5 or s.wall[INDICATORS[shown]] != a:
                return OTHER_INDICATOR, i, n
            shown += 1
        elif kind == ev.ACCEPTED:
            if pending != p:
                return RIICHI_NOT_PASSED, i, n
            accepted = True
        else:
            declared = s.phase == st.RIICHI_DISCARD
            if s.phase >= st.ROUND_OVER and kind != ev.DRAWN_END:
                return ROUND_ENDED, i, n
            if kind == ev.DRAW:
                _, n = _claim(tables, s, 0, act.PASS, away, legal, out, n)
                draws += 1
                if s.phase >= st.ROUND_OVER:
                    return ROUND_ENDED, i, n
                if s.phase != st.TURN or s.drawn != a or draws != 70 - s.left:
                    return OTHER_DRAW, i, n
                if s.seat != p:
                    return NOT_ASKED, i, n
                if strict and shown != s.indicators:
                    return INDICATOR_TIME, i, n
            elif kind == ev.CALL:
                if s.phase != st.CLAIM or s.turn != b & 3:
                    return NOT_ASKED, i, n
                if b >> 2 != 0 and (b >> 2) - 1 != s.offer:
                    return OTHER_TILE, i, n
                done, n = _claim(tables, s, 1 << p, a, away, legal, out, n)
                if done == 0:
                    return NOT_CLAIMED, i, n
                if s.phase >= st.ROUND_OVER:
                    return ROUND_ENDED, i, n
            elif kind == ev.WIN:
                seats = 0
                while i < events.shape[0] and events[i, 0] == ev.WIN:
                    seats |= 1 << np.int64(events[i, 1])
                    i += 1
                i -= 1
                if b == p:
                    if s.phase != st.TURN or s.seat != p or draws != 70 - s.left:
                        return NOT_ASKED, i, n
                    if a >= 0 and s.drawn != a:
                        return OTHER_TILE, i, n
                    fill_legal(tables, s, legal)
                    if not legal[act.WIN_DRAW]:
                        return ILLEGAL, i, n
                    n = _do(tables, s, act.WIN_DRAW, away, out, n)
                else:
                    if (s.phase != st.CLAIM and s.phase != st.ROB) or s.turn != b:
                        return NOT_ASKED, i, n
                    if a >= 0 and s.offer != a:
                        return OTHER_TILE, i, n
                    done, n = _claim(tables, s, seats, act.WIN_DISCARD, away, legal, out, n)
                    if done != seats:
                        return NOT_CLAIMED, i, n
                if shown != s.indicators:
                    return INDICATOR_TIME, i, n
            elif kind == ev.DRAWN_END:
                if a == UNKNOWN_END and s.phase < st.ROUND_OVER:
                    a, n = _find_end(tables, s, away, legal, out, n)
                elif a == UNKNOWN_END:
                    a = np.int64(s.result)
                elif a == st.NINE_KINDS:
                    if s.phase != st.TURN or draws != 70 - s.left:
                        return NOT_ASKED, i, n
                    fill_legal(tables, s, legal)
                    if not legal[act.NINE_KINDS]:
                        return ILLEGAL, i, n
                    n = _do(tables, s, act.NINE_KINDS, away, out, n)
                elif a == st.THREE_WINS:
                    _, n = _claim(tables, s, 15, act.WIN_DISCARD, away, legal, out, n)
                else:
                    _, n = _claim(tables, s, 0, act.PASS, away, legal, out, n)
                if s.phase < st.ROUND_OVER:
                    return ROUND_GOES_ON, i, n
                if s.result != a:
                    return OTHER_RESULT, i, n
            else:
                action = a
                if kind == ev.DISCARD and b:
                    action = act.DISCARD_DRAWN
                    if s.drawn != a:
                        return OTHER_TILE, i, n
                elif kind == ev.RIICHI:
                    action = act.RIICHI
                if s.phase > st.RIICHI_DISCARD or s.seat != p or draws != 70 - s.left:
                    return NOT_ASKED, i, n
                fill_legal(tables, s, legal)
                if not legal[action]:
                    return ILLEGAL, i, n
                n = _do(tables, s, action, away, out, n)
                if strict and kind == ev.DISCARD and shown != s.indicators:
                    return INDICATOR_TIME, i, n
            if pending >= 0:
                if accepted and s.riichi[pending] == 0:
                    return RIICHI_NOT_PASSED, i, n
                if not accepted and s.riichi[pending] != 0:
                    return RIICHI_NOT_RECORDED, i, n
                pending = -1
            if declared:
                pending = p
                accepted = False
        i += 1
    if s.phase < st.ROUND_OVER:
        return ROUND_GOES_ON, events.shape[0] - 1, n
    return AGREES, events.shape[0], n


@kernel
def place_round(s, wall):
    """Put the wall of the next round; the counters go on by the rules unless no round was played yet."""
    if s.deal > 0:
        advance(s)
    s.deal += 1
    for i in range(136):
        s.wall[i] = wall[i]


@kernel
def replay(tables, s, walls, actions, legal, check):
    """Play stored rounds from the start that stands in `s`: how many actions were carried out.

    With `check`, stops at the first action that is not legal.
    """
    place_round(s, walls[0])
    start_round(tables, s)
    for i in range(actions.shape[0]):
        if s.phase == st.ROUND_OVER and s.deal < walls.shape[0]:
            place_round(s, walls[s.deal])
            start_round(tables, s)
        action = np.int64(actions[i]) & 127
        if s.phase >= st.ROUND_OVER:
            return i
        if check:
            fill_legal(tables, s, legal)
            if action >= act.ACTIONS or not legal[action]:
                return i
        step(tables, s, action)
    return actions.shape[0]
