"""Ordered features: a number learns by steps, so that a hand seldom seen is rated as the nearest that was seen often.

Shanten, accepted tiles and the like are one feature of a row. Learnt alone, the weight of a seldom one stays near zero,
and zero is better than what a bad hand has: the player would go for hands it knows nothing of. So the weight of the
i-th feature of such a row is the sum of the steps 0 to i, and a hand teaches all of them ("at least" features).
"""

import numpy as np

from suzaku.kernel import kernel
from suzaku.winning_scores.features import ACCEPTS, DRAWS, GROUPS, PHASES, SHANTEN, SIZE

ROWS = {  # group: features of a row, and how far they lie from each other
    "draws": (DRAWS, 1),
    "shanten": (8, DRAWS),
    "seven_pairs": (7, DRAWS),
    "accepts": (ACCEPTS, 1),
    "aim": (26, DRAWS),
    "aim_accepts": (16, 1),
    "plans": (4, SHANTEN * PHASES),
    "dora": (8, SHANTEN),
    "orphans": (14, SHANTEN),
    "flush": (14, SHANTEN),
    "waits": (13, DRAWS),
    "aim_waits": (6, 1),
}


def _rows() -> np.ndarray:
    """Of every feature: its place in its row, the features of the row, and how far they lie from each other."""
    out = np.zeros((SIZE, 3), np.int64)
    first = 0
    for group in GROUPS:
        length, apart = ROWS.get(group.name, (1, 1))
        at = np.arange(group.count)
        out[first : first + group.count] = np.stack([at // apart % length, 0 * at + length, 0 * at + apart], 1)
        first += group.count
    return out


ROW = _rows()


def steps_of(weights: np.ndarray) -> np.ndarray:
    """The steps that given weights are the sums of."""
    at = np.arange(SIZE)
    below = np.where(ROW[:, 0] > 0, at - ROW[:, 2], at)
    return weights - np.where((ROW[:, 0] > 0)[:, None], weights[below], 0)


@kernel
def step_row(weights, steps, squares, seen, feature, now, gradient, first, last, rate, decay, total):
    """One step of FOBOS with Adagrad's step sizes for the row of a feature; brings its weights up to date.

    `gradient` is that of each column, of which the first to the last learn. `seen` is the hand in which a step last
    learnt, `now` the present one, `decay` the L2 term of one hand: what it missed meanwhile is made up for.
    """
    place, length, apart = ROW[feature, 0], ROW[feature, 1], ROW[feature, 2]
    at = feature - place * apart
    for c in range(first, last):
        total[c] = 0
    for i in range(length):
        for c in range(first, last):
            if i <= place:
                g = gradient[c]
                absent = np.float32(decay * (now - seen[at, c]))
                seen[at, c] = now
                squares[at, c] += g * g
                size = np.float32(rate) / np.sqrt(squares[at, c])
                steps[at, c] = (steps[at, c] - size * g) / (np.float32(1) + size * absent)
            total[c] += steps[at, c]
            weights[at, c] = total[c]
        at += apart
