"""Kernels of the two learnt models, and of the player that follows one of them.

MCP: equation (1), a softmax over won with 0, 1, 2, 3, >= 4 han. BCP: equation (3), four logistic regressions, won with
at least 1, 2, 3, 4 han. The weights are float32[features, 5]: column h of the softmax, or h - 1 of the regressions.
"""

import numpy as np

from suzaku.kernel import kernel
from suzaku.winning_scores.features import (
    BLOCKS,
    SUIT_BLOCK,
    TENPAI,
    fill_block,
    fill_rest,
    fill_tenpai,
    phase_of,
    step_row,
)
from suzaku.winning_scores.hand import AIMS, CLASSES, fill_unseen_bits, put, take, throws_red

MCP, BCP = 0, 1
COLUMNS = 5


@kernel
def sum_rows(weights, features, first, last):
    """The sums of the weights of some features."""
    a = b = c = d = e = np.float32(0)  # not an array: its cells would be stored after every row
    for i in range(first, last):
        row = features[i]
        a += weights[row, 0]
        b += weights[row, 1]
        c += weights[row, 2]
        d += weights[row, 3]
        e += weights[row, 4]
    return a, b, c, d, e


@kernel
def sum_column(weights, features, first, last, c):
    """The sum of one column of the weights of some features."""
    total = np.float32(0)
    for i in range(first, last):
        total += weights[features[i], c]
    return total


@kernel
def sum_block(weights, features, suit, blocks):
    """Keep the sums of a suit's block of features."""
    sums = sum_rows(weights, features, suit * SUIT_BLOCK, (suit + 1) * SUIT_BLOCK)
    blocks[suit, 0], blocks[suit, 1], blocks[suit, 2], blocks[suit, 3], blocks[suit, 4] = sums


@kernel
def sum_rest(weights, features, n, blocks, out):
    """The sums of all n features, those of the blocks being known: always in this order, for floats depend on it."""
    a, b, c, d, e = sum_rows(weights, features, BLOCKS, n)
    out[0] = a + (blocks[0, 0] + blocks[1, 0] + (blocks[2, 0] + blocks[3, 0]))
    out[1] = b + (blocks[0, 1] + blocks[1, 1] + (blocks[2, 1] + blocks[3, 1]))
    out[2] = c + (blocks[0, 2] + blocks[1, 2] + (blocks[2, 2] + blocks[3, 2]))
    out[3] = d + (blocks[0, 3] + blocks[1, 3] + (blocks[2, 3] + blocks[3, 3]))
    out[4] = e + (blocks[0, 4] + blocks[1, 4] + (blocks[2, 4] + blocks[3, 4]))


@kernel
def add_rows(weights, features, n, blocks, out):
    """The sums of the weights of n features."""
    for suit in range(4):
        sum_block(weights, features, suit, blocks)
    sum_rest(weights, features, n, blocks, out)


@kernel
def to_classes(model, sums, out):
    """P(i): the probability of each class, of the model's sums, by equation (7) for BCP."""
    if model == MCP:
        most = sums[0]
        for c in range(1, CLASSES):
            most = max(most, sums[c])
        total = 0.0
        for c in range(CLASSES):
            out[c] = np.exp(np.float64(sums[c] - most))
            total += out[c]
        for c in range(CLASSES):
            out[c] /= total
        return
    above = 0.0
    for c in range(AIMS, 0, -1):  # four regressions may contradict each other: more han is never the likelier
        at_least = max(above, 1.0 / (1.0 + np.exp(-np.float64(sums[c - 1]))))
        out[c] = at_least - above
        above = at_least
    out[0] = 1.0 - above


@kernel
def score(model, sums, aim):
    """Equation (5) for MCP, the regression of the aim itself for BCP: higher is better."""
    if model == BCP:
        return np.float64(sums[aim - 1])
    most = max(max(sums[0], sums[1]), max(sums[2], max(sums[3], sums[4])))
    below = above = 0.0
    for c in range(CLASSES):
        share = np.exp(np.float64(sums[c] - most))
        if c < aim:
            below += share
        else:
            above += share
    return above / (below + above)


@kernel
def sum_suit(model, weights, features, suit, aim, blocks):
    """The sums of a suit's block, of the columns that the model's score needs."""
    if model == BCP:
        blocks[suit, aim - 1] = sum_column(weights, features, suit * SUIT_BLOCK, (suit + 1) * SUIT_BLOCK, aim - 1)
    else:
        sum_block(weights, features, suit, blocks)


@kernel
def worth_of(model, weights, features, n, aim, blocks, sums):
    """The score of n features, the sums of the blocks being known."""
    if model == BCP:
        c = aim - 1
        rest = sum_column(weights, features, BLOCKS, n, c)
        sums[c] = rest + (blocks[0, c] + blocks[1, c] + (blocks[2, c] + blocks[3, c]))
    else:
        sum_rest(weights, features, n, blocks, sums)
    return score(model, sums, aim)


@kernel
def choose_learnt(tables, shapes, rules, model, weights, v, aim, w):
    """The best discard of a hand of 14 tiles, whether with riichi, and the tiles short then.

    A discard changes the features of one suit's block alone: the sums of the others stand.
    """
    features, counts, blocks = w.features, w.counts, w.blocks
    phase = phase_of(v)
    fill_unseen_bits(v)
    for suit in range(4):
        counts[suit] = fill_block(v, suit, phase, features, suit * SUIT_BLOCK)
        sum_suit(model, weights, features, suit, aim, blocks)
    best, best_riichi, best_tiles = -1, False, 0
    best_worth = 0.0
    for suit in range(4):
        whole = counts[suit]
        a, b, c, d, e = blocks[suit, 0], blocks[suit, 1], blocks[suit, 2], blocks[suit, 3], blocks[suit, 4]
        for kind in range(9 * suit, 9 * suit + (9 if suit < 3 else 7)):
            if v.hand[kind] == 0:
                continue
            red = throws_red(v, kind)
            put(v, kind)
            if red:
                v.red[suit] -= 1
            counts[suit] = fill_block(v, suit, phase, features, suit * SUIT_BLOCK)
            sum_suit(model, weights, features, suit, aim, blocks)
            n = fill_rest(
                tables, shapes, rules, v, False, w.plan, counts[0], counts[1], counts[2], counts[3], features, BLOCKS
            )
            worth = worth_of(model, weights, features, n, aim, blocks, w.sums)
            tiles = min(w.plan.tiles[0], w.plan.tiles[1])
            if best < 0 or worth > best_worth:
                best, best_riichi, best_worth, best_tiles = kind, False, worth, tiles
            if tiles == 1 and v.may_riichi != 0:
                fill_tenpai(tables, shapes, rules, v, True, w.plan, features, n - TENPAI)
                worth = worth_of(model, weights, features, n, aim, blocks, w.sums)
                if worth > best_worth:
                    best, best_riichi, best_worth, best_tiles = kind, True, worth, tiles
            if red:
                v.red[suit] += 1
            take(v, kind)
        counts[suit] = whole
        blocks[suit, 0], blocks[suit, 1], blocks[suit, 2], blocks[suit, 3], blocks[suit, 4] = a, b, c, d, e
    return best, best_riichi, best_tiles


@kernel
def learn_one(model, weights, steps, squares, seen, now, features, n, han, aim, rate, decay, blocks, sums, work):
    """One step of FOBOS with Adagrad's step sizes on one hand won with `han` (0 to 4). Returns the loss before it.

    The L2 term of the hands in which a feature was absent is made up for when it next appears, see `step_row`.
    """
    add_rows(weights, features, n, blocks, sums)
    loss = 0.0
    if model == MCP:
        to_classes(model, sums, work)
        loss = -np.log(max(1e-12, work[han]))
        for c in range(CLASSES):
            sums[c] = np.float32(work[c] - (1.0 if c == han else 0.0))
        first, last = 0, CLASSES
    else:
        first, last = aim - 1, aim
        target = 1.0 if han >= aim else 0.0
        x = np.float64(sums[aim - 1])
        p = 1.0 / (1.0 + np.exp(-x))
        loss = -np.log(max(1e-12, p if target > 0 else 1.0 - p))
        sums[aim - 1] = np.float32(p - target)
    for i in range(n):
        step_row(weights, steps, squares, seen, features[i], now, sums, first, last, rate, decay, blocks[0])
    return loss
