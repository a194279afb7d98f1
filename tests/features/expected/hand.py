"""The expected channels of what a hand accepts after each discard, and of which kinds are safe."""

import functools
from collections.abc import Callable

import numpy as np

from tests.features.expected.seen import Seen, added, shanten, tiles


def efficiency(hand: list[int], melds: int, unseen: list[int]) -> tuple[int, dict[int, int]]:
    """The lowest shanten after a discard, and for the discards that reach it the unseen tiles that lower it."""
    held = [kind for kind in range(34) if hand[kind]]
    after = dict(zip(held, shanten(added(hand, held, -1), melds), strict=True))
    best = min(after.values())
    found = {}
    for discard in (kind for kind in held if after[kind] == best):
        left = [n - (k == discard) for k, n in enumerate(hand)]
        kinds = [kind for kind in range(34) if left[kind] < 4]
        nearer = [kind for kind, n in zip(kinds, shanten(added(left, kinds), melds), strict=True) if n < best]
        found[discard] = sum(unseen[kind] for kind in nearer)
    return best, found


def ukeire(found: dict[int, int], steps: tuple[int, ...]) -> np.ndarray:
    """A channel for each step: the discards after which at least so many tiles are accepted."""
    return tiles(*([discard for discard, number in found.items() if number >= step] for step in steps))


@functools.cache
def _own(t: Seen) -> tuple[int, dict[int, int]]:
    if sum(t.hands[t.p]) % 3 != 2:
        return 9, {}
    return efficiency(t.hands[t.p], len(t.melds[t.p]), t.unseen())


def _is_ruled_out(kind: int, is_safe: Callable[[int, list[int]], bool]) -> bool:
    """Whether both two-sided waits for a kind are ruled out; `is_safe` takes a wait's other end and its two tiles."""
    place = kind % 9
    low = place < 3 or is_safe(kind - 3, [kind - 2, kind - 1])
    high = place > 5 or is_safe(kind + 3, [kind + 1, kind + 2])
    return low and high


def _suji(t: Seen, q: int) -> list[int]:
    thrown = {discard.kind for discard in t.rivers[q]}
    return [kind for kind in range(27) if _is_ruled_out(kind, lambda other, _: other in thrown)]


def _walls(t: Seen, most: int) -> set[int]:
    unseen = t.unseen()
    return {kind for kind in range(27) if _is_ruled_out(kind, lambda _, two: min(unseen[k] for k in two) <= most)}


HAND = {
    "keeps_tenpai": lambda t: tiles(_own(t)[1] if _own(t)[0] == 0 else []),
    "keeps_shanten": lambda t: tiles(_own(t)[1]),
    "ukeire": lambda t: ukeire(_own(t)[1], (1, 3, 5, 8, 12, 16, 20, 26, 34, 44)),
    "suji": lambda t: tiles(*(_suji(t, q) for q in t.seats[1:])),
    "no_chance": lambda t: tiles(_walls(t, 0)),
    "one_chance": lambda t: tiles(_walls(t, 1) - _walls(t, 0)),
}
