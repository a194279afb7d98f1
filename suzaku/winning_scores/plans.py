"""Plans: ways to a win that are sure of some han, and how far a hand is from each.

With riichi a closed hand has one han for certain and those of its doras. A plan adds a yaku by keeping to some kinds
or forms. What a plan lacks of the aim may still come (a dora, the self-draw), so missing han count as tiles short.
"""

import numpy as np

from suzaku.hand.shanten import unusual_parts, waits_keys
from suzaku.hand.tables import POW5
from suzaku.kernel import kernel
from suzaku.riichi.deal import bit
from suzaku.tiles import ORPHANS
from suzaku.winning_scores.distance import ANY, RUNS, accepted, distance
from suzaku.winning_scores.hand import count_unseen

PLAIN, SEVEN_PAIRS, SIMPLES, VALUE, FLUSH, PINFU, SIMPLE_PINFU = range(7)
PLANS = 7
NONE = 40  # tiles short of a plan that is not thought of
MISSING_HAN = 3  # what a missing han counts for, in half tiles short
ALL_KINDS = np.uint64((1 << 34) - 1)
SIMPLE_KINDS = np.uint64(((1 << 34) - 1) & ~ORPHANS)

PLAN = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("tiles", "i8", (PLANS,)),  # short of a win
                ("han", "i8", (PLANS,)),  # the plan is sure of
                ("accepts", "i8", (PLANS,)),  # tiles that bring it nearer, -1 if not counted yet
                ("value_kind", "i8"),  # the triplet of VALUE
                ("suit", "i8"),  # of FLUSH
                ("worth", "u8"),  # mask of the kinds whose triplet is a yaku
            ],
            align=True,
        ),
    )
)


@kernel
def is_worth(v, kind):
    """The han that a triplet of an honour brings."""
    if kind >= 31:
        return 1
    return (1 if kind == 27 + v.round_wind else 0) + (1 if kind == 27 + v.seat_wind else 0)


@kernel
def unusual(tables, v):
    """Tiles short of seven pairs and of thirteen orphans."""
    e0, e1 = np.int64(tables.suit[v.key[0]]), np.int64(tables.suit[v.key[1]])
    e2, e3 = np.int64(tables.suit[v.key[2]]), np.int64(tables.honour[v.key[3]])
    seven, thirteen = unusual_parts(e0, e1, e2, e3)
    return seven + 1, thirteen + 1


@kernel
def _dora_of(v, allowed):
    """Han of doras and red fives of the allowed kinds."""
    han = 0
    for i in range(v.doras):
        if (allowed >> np.uint64(v.dora[i])) & np.uint64(1):
            han += v.hand[v.dora[i]]
    for suit in range(3):
        if (allowed >> np.uint64(9 * suit + 4)) & np.uint64(1):
            han += v.red[suit]
    return han


@kernel
def _simple_key(v, suit):
    """The key of a suit without its terminals."""
    return np.int64(v.key[suit]) - v.hand[9 * suit] - np.int64(v.hand[9 * suit + 8]) * POW5[8]


@kernel
def _guest_key(v):
    """The key of the honours that bring no yaku: they may be the pair of a pinfu."""
    key = np.int64(0)
    for i in range(7):
        if v.hand[27 + i] > 0 and is_worth(v, 27 + i) == 0:
            key += np.int64(v.hand[27 + i]) * POW5[i]
    return key


@kernel
def _guest_kinds(v):
    allowed = np.uint64((1 << 27) - 1)
    for kind in range(27, 34):
        if is_worth(v, kind) == 0:
            allowed |= np.uint64(1) << np.uint64(kind)
    return allowed


@kernel
def _flush_kinds(suit):
    return np.uint64(511 << 9 * suit | 127 << 27)


@kernel
def fill_plans(tables, shapes, v, plan):
    """How far a hand of 13 tiles is from every plan, and the han each is sure of."""
    k0, k1, k2, k3 = np.int64(v.key[0]), np.int64(v.key[1]), np.int64(v.key[2]), np.int64(v.key[3])
    s0, s1, s2 = _simple_key(v, 0), _simple_key(v, 1), _simple_key(v, 2)
    dora, simple_dora = _dora_of(v, ALL_KINDS), _dora_of(v, SIMPLE_KINDS)
    seven, thirteen = unusual(tables, v)
    plan.accepts[:] = -1
    plan.tiles[PLAIN] = min(distance(shapes, ANY, k0, k1, k2, k3, 4), thirteen)
    plan.han[PLAIN] = 13 if thirteen == plan.tiles[PLAIN] else 1 + dora
    plan.tiles[SEVEN_PAIRS] = seven
    plan.han[SEVEN_PAIRS] = 3 + dora
    plan.tiles[SIMPLES] = distance(shapes, ANY, s0, s1, s2, 0, 4)
    plan.han[SIMPLES] = 2 + simple_dora
    plan.tiles[PINFU] = distance(shapes, RUNS, k0, k1, k2, _guest_key(v), 4)
    plan.han[PINFU] = 2 + dora
    plan.tiles[SIMPLE_PINFU] = distance(shapes, RUNS, s0, s1, s2, 0, 4)
    plan.han[SIMPLE_PINFU] = 3 + simple_dora

    plan.tiles[VALUE] = NONE
    plan.han[VALUE] = 0
    for kind in range(27, 34):
        han = is_worth(v, kind)
        n = np.int64(v.hand[kind])
        if han == 0 or n < 2 or n + v.unseen[kind] < 3:
            continue
        held = min(3, n)
        tiles = 3 - held + distance(shapes, ANY, k0, k1, k2, k3 - held * POW5[kind - 27], 3)
        if tiles - han < plan.tiles[VALUE] - plan.han[VALUE] + 1 + dora:
            plan.tiles[VALUE], plan.han[VALUE], plan.value_kind = tiles, 1 + han + dora, kind

    plan.suit = 0
    most = -1
    for suit in range(3):
        n = 0
        for i in range(9):
            n += v.hand[9 * suit + i]
        if n > most:
            plan.suit, most = suit, n
    suit = plan.suit
    plan.tiles[FLUSH] = distance(
        shapes, ANY, k0 if suit == 0 else 0, k1 if suit == 1 else 0, k2 if suit == 2 else 0, k3, 4
    )
    plan.han[FLUSH] = 4 + _dora_of(v, _flush_kinds(suit))


@kernel
def cost_of(plan, i, aim):
    """Half tiles short of a win of the aim by a plan, missing han included."""
    return 2 * plan.tiles[i] + MISSING_HAN * max(0, aim - plan.han[i])


@kernel
def best_plan(plan, aim):
    """The plan that is nearest to the aim. Of equally near ones the first."""
    best = 0
    for i in range(1, PLANS):
        if cost_of(plan, i, aim) < cost_of(plan, best, aim):
            best = i
    return best


@kernel
def seven_accepts(v):
    """Unseen tiles that bring seven pairs nearer."""
    kinds = 0
    for kind in range(34):
        kinds += 1 if v.hand[kind] > 0 else 0
    total = 0
    for kind in range(34):
        if v.hand[kind] == 1 or (kinds < 7 and v.hand[kind] == 0):
            total += v.unseen[kind]
    return total


@kernel
def orphan_accepts(v):
    """Unseen tiles that bring thirteen orphans nearer."""
    paired = False
    for kind in range(34):
        if ORPHANS >> kind & 1 and v.hand[kind] > 1:
            paired = True
    total = 0
    for kind in range(34):
        if ORPHANS >> kind & 1 and (v.hand[kind] == 0 or not paired):
            total += v.unseen[kind]
    return total


@kernel
def tenpai_waits(tables, shapes, v, plan):
    """What `waits_keys` finds for a tenpai hand whose plans are filled, without a trial of every kind."""
    if plan.han[PLAIN] == 13:
        return waits_keys(tables, v.hand, v.key, 0)
    waits = np.uint64(0)
    if plan.tiles[PLAIN] == 1:
        waits = accepted(shapes, ANY, v.key[0], v.key[1], v.key[2], v.key[3], 4, 1)
    for kind in range(34):
        if v.hand[kind] == 4:
            waits &= ~bit(kind)
        elif plan.tiles[SEVEN_PAIRS] == 1 and v.hand[kind] == 1:
            waits |= bit(kind)
    return waits


@kernel
def count_accepts(shapes, v, plan, i):
    """Unseen tiles that bring a plan nearer. `unseen_bits` must be up to date."""
    if plan.accepts[i] >= 0:
        return plan.accepts[i]
    now = plan.tiles[i]
    k0, k1, k2, k3 = np.int64(v.key[0]), np.int64(v.key[1]), np.int64(v.key[2]), np.int64(v.key[3])
    total = 0
    if i == SEVEN_PAIRS:
        total = seven_accepts(v)
    elif i == PLAIN and plan.han[PLAIN] == 13:
        total = orphan_accepts(v)
    elif i == PLAIN:
        total = count_unseen(v, accepted(shapes, ANY, k0, k1, k2, k3, 4, now))
    elif i == VALUE:
        kind = plan.value_kind
        held = min(3, np.int64(v.hand[kind]))
        mask = accepted(shapes, ANY, k0, k1, k2, k3 - held * POW5[kind - 27], 3, now - (3 - held)) & ~bit(kind)
        total = count_unseen(v, mask | bit(kind) if held < 3 else mask)
    elif i == FLUSH:
        k0, k1, k2 = k0 if plan.suit == 0 else 0, k1 if plan.suit == 1 else 0, k2 if plan.suit == 2 else 0
        total = count_unseen(v, accepted(shapes, ANY, k0, k1, k2, k3, 4, now) & _flush_kinds(plan.suit))
    elif i == PINFU:
        total = count_unseen(v, accepted(shapes, RUNS, k0, k1, k2, _guest_key(v), 4, now) & _guest_kinds(v))
    else:
        k0, k1, k2 = _simple_key(v, 0), _simple_key(v, 1), _simple_key(v, 2)
        total = count_unseen(v, accepted(shapes, ANY if i == SIMPLES else RUNS, k0, k1, k2, 0, 4, now) & SIMPLE_KINDS)
    plan.accepts[i] = total
    return total
