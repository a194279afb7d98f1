"""What the models see of a one-player hand: sparse binary features, numbers by steps.

- What the models see of a one-player hand: sparse binary features of the 13 tiles that a discard leaves.
- Ordered features: a number learns by steps, so that a hand seldom seen is rated as the nearest that was seen often.
"""

import numpy as np

from suzaku.features.channels import Group, size, table_hash
from suzaku.kernel import kernel
from suzaku.riichi.deal import has
from suzaku.riichi.score import RIICHI
from suzaku.winning_scores.hand import dora_han, han_of, put, take
from suzaku.winning_scores.plans import (
    FLUSH,
    PINFU,
    PLAIN,
    SEVEN_PAIRS,
    SIMPLE_PINFU,
    SIMPLES,
    VALUE,
    best_plan,
    cost_of,
    count_accepts,
    fill_plans,
    is_worth,
    tenpai_waits,
)

# `GROUPS` is the list, and its hash stands in every model: a model of another list is refused.

DRAWS, PHASES, SHANTEN = 18, 3, 5
ACCEPTS = 24  # steps of two accepted tiles

GROUPS = (
    Group("draws", DRAWS, "one of", "draws left"),
    Group("shanten", 8 * DRAWS, "one of", "shanten to four melds and a pair (or thirteen orphans), by draws left"),
    Group("seven_pairs", 7 * DRAWS, "one of", "shanten to seven pairs, by draws left"),
    Group("accepts", SHANTEN * PHASES * ACCEPTS, "one of", "accepted tiles by twos, by shanten and phase"),
    Group("aim", 3 * 26 * DRAWS, "one of each aim", "half tiles short of 2, 3, 4 han by the best plan, by draws left"),
    Group("aim_accepts", 3 * 5 * 3 * 16, "one of each aim", "its accepted tiles by threes, its distance, missing han"),
    Group("plans", 5 * 4 * SHANTEN * PHASES, "one of each", "tiles that a yaku costs more than any win: five plans"),
    Group("windows", PHASES * 7 * 125, "21", "counts of three adjacent kinds by place, the same in all suits"),
    Group("honours", 5 * 5 * 4, "7", "count by role (dragon, double, seat, round, guest wind) and tiles unseen"),
    Group("dora", 8 * SHANTEN, "one of", "doras and red fives held, by shanten"),
    Group("orphans", 14 * SHANTEN, "one of", "terminals and honours held, by shanten"),
    Group("flush", 14 * SHANTEN, "one of", "tiles of the longest suit and honours, by shanten"),
    Group("pairs", 7 * 5, "one of", "pairs and triplets held"),
    Group("waits", 2 * 13 * DRAWS, "one of", "tenpai: tiles waited for, by riichi and draws left"),
    Group("wait_han", 2 * 2 * 6 * 6, "one of", "tenpai: lowest and highest han on a discard, riichi, furiten"),
    Group("aim_waits", 2 * 4 * 6, "one of each aim", "tenpai: tiles that win with the aim on a discard, riichi"),
)
SIZE = size(GROUPS)
MOST = 64  # features of a hand at most
SUIT_BLOCK = 7  # features that depend on the tiles of one suit alone, or on the honours; they come first
BLOCKS = 4 * SUIT_BLOCK
TENPAI = 6  # features of a tenpai hand, which come last
_starts = np.concatenate([[0], np.cumsum([group.count for group in GROUPS])])
(
    _DRAWS, _SHANTEN, _SEVEN, _ACCEPTS, _AIM, _AIM_ACCEPTS, _PLANS, _WINDOWS, _HONOURS, _DORA, _ORPHANS, _FLUSH,
    _PAIRS, _WAITS, _WAIT_HAN, _AIM_WAITS,
) = (int(start) for start in _starts[:-1])  # fmt: skip


def features_hash() -> str:
    """Which list of features this is."""
    return table_hash(GROUPS)


@kernel
def fill_tenpai(tables, shapes, rules, v, riichi, plan, out, n):
    """The features of a hand that waits for something, TENPAI of them: the last ones."""
    waits = tenpai_waits(tables, shapes, v, plan)
    draws = min(DRAWS - 1, np.int64(v.draws))
    furiten = 1 if waits & v.discarded != 0 else 0
    tiles = 0
    low, high = 5, 0
    counts = (0, 0, 0, 0)
    for kind in range(34):
        if not has(waits, kind) or v.unseen[kind] <= 0:
            continue
        take(v, kind)
        han = min(5, han_of(tables, rules, v, kind, RIICHI if riichi else 0))
        put(v, kind)
        left = np.int64(v.unseen[kind])
        tiles += left
        low, high = min(low, han), max(high, han)
        counts = (
            counts[0] + (left if han >= 1 else 0), counts[1] + (left if han >= 2 else 0),
            counts[2] + (left if han >= 3 else 0), counts[3] + (left if han >= 4 else 0),
        )  # fmt: skip
    flag = 1 if riichi else 0
    out[n] = _WAITS + (flag * 13 + min(12, tiles)) * DRAWS + draws
    out[n + 1] = _WAIT_HAN + ((flag * 2 + furiten) * 6 + low) * 6 + high
    for aim in range(4):
        out[n + 2 + aim] = _AIM_WAITS + (flag * 4 + aim) * 6 + min(5, (counts[aim] + 1) // 2)
    return n + TENPAI


@kernel
def fill_block(v, suit, phase, out, at):
    """The features of a suit's tiles alone, SUIT_BLOCK of them from out[at] on. Returns its counts, packed."""
    held = pairs = triplets = orphans = 0
    if suit < 3:
        for i in range(9):
            count = np.int64(v.hand[9 * suit + i])
            held += count
            pairs += 1 if count == 2 else 0
            triplets += 1 if count > 2 else 0
            if i < 7:
                window = count * 25 + np.int64(v.hand[9 * suit + i + 1]) * 5 + v.hand[9 * suit + i + 2]
                out[at + i] = _WINDOWS + (phase * 7 + i) * 125 + window
        orphans = np.int64(v.hand[9 * suit]) + v.hand[9 * suit + 8]
    else:
        for i in range(7):
            kind = 27 + i
            count = np.int64(v.hand[kind])
            held += count
            pairs += 1 if count == 2 else 0
            triplets += 1 if count > 2 else 0
            worth = is_worth(v, kind)
            role = 0 if kind >= 31 else 1 if worth == 2 else 4 if worth == 0 else 2 if kind == 27 + v.seat_wind else 3
            out[at + i] = _HONOURS + (role * 5 + count) * 4 + min(3, np.int64(v.unseen[kind]))
        orphans = held
    return held | pairs << 8 | triplets << 16 | orphans << 24


@kernel
def _fill_counts(v, c0, c1, c2, c3, shanten, out, n):
    """Write the features of the counts of all suits, and return how many there are then."""
    total = c0 + c1 + c2 + c3
    longest = max(c0 & 255, c1 & 255, c2 & 255)
    out[n] = _DORA + min(7, dora_han(v)) * SHANTEN + shanten
    out[n + 1] = _ORPHANS + (total >> 24) * SHANTEN + shanten
    out[n + 2] = _FLUSH + (longest + (c3 & 255)) * SHANTEN + shanten
    out[n + 3] = _PAIRS + min(6, (total >> 8) & 255) * 5 + ((total >> 16) & 255)
    return n + 4


@kernel
def phase_of(v):
    """Draws left, in three parts."""
    return 0 if v.draws < 4 else 1 if v.draws < 9 else 2


@kernel
def fill_features(tables, shapes, rules, v, riichi, plan, out):
    """Write the features of a hand of 13 tiles, declared riichi or not, and return how many. Fills the plans too."""
    phase = phase_of(v)
    c0, c1 = fill_block(v, 0, phase, out, 0), fill_block(v, 1, phase, out, SUIT_BLOCK)
    c2, c3 = fill_block(v, 2, phase, out, 2 * SUIT_BLOCK), fill_block(v, 3, phase, out, 3 * SUIT_BLOCK)
    return fill_rest(tables, shapes, rules, v, riichi, plan, c0, c1, c2, c3, out, BLOCKS)


@kernel
def fill_rest(tables, shapes, rules, v, riichi, plan, c0, c1, c2, c3, out, n):
    """Write all features but the blocks of the suits, whose counts are given, and return how many there are."""
    fill_plans(tables, shapes, v, plan)
    draws = min(DRAWS - 1, np.int64(v.draws))
    phase = phase_of(v)
    nearest = PLAIN if plan.tiles[PLAIN] <= plan.tiles[SEVEN_PAIRS] else SEVEN_PAIRS
    tiles = plan.tiles[nearest]
    shanten = min(SHANTEN - 1, tiles - 1)
    out[n] = _DRAWS + draws
    out[n + 1] = _SHANTEN + min(7, plan.tiles[PLAIN] - 1) * DRAWS + draws
    out[n + 2] = _SEVEN + min(6, plan.tiles[SEVEN_PAIRS] - 1) * DRAWS + draws
    accepts = count_accepts(shapes, v, plan, nearest)
    out[n + 3] = _ACCEPTS + (shanten * PHASES + phase) * ACCEPTS + min(ACCEPTS - 1, accepts // 2)
    n += 4
    for aim in range(2, 5):
        i = best_plan(plan, aim)
        out[n] = _AIM + ((aim - 2) * 26 + min(25, cost_of(plan, i, aim))) * DRAWS + draws
        missing = min(2, max(0, aim - plan.han[i]))
        accepts = count_accepts(shapes, v, plan, i)
        near = min(4, plan.tiles[i] - 1)
        out[n + 1] = _AIM_ACCEPTS + (((aim - 2) * 5 + near) * 3 + missing) * 16 + min(15, accepts // 3)
        n += 2
    for j, i in enumerate((SIMPLES, VALUE, FLUSH, PINFU, SIMPLE_PINFU)):
        more = min(3, max(0, plan.tiles[i] - tiles))
        out[n] = _PLANS + ((j * 4 + more) * SHANTEN + shanten) * PHASES + phase
        n += 1
    n = _fill_counts(v, c0, c1, c2, c3, shanten, out, n)
    if tiles == 1:
        n = fill_tenpai(tables, shapes, rules, v, riichi, plan, out, n)
    return n


# Shanten, accepted tiles and the like are one feature of a row. Learnt alone, the weight of a seldom one stays near
# zero, and zero is better than what a bad hand has: the player would go for hands it knows nothing of. So the weight
# of the i-th feature of such a row is the sum of the steps 0 to i, and a hand teaches all of them ("at least"
# features).

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
    """One step of FOBOS with Adagrad's step sizes for the row of a feature. Brings its weights up to date.

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
