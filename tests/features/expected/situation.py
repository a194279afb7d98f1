"""The expected channels of the situation: scores, round, riichi, what is asked, and the own hand's standing."""

import numpy as np

from suzaku.features.channels import SUPHX
from tests.features.expected.seen import (
    ADDED_KONG,
    CALLED,
    CHOW,
    CLAIM,
    CLOSED_KONG,
    RIICHI_DISCARD,
    ROB,
    TURN,
    Seen,
    added,
    everywhere,
    kind_of,
    one_of,
    shanten,
    tiles,
)  # fmt: skip

STEPS = {group.name: group.steps for group in SUPHX}


def _steps(name: str, *numbers: int) -> np.ndarray:
    return everywhere(*(number >= step for number in numbers for step in STEPS[name]))


def _riichi(t: Seen) -> np.ndarray:
    return everywhere(*(flag for q in t.seats for flag in (t.riichi[q], t.riichi[q] == 2, _is_first_turn(t, q))))


def _is_first_turn(t: Seen, q: int) -> bool:
    """Whether seat q declared riichi and since then nobody called or made a kong and it has not discarded again."""
    if not t.riichi[q] or not t.rivers[q][-1].riichi:
        return False
    declared = t.rivers[q][-1].order
    kongs = [] if t.phase == ROB else [m.added for melds in t.melds for m in melds if m.type == ADDED_KONG]
    return all(time <= declared for time in kongs + [m.made for melds in t.melds for m in melds])


def rank(t: Seen) -> int:
    """The place of the asked seat; of equals the one that dealt first is ahead."""
    return sorted(range(4), key=lambda q: (-t.scores[q], q)).index(t.p)


def _tenpai_discards(t: Seen) -> list[int]:
    hand = t.hands[t.p]
    held = [kind for kind in range(34) if hand[kind]]
    after = shanten(added(hand, held, -1), len(t.melds[t.p]))
    return [kind for kind, n in zip(held, after, strict=True) if n == 0]


def forbidden(called: int, kinds: list[int], is_chow: bool) -> list[int]:
    """What may not be thrown after a call: the same tile, and the other end of the run."""
    found = [called]
    if is_chow and called == kinds[0] and called % 9 < 6:
        found.append(called + 3)
    if is_chow and called == kinds[2] and called % 9 > 2:
        found.append(called - 3)
    return found


def _barred(t: Seen) -> list[int]:
    if t.phase != CALLED:
        return []
    meld = t.melds[t.p][-1]
    assert meld.called is not None
    return forbidden(meld.called, meld.kinds, meld.type == CHOW)


def _legal_discards(t: Seen) -> list[int]:
    held = [kind for kind in range(34) if t.hands[t.p][kind]]
    if t.phase == TURN:
        return [kind_of(t.drawn)] if t.riichi[t.p] else held
    if t.phase == CALLED:
        return [kind for kind in held if kind not in _barred(t)]
    return _tenpai_discards(t) if t.phase == RIICHI_DISCARD else []


def _is_closed(t: Seen) -> bool:
    return all(meld.type == CLOSED_KONG for meld in t.melds[t.p])


def _can_riichi(t: Seen) -> bool:
    may = t.phase == TURN and not t.riichi[t.p] and _is_closed(t) and t.s.left >= 4 and t.scores[t.p] >= 1000
    return bool(may and _tenpai_discards(t))


def _offer_from(t: Seen) -> int:
    if t.phase == CLAIM:
        return (t.discards[-1].seat - t.p) % 4 - 1
    return (t.turn - t.p) % 4 - 1 if t.offered() is not None else -1


SITUATION = {
    "riichi": _riichi,
    "scores": lambda t: _steps("scores", *(t.scores[q] for q in t.seats)),
    "gaps": lambda t: _steps("gaps", *(t.scores[t.p] - t.scores[q] for q in t.seats[1:])),
    "rank": lambda t: one_of(rank(t), 4),
    "round": lambda t: one_of(int(t.s.round_no), 12),
    "honba": lambda t: _steps("honba", t.s.honba),
    "sticks": lambda t: _steps("sticks", t.s.sticks),
    "left": lambda t: _steps("left", t.s.left),
    "dealer": lambda t: one_of((int(t.s.dealer) - t.p) % 4, 4),
    "winds": lambda t: tiles([27 + t.s.round_no // 4], [27 + (t.p - t.s.dealer) % 4]),
    "last_round": lambda t: everywhere(t.s.round_no >= t.s.rules.rounds - 1),
    "sudden_death": lambda t: everywhere(t.s.round_no >= t.s.rules.rounds),
    "turn": lambda t: _steps("turn", len(t.rivers[t.p])),
    "unbroken": lambda t: everywhere(not any(t.melds)),
    "closed": lambda t: everywhere(_is_closed(t)),
    "shanten": lambda t: one_of(min(6, shanten([t.hands[t.p]], len(t.melds[t.p]))[0]) + 1, 8),
    "furiten": lambda t: everywhere(t.is_furiten(t.p)),
    "waits": lambda t: tiles(t.waits(t.p)),
    "phase": lambda t: one_of(t.phase, 5),
    "offer": lambda t: tiles([] if t.offered() is None else [kind_of(t.offered())]),
    "offer_from": lambda t: one_of(_offer_from(t), 3),
    "legal_discards": lambda t: tiles(_legal_discards(t)),
    "forbidden": lambda t: tiles(_barred(t)),
    "can_riichi": lambda t: everywhere(_can_riichi(t)),
}
