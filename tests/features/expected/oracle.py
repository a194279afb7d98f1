"""The expected channels of what a seat cannot see."""

import numpy as np

from tests.features.expected.seen import (
    FIVES,
    INDICATORS,
    Seen,
    counted,
    dora_of,
    everywhere,
    kind_of,
    one_of,
    shanten,
    stacked,
    tiles,
)

REPLACEMENTS = (1, 0, 3, 2)


def _at(t: Seen, places: list[int], count: int) -> np.ndarray:
    """A channel for each of some places in the wall, and empty ones up to a number."""
    rows = [[kind_of(int(t.s.wall[place]))] for place in places[:count]]
    return tiles(*rows, *([[]] * (count - len(rows))))


def _wall(t: Seen) -> np.ndarray:
    first = 13 + int(t.s.left) + int(t.s.kongs)  # 14 tiles are no draws; each kong moves the end of the draws up by one
    return _at(t, [first - i for i in range(int(t.s.left))], 32)


def _ura(t: Seen) -> list[int]:
    return [kind_of(int(t.s.wall[place - 1])) for place in INDICATORS[: int(t.s.indicators)]]


ORACLES = {
    "other_hands": lambda t: np.concatenate([stacked(t.hands[q]) for q in t.seats[1:]]),
    "other_red": lambda t: tiles(*([FIVES[i] for i in range(3) if t.reds[q][i]] for q in t.seats[1:])),
    "other_shanten": lambda t: np.concatenate(
        [one_of(min(6, shanten([hand], melds)[0]) + 1, 8) for hand, melds in map(t.resting_hand, t.seats[1:])]
    ),
    "other_waits": lambda t: tiles(*(t.waits(q) for q in t.seats[1:])),
    "other_furiten": lambda t: everywhere(*(t.is_furiten(q) for q in t.seats[1:])),
    "wall": _wall,
    "replacements": lambda t: _at(t, list(REPLACEMENTS[int(t.s.kongs) :]), 4),
    "next_indicators": lambda t: _at(t, list(INDICATORS[int(t.s.indicators) :]), 4),
    "ura": lambda t: stacked(counted(_ura(t))),
    "ura_dora": lambda t: stacked(counted([dora_of(kind) for kind in _ura(t)])),
}
