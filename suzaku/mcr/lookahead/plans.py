"""Plans: families of target hands that are likely to reach 8 fan.

A target is four sets and a pair. A plan says for each of the four which sets it may be, and which kinds the pair. A set
is numbered 0..20 (chows: suit times 7 plus place) or 21..54 (pungs: 21 plus the kind). The last six plans are knitted
straights: nine tiles stand for three sets. Hands without sets (pairs, orphans, knitted tiles) are in `unusual.py`.
"""

from itertools import combinations, permutations

import numpy as np

from suzaku.mcr.tile_fans import LOWER_FOUR, UPPER_FOUR
from suzaku.tiles import ORPHANS

CHOWS, PUNGS = 21, 34
SETS = CHOWS + PUNGS
ALL_SETS = (1 << SETS) - 1
ALL_CHOWS = (1 << CHOWS) - 1
ALL_PUNGS = ALL_SETS ^ ALL_CHOWS
ALL_KINDS = (1 << 34) - 1
SUIT_KINDS = (1 << 27) - 1
HONOUR_KINDS = ALL_KINDS ^ SUIT_KINDS
WINDS, DRAGONS = 15 << 27, 7 << 31

Row = tuple[str, tuple[int, int, int, int], int]  # name, sets by place, pairs


def _pungs(kinds: int) -> int:
    return kinds << CHOWS


def _chow(suit: int, place: int) -> int:
    return 1 << 7 * suit + place


def _inside(kinds: int) -> int:
    """The sets that lie wholly in some kinds."""
    chows = sum(_chow(suit, n) for suit in range(3) for n in range(7) if kinds >> 9 * suit + n & 7 == 7)
    return chows | _pungs(kinds)


def _suit(suit: int) -> int:
    return 511 << 9 * suit


def _three_chows() -> list[Row]:
    rows = []
    for name, step, last in (("Mixed Shifted Chows", 1, 4), ("Mixed Straight", 3, 0), ("Mixed Triple Chow", 0, 6)):
        for first in range(last + 1):
            for suits in permutations(range(3)) if step else [(0, 1, 2)]:
                a, b, c = (_chow(suit, first + step * i) for i, suit in enumerate(suits))
                rows.append((name, (a, b, c, ALL_SETS), ALL_KINDS))
    for name, step, last in (("Pure Straight", 3, 0), ("Pure Shifted Chows", 1, 4), ("Pure Shifted Chows", 2, 2)):
        for suit in range(3):
            for first in range(last + 1):
                a, b, c = (_chow(suit, first + step * i) for i in range(3))
                rows.append((name, (a, b, c, ALL_SETS), ALL_KINDS))
    return rows


def _all_types() -> list[Row]:
    """Three suits, winds and dragons: the pair is of one of the five."""
    suits = [_inside(_suit(suit)) for suit in range(3)]
    rows: list[Row] = []
    for pungs, pair in ((WINDS, DRAGONS), (DRAGONS, WINDS)):
        rows.append(("All Types", (_pungs(pungs), suits[0], suits[1], suits[2]), pair))
    for suit in range(3):
        a, b = (suits[other] for other in range(3) if other != suit)
        rows.append(("All Types", (_pungs(WINDS), _pungs(DRAGONS), a, b), _suit(suit)))
    return rows


def _one_pool(name: str, sets: int, pairs: int) -> Row:
    return name, (sets, sets, sets, sets), pairs


SIMPLES = SUIT_KINDS & ~ORPHANS
OUTER_CHOWS = sum(_chow(suit, place) for suit in range(3) for place in (0, 6))
ROWS: list[Row] = [
    _one_pool("any", ALL_SETS, ALL_KINDS),
    *(_one_pool("Half Flush", _inside(_suit(suit) | HONOUR_KINDS), _suit(suit) | HONOUR_KINDS) for suit in range(3)),
    _one_pool("All Pungs", ALL_PUNGS, ALL_KINDS),
    _one_pool("All Simples, All Chows", _inside(SIMPLES) & ALL_CHOWS, SIMPLES),
    _one_pool("Upper Four", _inside(UPPER_FOUR), UPPER_FOUR),
    _one_pool("Lower Four", _inside(LOWER_FOUR), LOWER_FOUR),
    _one_pool("Outside Hand", OUTER_CHOWS | _pungs(ORPHANS), ORPHANS),
    *_all_types(),
    *(
        ("Two Dragons Pungs", (_pungs(1 << a), _pungs(1 << b), ALL_SETS, ALL_SETS), ALL_KINDS)
        for a, b in combinations((31, 32, 33), 2)
    ),
    *_three_chows(),
    *(("Knitted Straight", (ALL_SETS, 0, 0, 0), ALL_KINDS) for _ in range(6)),
]
NAMES = [name for name, _, _ in ROWS]
PLANS = len(ROWS)
FIRST_KNITTED = PLANS - 6
FIRST_NARROW = NAMES.index("Mixed Shifted Chows")  # the plans from here on fix three sets
PLAN_SETS = np.array([sets for _, sets, _ in ROWS], np.int64)
PLAN_PAIRS = np.array([pairs for _, _, pairs in ROWS], np.int64)
SET_TILES = np.array(
    [[9 * (s // 7) + s % 7 + i for i in range(3)] for s in range(CHOWS)] + [[kind] * 3 for kind in range(PUNGS)],
    np.int64,
)
