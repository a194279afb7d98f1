"""The fans that chows make with each other, for every set of up to four chows, from a table.

A chow is 0..20: seven a suit; NO_CHOW fills a set up to four. An entry holds the number of the one fan of three or four
chows (or 0) and, two bits each, how often the fans of two chows count.
"""

from itertools import combinations, combinations_with_replacement, pairwise

import numpy as np

from suzaku.kernel import kernel
from suzaku.mcr import fans
from suzaku.mcr.fans import FIRST_SMALL

NO_CHOW = 21
FAN_BITS = 7
PURE_DOUBLE, MIXED_DOUBLE, SHORT, TERMINALS = range(4)  # fans of two chows, 69 to 72
# place in the table: sum of binomials, for sorted chows
ORDER = np.array([[0] * 4] * 22, np.int64)
for _chow in range(22):
    ORDER[_chow] = (
        _chow,
        (_chow + 1) * _chow // 2,
        (_chow + 2) * (_chow + 1) * _chow // 6,
        (_chow + 3) * (_chow + 2) * (_chow + 1) * _chow // 24,
    )


def _two(a: int, b: int) -> int:
    """The fan of two chows, or -1."""
    if a == b:
        return PURE_DOUBLE
    if a % 7 == b % 7:
        return MIXED_DOUBLE
    if a // 7 == b // 7:
        return {3: SHORT, 6: TERMINALS}.get(abs(a - b), -1)
    return -1


def _three(chows: tuple[int, ...]) -> int:
    """The number of the fan of three chows, or 0."""
    suits, places = {c // 7 for c in chows}, sorted(c % 7 for c in chows)
    steps = places[1] - places[0], places[2] - places[1]
    if len(suits) == 1:
        return {(0, 0): 23, (3, 3): 28, (1, 1): 30, (2, 2): 30}.get(steps, 0)
    if len(suits) == 3:
        return {(0, 0): 41, (3, 3): 39, (1, 1): 50}.get(steps, 0)
    return 0


def _four(chows: tuple[int, ...]) -> int:
    """The number of the fan of four chows, or 0."""
    if len({c // 7 for c in chows}) > 1:
        return 0
    steps = {b - a for a, b in pairwise(chows)}
    return 14 if steps == {0} else 16 if steps in ({1}, {2}) else 0


def _fewer(counts: list[int], most: int) -> list[int]:
    """Fans of two chows cut to a number: repeated ones first, then the lesser ones."""
    for keep in (1, 0):
        for fan in (TERMINALS, SHORT, MIXED_DOUBLE, PURE_DOUBLE):
            counts[fan] -= max(0, min(counts[fan] - keep, sum(counts) - most))
    return counts


def entry(chows: tuple[int, ...]) -> int:
    """What sorted chows make."""
    counts = [0] * 4
    best = _four(chows) if len(chows) == 4 else 0
    if best == 0 and len(chows) >= 3:
        found = []
        for i in range(len(chows) if len(chows) == 4 else 1):
            rest = chows[:i] + chows[i + 1 :] if len(chows) == 4 else chows
            fan = _three(rest)
            if fan:
                extra = min((t for c in rest if (t := _two(chows[i], c)) >= 0), default=9) if len(chows) == 4 else 9
                found.append((fans.FANS[fan - 1].value + (extra < 9), -extra, fan))
        if found:
            _, extra, best = max(found)
            if extra > -9:
                counts[-extra] = 1
    if best == 0:
        pairs = [(a, b) for a, b in combinations(range(len(chows)), 2) if _two(chows[a], chows[b]) >= 0]
        for a, b in pairs:
            counts[_two(chows[a], chows[b])] += 1
        related = len({i for pair in pairs for i in pair})
        counts = _fewer(counts, max(0, related - 1))
    return best | sum(n << FAN_BITS + 2 * fan for fan, n in enumerate(counts))


def _make() -> np.ndarray:
    """All entries, at every start; which suit is which does not matter, so most are known from another one."""
    table, order = np.zeros(ORDER[21].sum() + 1, np.uint16), ORDER.tolist()
    known: dict[tuple[int, ...], int] = {}
    for chows in combinations_with_replacement(range(22), 4):
        suits = [0, 0, 0, 0]
        for chow in chows:
            suits[chow // 7] += 1 << 3 * (chow % 7)
        suits[3] = 0
        key = tuple(sorted(suits))
        if key not in known:
            known[key] = entry(tuple(c for c in chows if c != NO_CHOW))
        table[sum(order[chow][i] for i, chow in enumerate(chows))] = known[key]
    return table


CHOWS = _make()


@kernel
def chow_fans(runs):
    """The fans of chows (3 bits say how often a chow starts at each of 21 places): bits of big, of small, and more."""
    place = taken = 0
    at = 0
    while runs != 0:
        while runs & 7 == 0:
            runs >>= 3
            place += 1
        at += ORDER[place, taken]
        taken += 1
        runs -= 1
    while taken < 4:
        at += ORDER[NO_CHOW, taken]
        taken += 1
    found = np.int64(CHOWS[at])
    fan = found & (1 << FAN_BITS) - 1
    big = small = more = 0
    if fan >= FIRST_SMALL:
        small = 1 << fan - FIRST_SMALL
    elif fan > 0:
        big = 1 << fan - 1
    counts = found >> FAN_BITS
    if counts != 0:
        for i in range(4):
            n = counts >> 2 * i & 3
            if n > 0:
                small |= fans.PURE_DOUBLE_CHOW << i
                more |= n - 1 << fans.MORE_PURE_DOUBLES + fans.COUNT_BITS * i
    return big, small, more
