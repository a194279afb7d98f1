"""How much a tile is worth keeping, by what strong players keep beside it.

- Numbers measured over 105,357 choices of strong players. Written by this command:
- How much a tile is worth keeping, by what strong players keep beside it: kernels over the query of a hand.
"""

import numpy as np

from suzaku.kernel import kernel
from suzaku.riichi.deal import has
from suzaku.riichi.state import CHOW
from suzaku.tiles import ORPHANS

# Measured over 105,357 choices of strong players: python benchmarks/choices.py STORE 105357
# fmt: off
SPEED = np.array([
    3.65, 1.15,
    1.86, 2.57,
    2.32, 1.21,
    1.53, 2.26,
    1.43, 1.43,
    1.06, 1.06,
]).reshape(6, 2)

KEEP = np.array([
     0.16,  0.36,  0.32,  0.98,  0.19,  0.27,  0.49,  0.54,  1.12, -0.04, -1.70,  1.49,  1.03, -1.29,  0.47,  0.46,
    -1.34,  0.46,  0.42, -0.50,  1.41,  0.45, -1.37,  0.80, -0.15, -0.30,  0.28,  0.51, -0.79,  0.96,  0.12, -1.87,
     0.77,  0.07, -0.46, -0.06,  0.35, -0.71,  0.84,  0.15, -1.31,  0.61, -0.24, -1.69, -0.36,  0.29, -0.90,  0.23,
    -0.46, -0.94,  0.40, -0.13,  0.05, -0.59,  0.06,  0.08, -1.17, -0.33, -0.31, -0.05,  0.05, -0.07,  0.30,  0.86,
     0.29,  0.62,  0.36,  0.86,  0.05,  0.17,  0.34,  1.01,  0.86, -0.38, -0.56,
    -0.95, -0.47,  0.05,  0.25, -0.59, -0.59, -0.34, -0.42, -0.33, -0.39, -0.42,  0.65,  0.41,  0.30,  0.38, -0.58,
    -0.11,  0.40, -0.27, -0.05,  1.13,  0.14, -0.04,  0.58, -0.55, -0.09,  0.66, -0.23, -0.08,  0.85,  0.09, -0.03,
     0.50, -0.42,  0.26,  0.07, -0.10,  0.01,  0.82,  0.51,  0.17,  0.69, -0.43,  0.00, -0.22, -0.04, -0.05,  0.28,
     0.07, -0.02,  0.73, -0.97, -0.02, -0.31, -0.56, -0.32, -0.86,  0.00, -0.18, -0.03,  0.08, -0.22,  0.14,  1.13,
     0.01,  0.05, -0.83,  0.76,  0.02,  0.07, -0.03,  0.18,  0.35,  0.57, -0.03,
     0.38,  0.74,  0.97,  1.35,  0.37,  0.56,  0.84,  0.61,  0.60, -0.73, -0.41,  2.31,  1.31, -0.60,  0.54,  0.21,
    -0.03,  0.54,  0.55, -0.43,  1.42,  0.38, -0.39,  0.54, -0.45, -0.80, -0.21,  0.43, -0.96,  0.47,  0.62, -0.97,
     0.14, -0.11, -0.55, -1.22,  0.17, -0.67,  0.19, -0.08,  0.14, -0.04, -0.36, -0.88, -1.36,  0.15, -0.41, -0.41,
     0.03, -0.63,  0.02, -1.03, -0.28, -1.59, -0.21, -0.78, -1.65, -0.02, -0.46, -0.24, -0.04,  0.29,  0.63,  2.08,
     0.20,  0.54,  0.40,  1.20,  0.05,  0.19,  0.42,  1.48,  0.96, -0.70, -0.89,
    -0.77,  0.08, -0.08,  0.56, -0.16, -0.03, -0.18, -0.17,  0.34, -0.36, -0.01,  1.19, -0.54, -0.02,  0.81,  0.09,
     0.00,  0.59,  0.11, -0.05,  1.04,  0.03,  0.24,  0.56, -0.57,  0.00,  0.53, -0.16,  0.00,  0.46, -0.35, -0.01,
     0.58, -0.44,  0.00, -0.39, -0.47, -0.03,  0.38, -0.02,  0.00,  0.38, -1.01,  0.00, -0.42, -0.20, -0.01, -0.08,
     0.24,  0.00,  0.41, -0.59,  0.00, -0.91, -0.56,  0.00, -1.02,  0.00, -0.33, -0.09,  0.14, -0.29,  0.23,  1.84,
     0.35, -0.07, -0.05,  0.86,  0.06,  0.01,  0.55,  0.54,  0.58,  0.02, -0.24,
     0.75,  1.06,  1.45,  1.54,  1.02,  1.36,  1.00,  0.26, -0.24, -0.97, -0.17,  3.01,  0.11,  0.37,  0.74, -0.07,
     0.13,  0.91,  0.08,  0.09,  1.15,  0.11,  0.17,  0.47, -0.60, -0.11, -0.71,  0.12,  0.01,  0.08, -0.31,  0.07,
    -0.39, -0.80, -0.18, -1.73, -0.21, -0.40, -0.13, -0.41,  0.18, -0.35, -0.50, -0.40, -1.87, -0.28, -0.36, -0.35,
    -0.40, -0.05, -0.40, -0.85, -0.12, -1.95, -0.59, -0.34, -1.86,  0.00, -0.63, -0.41, -0.01,  0.39,  1.03,  2.78,
     0.33,  0.65,  0.52,  1.55, -0.03,  0.19,  0.40,  2.05,  1.05, -0.86, -0.60,
     1.24,  0.54,  0.72,  0.88,  0.14,  0.85,  0.30,  0.01,  0.00,  0.00,  0.00,  2.06,  0.00,  0.00,  0.34, -0.17,
     0.00,  0.58, -0.67,  0.00,  0.93,  0.00, -0.03,  0.02, -0.37,  0.00, -0.61, -0.50, -0.01,  0.61,  0.00,  0.00,
    -0.25, -0.30, -0.03, -1.14, -0.90,  0.00,  0.49,  0.00,  0.00, -0.59, -0.50,  0.00, -1.31, -0.45,  0.00,  0.13,
     0.00,  0.00, -0.50, -0.25,  0.00, -0.99, -0.30,  0.00, -1.79,  0.00, -0.89, -0.21, -0.39, -0.26,  0.45,  2.82,
     0.83,  0.70,  0.63,  1.26, -0.06,  0.50,  0.71,  1.20,  0.85,  0.55, -0.24,
]).reshape(6, 75)
# fmt: on


# Of discards that leave hands of the same shanten, the fastest is not always the best: a tile may be joined later, be
# a yaku, a dora or part of a flush, or be safe to throw when somebody declares riichi. For one tile, some yes-or-no
# facts are listed (its place, what is beside it, tiles unseen, who cannot win on it ...). Each has a weight for each
# stage of the hand; with the tiles accepted and the ways to win, their sum tells how fast the hand is without the
# tile. The weights are `SPEED` and `KEEP` above.

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
