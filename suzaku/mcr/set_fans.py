"""The fans by what makes them: chows, pungs, kinds, and hands without four melds.

- Knitted tiles: 147 of one suit, 258 of another, 369 of the third, in six ways.
- The fans that chows make with each other, for every set of up to four chows, from a table.
- The fans of pungs and kongs. A pung here is a triplet or a kong, concealed or not.
- The fans that depend on nothing but which kinds a hand holds.
- Hands without four melds: seven pairs, thirteen orphans, honours and knitted tiles.
"""

from itertools import combinations, combinations_with_replacement, pairwise, permutations

import numpy as np

from suzaku.hand.tables import POW5, popcount
from suzaku.kernel import kernel
from suzaku.mcr import fans
from suzaku.mcr.fans import FIRST_SMALL
from suzaku.tiles import HONOURS, ORPHANS, TERMINALS

_WAYS = [[(suit, first + 3 * i) for first, suit in enumerate(way) for i in range(3)] for way in permutations(range(3))]
KNITTED = np.array([sum(1 << 9 * suit + n for suit, n in way) for way in _WAYS], np.int64)  # masks of the nine kinds
KNITTED_KEYS = np.array([[sum(POW5[n] for s, n in way if s == suit) for suit in range(3)] for way in _WAYS], np.int64)


# A chow is 0..20: seven a suit; NO_CHOW fills a set up to four. An entry holds the number of the one fan of three or
# four chows (or 0) and, two bits each, how often the fans of two chows count.

NO_CHOW = 21
FAN_BITS = 7
PURE_DOUBLE, MIXED_DOUBLE, SHORT, TWO_TERMINALS = range(4)  # fans of two chows, 69 to 72
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
        return {3: SHORT, 6: TWO_TERMINALS}.get(abs(a - b), -1)
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
        for fan in (TWO_TERMINALS, SHORT, MIXED_DOUBLE, PURE_DOUBLE):
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


WINDS, DRAGONS = 27, 31  # first kinds


@kernel
def _of_suits(pungs):
    """The fans of pungs by suit and number, and how many double pungs."""
    a, b, c = pungs & 511, pungs >> 9 & 511, pungs >> 18 & 511
    for suit in (a, b, c):
        if suit & suit >> 1 & suit >> 2 != 0:
            if suit & suit >> 1 & suit >> 2 & suit >> 3 != 0:
                return fans.FOUR_PURE_SHIFTED_PUNGS, 0
            doubles = popcount(a & b) + popcount(a & c) + popcount(b & c)
            return fans.PURE_SHIFTED_PUNGS, doubles
    if a & b & c != 0:
        return fans.TRIPLE_PUNG, 0
    big = 0
    if (
        a & (b >> 1 & c >> 2 | c >> 1 & b >> 2) != 0
        or b & (a >> 1 & c >> 2 | c >> 1 & a >> 2) != 0
        or c & (a >> 1 & b >> 2 | b >> 1 & a >> 2) != 0
    ):
        big = fans.MIXED_SHIFTED_PUNGS
    return big, popcount(a & b) + popcount(a & c) + popcount(b & c)


@kernel
def pung_fans(pungs, pair, seat_wind, round_wind):
    """The fans of some pungs and the kind of the pair: bits of big, of small, and more."""
    big = small = more = 0
    if pungs & (1 << 27) - 1 != 0:
        big, doubles = _of_suits(pungs)
        if doubles > 0:
            small |= fans.DOUBLE_PUNG
            more |= doubles - 1 << fans.MORE_DOUBLE_PUNGS
    outer = popcount(pungs & TERMINALS)
    winds, dragons = pungs >> WINDS & 15, pungs >> DRAGONS & 7
    if winds != 0:
        n = popcount(winds)
        if winds >> seat_wind & 1 != 0:
            small |= fans.SEAT_WIND
        if winds >> round_wind & 1 != 0:
            small |= fans.PREVALENT_WIND
        if n == 4:
            big |= fans.BIG_FOUR_WINDS
        elif n == 3:
            big |= fans.LITTLE_FOUR_WINDS if WINDS <= pair < DRAGONS else fans.BIG_THREE_WINDS
        else:
            outer += popcount(winds & ~(1 << seat_wind | 1 << round_wind))
    if dragons != 0:
        n = popcount(dragons)
        small |= fans.DRAGON_PUNG
        more |= n - 1 << fans.MORE_DRAGONS
        if n == 3:
            big |= fans.BIG_THREE_DRAGONS
        elif n == 2:
            if pair >= DRAGONS:
                big |= fans.LITTLE_THREE_DRAGONS
            else:
                small |= fans.TWO_DRAGON_PUNGS
    if outer > 0:
        small |= fans.PUNG_OF_TERMINALS_OR_HONORS
        more |= outer - 1 << fans.MORE_TERMINAL_PUNGS
    return big, small, more


@kernel
def concealed_fans(hidden, closed_kongs, open_kongs, mixed):
    """The fans of kongs and of so many concealed pungs (concealed kongs among them); `mixed`: fan 82 is played."""
    big = small = 0
    kongs = closed_kongs + open_kongs
    if kongs == 4:
        big |= fans.FOUR_KONGS
    elif kongs == 3:
        big |= fans.THREE_KONGS
    elif kongs == 2:
        if open_kongs == 0:
            small |= fans.TWO_CONCEALED_KONGS
        elif closed_kongs == 0:
            small |= fans.TWO_MELDED_KONGS
        elif mixed:
            small |= fans.MIXED_KONGS
        else:
            small |= fans.CONCEALED_KONG | fans.MELDED_KONG
    elif kongs == 1:
        small |= fans.CONCEALED_KONG if closed_kongs == 1 else fans.MELDED_KONG
    if hidden == 4:
        big |= fans.FOUR_CONCEALED_PUNGS
    elif hidden == 3:
        big |= fans.THREE_CONCEALED_PUNGS
    elif hidden == 2:
        small |= fans.TWO_CONCEALED_PUNGS
    return big, small


SUIT = 511
ALL_SUITS = (1 << 27) - 1
WIND_KINDS, DRAGON_KINDS = 15 << 27, 7 << 31
GREEN = sum(1 << k for k in (19, 20, 21, 23, 25, 32))
REVERSIBLE = sum(1 << 8 + n for n in (1, 2, 3, 4, 5, 8, 9)) | sum(1 << 17 + n for n in (2, 4, 5, 6, 8, 9)) | 1 << 31


def _numbers(first: int, last: int) -> int:
    """The kinds of these numbers in all suits."""
    return sum(1 << 9 * suit + n - 1 for suit in range(3) for n in range(first, last + 1))


UPPER, MIDDLE, LOWER = _numbers(7, 9), _numbers(4, 6), _numbers(1, 3)
UPPER_FOUR, LOWER_FOUR = _numbers(6, 9), _numbers(1, 4)


@kernel
def tile_fans(kinds):
    """Bits of big and of small for a mask of the kinds in a hand, melds included."""
    big = small = 0
    suits = (kinds & SUIT != 0) + (kinds >> 9 & SUIT != 0) + (kinds >> 18 & SUIT != 0)
    honours = kinds & HONOURS
    if suits == 1:
        if honours == 0:
            big |= fans.FULL_FLUSH
        else:
            small |= fans.HALF_FLUSH
    elif suits == 2:
        small |= fans.ONE_VOIDED_SUIT
    elif suits == 3 and kinds & WIND_KINDS != 0 and kinds & DRAGON_KINDS != 0:
        small |= fans.ALL_TYPES
    if honours == 0:
        small |= fans.NO_HONORS
        if kinds & TERMINALS == 0:
            small |= fans.ALL_SIMPLES
            if kinds & ~MIDDLE == 0:
                big |= fans.MIDDLE_TILES
        if kinds & ~UPPER_FOUR == 0:
            big |= fans.UPPER_FOUR
            if kinds & ~UPPER == 0:
                big |= fans.UPPER_TILES
        elif kinds & ~LOWER_FOUR == 0:
            big |= fans.LOWER_FOUR
            if kinds & ~LOWER == 0:
                big |= fans.LOWER_TILES
    if kinds & ~ORPHANS == 0:
        if honours == 0:
            big |= fans.ALL_TERMINALS
        elif kinds & ALL_SUITS == 0:
            big |= fans.ALL_HONORS
        else:
            big |= fans.ALL_TERMINALS_AND_HONORS
    if kinds & ~GREEN == 0:
        big |= fans.ALL_GREEN
    if kinds & ~REVERSIBLE == 0:
        big |= fans.REVERSIBLE_TILES
    return big, small


@kernel
def seven_pairs(kinds):
    """The fans of seven pairs of these kinds, besides those of its tiles."""
    shape = kinds
    while shape & 1 == 0:
        shape >>= 1
    in_one_suit = kinds & 511 == kinds or kinds & 511 << 9 == kinds or kinds & 511 << 18 == kinds
    return fans.SEVEN_PAIRS | (fans.SEVEN_SHIFTED_PAIRS if shape == 127 and in_one_suit else 0)


@kernel
def single_tiles(kinds, tiles):
    """The fans of thirteen orphans or of honours and knitted tiles, or 0; `tiles` is the number of kinds."""
    if kinds == ORPHANS:
        return fans.THIRTEEN_ORPHANS
    if tiles != 14:
        return 0
    for knitted in KNITTED:
        if kinds & ~(knitted | HONOURS) == 0:
            if kinds & HONOURS == HONOURS:
                return fans.GREATER_HONORS_AND_KNITTED_TILES
            whole = fans.KNITTED_STRAIGHT if popcount(kinds & knitted) == 9 else 0
            return fans.LESSER_HONORS_AND_KNITTED_TILES | whole
    return 0
