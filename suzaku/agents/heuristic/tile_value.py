"""How much a tile is worth keeping, by what strong players keep beside it: kernels over the query of a hand.

Of discards that leave hands of the same shanten, the fastest is not always the best: a tile may be joined later, be a
yaku, a dora or part of a flush, or be safe to throw when somebody declares riichi. For one tile, some yes-or-no facts
are listed (its place, what is beside it, tiles unseen, who cannot win on it ...). Each has a weight for each stage of
the hand; with the tiles accepted and the ways to win, their sum tells how fast the hand is without the tile. Weights
are in `tile_value_coefficients.py`, measured over the choices of strong players by `benchmarks/choices.py`.
"""

import numpy as np

from suzaku.agents.heuristic.tile_value_coefficients import KEEP, SPEED
from suzaku.kernel import kernel
from suzaku.riichi.hands import has
from suzaku.riichi.state import CHOW
from suzaku.tiles import ORPHANS

# the facts; a name stands for the first of several
HONOUR = 0  # 8: a single one, tiles unseen, and 4 more if a triplet of it is a yaku
PAIR = 8  # 2: of honours, without and with a yaku
TRIPLET = 10  # of honours
NUMBER = 11  # 45: by place (5), nothing, a gap or a neighbour beside it (3), and how many there are (3)
DORA = 56  # 2: by han
NEAR_DORA = 58  # 2: next to a dora, or one apart
OFF_SUIT = 60  # 4: outside of a suit that has with honours 8, 9, 10, 11 tiles or more
LAST_ORPHAN = 64  # 3: not a simple, in a hand with so many others than simples
OWN = 67  # in the own river
SAFE = 68  # 3: so many opponents cannot win on it
EARLY, LATE = 71, 73  # 2 each: a single honour, without and with a yaku, early and late in the round
TRAITS = 75
MOST_TRAITS = 10  # true of one tile

SHARE = 0.25  # of a preference: those players prefer a hand of e times the points by about 4
GROUPS = 6  # of hands: 1-shanten, 2-shanten and farther, each closed and open


@kernel
def group_of(now, closed):
    """The group of weights of a hand that is `now` from tenpai."""
    return 2 * (min(3, max(1, now)) - 1) + (0 if closed else 1)


@kernel
def look_at_hand(q, out):
    """What the facts need of the whole hand: the suit that it has most of, tiles of it and honours, orphans."""
    suits = np.zeros(4, np.int64)
    orphans = 0
    for kind in range(34):
        suits[kind // 9] += q.hand[kind]
        if (ORPHANS >> kind) & 1:
            orphans += q.hand[kind]
    for i in range(q.melds):
        first = np.int64(q.meld_tile[i])
        suits[first // 9] += 3
        if (ORPHANS >> first) & 1 or (q.meld_type[i] == CHOW and first % 9 == 6):
            orphans += 9
    most = 0
    for suit in range(1, 3):
        if suits[suit] > suits[most]:
            most = suit
    out[0], out[1], out[2] = most, suits[most] + suits[3], orphans


@kernel
def list_traits(rows, q, whole, kind, out):
    """The facts true of a kind in the hand; how many there are. `whole` is filled by `look_at_hand`."""
    n = 0
    held = np.int64(q.hand[kind])
    if kind >= 27:
        valued = 1 if has(rows.valued, kind) else 0
        if held == 1:
            out[n] = HONOUR + 4 * valued + min(3, max(0, np.int64(q.unseen[kind])))
            n += 1
            if rows.draws > 13 or rows.draws < 8:
                out[n] = (EARLY if rows.draws > 13 else LATE) + valued
                n += 1
        else:
            out[n] = PAIR + valued if held == 2 else TRIPLET
            n += 1
    else:
        place = kind % 9
        beside = 0
        near_dora = 0
        for k in range(max(0, place - 2), min(8, place + 2) + 1):
            if k != place:
                near = 2 if abs(k - place) == 1 else 1
                if q.hand[kind - place + k] > 0:
                    beside = max(beside, near)
                if q.dora[kind - place + k] > 0:
                    near_dora = max(near_dora, near)
        out[n] = NUMBER + 9 * min(place, 8 - place) + 3 * beside + min(2, held - 1)
        n += 1
        if near_dora > 0:
            out[n] = NEAR_DORA + 2 - near_dora
            n += 1
        if kind // 9 != whole[0] and whole[1] >= 8:
            out[n] = OFF_SUIT + min(3, whole[1] - 8)
            n += 1
    if q.dora[kind] > 0:
        out[n] = DORA + min(1, np.int64(q.dora[kind]) - 1)
        n += 1
    if (ORPHANS >> kind) & 1 and whole[2] <= 3:
        out[n] = LAST_ORPHAN + whole[2] - 1
        n += 1
    if has(rows.discarded, kind):
        out[n] = OWN
        n += 1
    safe = 0
    for i in range(3):
        safe += 1 if has(rows.safe[i], kind) else 0
    if safe > 0:
        out[n] = SAFE + safe - 1
        n += 1
    return n


@kernel
def fill_speed(rows, q):
    """The logarithm of how fast the hand is after each discard that keeps the shanten, beside the others."""
    group = group_of(rows.now, q.closed)
    whole, facts = np.empty(3, np.int64), np.empty(MOST_TRAITS, np.int64)
    look_at_hand(q, whole)
    for row in range(34):
        if rows.shanten[row] != rows.now or rows.probability[row] <= 0:
            continue
        total = SPEED[group, 0] * np.log(rows.accepts[row]) + SPEED[group, 1] * np.log(rows.ways[row])
        for i in range(list_traits(rows, q, whole, row, facts)):
            total += KEEP[group, facts[i]]
        rows.speed[row] = SHARE * total
