"""Furiten: who may not win on a discard, and how a winning tile that passes makes a seat so.

A seat is furiten while it waits for a kind of its own river, and after it let a winning tile pass: until its next
discard, or to the end of the round once it is in riichi.
"""

from suzaku.kernel import kernel
from suzaku.riichi.hands import has
from suzaku.riichi.state import CLOSED_KONG, ROB
from suzaku.tiles import KIND_OF


@kernel
def is_furiten(s, p):
    """Whether seat p may not win on a discard."""
    return s.missed[p] != 0 or s.waits[p] & s.discarded[p] != 0


@kernel
def note_missed(s, p):
    """Seat p let a winning tile pass."""
    s.missed[p] = 2 if s.riichi[p] else 1


@kernel
def end_turn(s, p):
    """Seat p has discarded: what it let pass before is forgotten, unless it is in riichi."""
    if s.missed[p] == 1:
        s.missed[p] = 0


@kernel
def note_passed(s):
    """Nobody won on the offered tile: who waited for it let it pass."""
    kind = KIND_OF[s.offer]
    if s.phase == ROB and s.kong_type == CLOSED_KONG:
        for p in range(4):
            if (s.can_win >> p) & 1:
                note_missed(s, p)
        return
    for p in range(4):
        if p != s.turn and has(s.waits[p], kind):
            note_missed(s, p)
