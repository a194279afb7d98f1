"""Plans: families of target hands that are likely to reach 8 fan, their fans, targets without sets, and the record of
a search.

- What a win brings.
- Plans: families of target hands that are likely to reach 8 fan.
- The fans of a target hand, before it is known how it will be won.
- The record of a search: what is asked, what is found, and room to work in.
- Targets without sets: seven pairs, honours and knitted tiles, thirteen orphans. Only the last tile can be claimed.
"""

from itertools import combinations, permutations

import numpy as np

from suzaku.hand.tables import popcount
from suzaku.kernel import kernel
from suzaku.mcr import fans
from suzaku.mcr.fans import apply_exclusions, total
from suzaku.mcr.score import RUN_BITS, shape_fans
from suzaku.mcr.set_fans import KNITTED, LOWER_FOUR, UPPER_FOUR, chow_fans, concealed_fans, pung_fans, tile_fans
from suzaku.mcr.state import CHOW, CLOSED_KONG, PONG
from suzaku.tiles import HONOURS, ORPHANS

SELF_DRAWN = 0.25  # share of wins
CHICKEN_FAN = 8  # fan of a hand that is worth nothing else


@kernel
def points_of(fan):
    """What a win of so many fan brings on average."""
    return (1.0 - SELF_DRAWN) * (24.0 + fan) + SELF_DRAWN * 3.0 * (8.0 + fan)


# A target is four sets and a pair. A plan says for each of the four which sets it may be, and which kinds the pair. A
# set is numbered 0..20 (chows: suit times 7 plus place) or 21..54 (pungs: 21 plus the kind). The last six plans are
# knitted straights: nine tiles stand for three sets. Hands without sets (pairs, orphans, knitted tiles) are in
# `unusual.py`.

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


@kernel
def meld_sets(meld_type, meld_kind, melds):
    """Chows, pungs, concealed and open kongs of some melds."""
    runs = pungs = closed_kongs = open_kongs = 0
    for i in range(melds):
        kind, what = int(meld_kind[i]), int(meld_type[i])
        if what == CHOW:
            runs += 1 << RUN_BITS * (kind // 9) + 3 * (kind % 9)
        else:
            pungs |= 1 << kind
            if what == CLOSED_KONG:
                closed_kongs += 1
            elif what != PONG:
                open_kongs += 1
    return runs, pungs, closed_kongs, open_kongs


@kernel
def target_fan(runs, pungs, pair, hidden, closed_kongs, open_kongs, knitted, hogs, seat_wind, round_wind):
    """The fan of a whole target won on a discard with an open hand, and without any fan of its own (0, not 8)."""
    big, small, more = pung_fans(pungs, pair, seat_wind, round_wind)
    kinds = pungs | 1 << pair | knitted
    rest, place = runs, 0
    while rest != 0:
        if rest & 7 != 0:
            kinds |= 7 << 9 * (place // 7) + place % 7
        rest >>= 3
        place += 1
    tile_big, tile_small = tile_fans(kinds)
    if knitted != 0:
        big |= fans.KNITTED_STRAIGHT
        if pungs == 0 and pair < 27:
            small |= fans.ALL_CHOWS
    else:
        chow_big, chow_small, chow_more = chow_fans(runs)
        shape_big, shape_small = shape_fans(pungs, runs, 4 - popcount(pungs), pair)
        big |= chow_big | shape_big
        small |= chow_small | shape_small
        more += chow_more
    kong_big, kong_small = concealed_fans(hidden + closed_kongs, closed_kongs, open_kongs, True)
    small |= tile_small | kong_small
    if hogs > 0:
        small |= fans.TILE_HOG
        more += hogs - 1 << fans.MORE_HOGS
    big, small = apply_exclusions(big | tile_big | kong_big, small)
    return total(big, small, more)


TOP = 8  # plans that are kept for people
MOST_TARGETS = 64  # targets that are kept for people

SEARCH = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # the query
                ("hand", "u1", (34,)),  # concealed tiles, 13 or 14 less 3 a meld
                ("unseen", "u1", (34,)),  # tiles of a kind that the seat does not see
                ("melds", "i1"),
                ("meld_type", "i1", (4,)),
                ("meld_kind", "i1", (4,)),
                ("seat_wind", "i1"),
                ("round_wind", "i1"),
                ("minimum", "i2"),  # fan that a win needs
                ("draws", "f4"),  # own draws that are left
                ("slack", "i1"),  # how much farther than the nearest targets are listed too
                ("exact", "i1"),  # targets with at most so many missing tiles are scored tile by tile as they are won
                ("wide", "i1"),  # up to so many missing tiles all sets are tried, beyond only those of plans
                ("claims", "f4"),  # how often an opponent discards an unseen tile, against drawing it
                ("keep", "i1"),  # 1: the targets that promise most are kept, for people
                # the answer
                ("distance", "i1"),  # tiles short of the nearest target found
                ("total", "f8"),  # expected points of all targets, for the hand as it is
                ("value", "f8", (34,)),  # the same once a tile of this kind is discarded
                ("near", "i1", (34,)),  # tiles short of the nearest target once a tile of this kind is discarded
                ("plans", "i1"),  # how many of the rows below are filled, the best first
                ("plan", "i2", (TOP,)),  # number of the plan
                ("plan_value", "f8", (TOP,)),  # expected points of its targets
                ("plan_missing", "i1", (TOP,)),  # of its best target: tiles short
                ("plan_fan", "i2", (TOP,)),  # fan
                ("plan_wants", "i1", (TOP, 34)),  # missing tiles by kind
                ("plan_best", "f8", (TOP,)),  # expected points of that target
                ("none", "f8"),  # probability that none of the targets is reached, were they independent
                ("targets", "i2"),  # how many are kept, in any order
                ("target_tiles", "u1", (MOST_TARGETS, 34)),  # all their concealed tiles
                ("target_worth", "f8", (MOST_TARGETS,)),  # expected points
                ("target_probability", "f8", (MOST_TARGETS,)),
                # work: the probability to get a missing tile
                ("by_draw", "f8", (34,)),  # by own draw
                ("by_chow", "f8", (34,)),  # or the previous seat's discard
                ("by_pung", "f8", (34,)),  # or anyone's discard
                ("used", "u1", (34,)),  # tiles of the target so far
                ("at", "i2", (5,)),  # set chosen at each place
                ("missing", "i1", (6,)),  # tiles short after each place
                ("open_", "f8", (6,)),  # probability after each place, with claims
                ("closed", "f8", (6,)),  # without
                ("hidden", "i1", (6,)),  # pungs held in full
                ("runs", "i8", (6,)),
                ("pungs", "i8", (6,)),
                ("slowest", "f8", (6,)),  # the most that claiming the last tile gains
                ("places", "i8", (4,)),  # masks of sets for the places still to fill
                ("found", "i1", (128,)),  # by plan: whether it had a target at the last budget
                ("plan_sum", "f8"),  # value of the plan being searched
                ("best_target", "f8"),
            ],
            align=True,
        ),
    )
)


SEVEN_PAIRS, KNITTED_TILES, THIRTEEN_ORPHANS = PLANS, PLANS + 1, PLANS + 2
LAST = 3.0  # how much likelier the last tile comes, since everyone's discards will do


@kernel
def _choose(probability, mask, without, n):
    """The expected number of ways to get n of the kinds of a mask, one of them left out."""
    ways = np.zeros(n + 1)
    ways[0] = 1.0
    for kind in range(34):
        if mask >> kind & 1 != 0 and kind != without:
            for i in range(n, 0, -1):
                ways[i] += ways[i - 1] * probability[kind]
    return ways[n]


@kernel
def _keep(q, plan, fan, missing, wants, worth):
    """Keep the target with all kinds that would help as the missing ones."""
    if worth > q.best_target:
        q.best_target = worth
        row = q.plans
        q.plan[row] = plan
        q.plan_fan[row] = fan
        q.plan_missing[row] = missing
        for kind in range(34):
            q.plan_wants[row, kind] = wants >> kind & 1


@kernel
def _count(q, plan, fan, wants, spare, single, missing, pick):
    """Add what getting `pick` of the wanted kinds is worth; tiles of `spare` are not needed, of `single` one may go."""
    if fan < q.minimum:
        return
    gain = points_of(fan) * (LAST if missing > 0 else 1.0)
    worth = min(points_of(fan), gain * _choose(q.by_draw, wants, -1, pick))
    if worth <= 0.0:
        return
    q.total += worth
    q.plan_sum += worth
    q.none *= 1.0 - worth / points_of(fan)
    q.distance = min(q.distance, missing)
    for kind in range(34):
        if q.hand[kind] == 0:
            continue
        if spare >> kind & 1 != 0:
            q.value[kind] += worth
            q.near[kind] = min(q.near[kind], missing)
        elif single >> kind & 1 != 0:
            left = min(points_of(fan), gain * _choose(q.by_draw, wants, kind, pick))
            if left > 0.0:
                q.value[kind] += left
                q.near[kind] = min(q.near[kind], missing)
    _keep(q, plan, fan, missing, wants, worth)


@kernel
def _seven_pairs(q, budget):
    pairs = 0
    odd = 0
    for kind in range(34):
        pairs += q.hand[kind] // 2
        odd |= np.int64(q.hand[kind] & 1) << kind
    missing = max(0, 7 - pairs)
    if missing <= budget:
        _count(q, SEVEN_PAIRS, 24, odd, 0, odd, missing, missing)


@kernel
def _knitted_tiles(q, budget):
    kinds = several = 0
    for kind in range(34):
        kinds |= np.int64(q.hand[kind] > 0) << kind
        several |= np.int64(q.hand[kind] > 1) << kind
    for knitted in KNITTED:
        members = knitted | HONOURS
        missing = max(0, 14 - popcount(kinds & members))
        if missing <= budget:
            _count(q, KNITTED_TILES, 12, members & ~kinds, kinds & ~members | several, 0, missing, missing)


@kernel
def _thirteen_orphans(q, budget):
    kinds = several = n = 0
    pair = 0
    for kind in range(34):
        if ORPHANS >> kind & 1 != 0 and q.hand[kind] > 0:
            kinds |= 1 << kind
            n += 1
            if q.hand[kind] > 1:
                pair += 1
                several |= 1 << kind
    missing = 14 - n - min(1, pair)
    if missing > budget:
        return
    spare = ~ORPHANS
    if pair > 1:
        spare |= several
    _count(q, THIRTEEN_ORPHANS, 88, ORPHANS & ~kinds, spare, 0, missing, 13 - n)


@kernel
def unusual_hands(q, plan, budget):
    """Search one of these plans."""
    if plan == SEVEN_PAIRS:
        _seven_pairs(q, budget)
    elif plan == KNITTED_TILES:
        _knitted_tiles(q, budget)
    else:
        _thirteen_orphans(q, budget)
