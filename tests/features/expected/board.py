"""The expected channels of tiles on the board."""

import numpy as np

from tests.features.expected.seen import CLAIM, CLOSED_KONG, FIVES, Seen, counted, kind_of, stacked, tiles


def _meld_list(t: Seen) -> np.ndarray:
    rows: list[list[int]] = []
    for q in t.seats:
        for meld in t.melds[q]:
            rows += [meld.kinds, [] if meld.called is None else [meld.called]]
        rows += [[]] * (8 - 2 * len(t.melds[q]))
    return tiles(*rows)


def _red_unseen(t: Seen) -> np.ndarray:
    seen = {discard.tile for discard in t.discards} | set(t.indicators)
    seen |= {34 + suit for suit in range(3) if t.reds[t.p][suit]}
    seen |= {34 + meld.kinds[0] // 9 for melds in t.melds for meld in melds if meld.red}
    return tiles([FIVES[suit] for suit in range(3) if 34 + suit not in seen])


def _river(t: Seen) -> np.ndarray:
    rows: list[list[int]] = []
    for q in t.seats:
        for discard in t.rivers[q][:24]:
            kind = [discard.kind]
            rows += [kind, [] if discard.drawn else kind, kind if discard.called else []]
        rows += [[]] * (72 - 3 * min(24, len(t.rivers[q])))
    return tiles(*rows)


def _passed(t: Seen, q: int) -> set[int]:
    if not t.riichi[q]:
        return set()
    declared = next(discard.order for discard in t.rivers[q] if discard.riichi)
    passed = [d for d in t.discards if d.seat == q or d.order > declared]
    if t.phase == CLAIM and t.discards[-1].seat != q:
        passed = [d for d in passed if d != t.discards[-1]]  # it is still on offer
    return {discard.kind for discard in passed}


def _last_from_hand(t: Seen, q: int) -> list[int]:
    return [discard.kind for discard in t.rivers[q][:24] if not discard.drawn][-1:]


BOARD = {
    "hand": lambda t: stacked(t.hands[t.p]),
    "red": lambda t: tiles([FIVES[suit] for suit in range(3) if t.reds[t.p][suit]]),
    "drawn": lambda t: tiles([kind_of(t.drawn)] if t.turn == t.p and t.drawn >= 0 else []),
    "meld_tiles": lambda t: np.concatenate(
        [stacked(counted([k for meld in t.melds[q] for k in meld.kinds])) for q in t.seats]
    ),
    "meld_red": lambda t: tiles(*([FIVES[m.kinds[0] // 9] for m in t.melds[q] if m.red] for q in t.seats)),
    "closed_kongs": lambda t: tiles(*([m.kinds[0] for m in t.melds[q] if m.type == CLOSED_KONG] for q in t.seats)),
    "meld_list": _meld_list,
    "indicators": lambda t: stacked(counted([kind_of(tile) for tile in t.indicators])),
    "dora": lambda t: stacked(t.dora()),
    "red_unseen": _red_unseen,
    "river_tiles": lambda t: np.concatenate([stacked(counted([d.kind for d in t.rivers[q]])) for q in t.seats]),
    "river": _river,
    "riichi_tile": lambda t: tiles(*([d.kind for d in t.rivers[q] if d.riichi] for q in t.seats)),
    "passed": lambda t: tiles(*(_passed(t, q) for q in t.seats[1:])),
    "last_from_hand": lambda t: tiles(*(_last_from_hand(t, q) for q in t.seats[1:])),
    "recent": lambda t: tiles(
        *([d.kind for d in t.discards[-1 - ago :][:1] if ago < len(t.discards)] for ago in range(8))
    ),
    "unseen": lambda t: stacked(t.unseen()),
}
