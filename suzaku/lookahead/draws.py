"""Probabilities of one player drawing alone, and the same played with random draws.

- Probabilities of one player drawing alone: tenpai, win and the points won, by discard and number of draws left.
- Play the policy of a worked-out graph with real random draws: the judge of `draws.py`, and a source of examples.
"""

import numpy as np

from suzaku.kernel import kernel
from suzaku.lookahead.graph import DRAWS, POINTS, TENPAI, WIN, build_graph, left_of, shanten_without
from suzaku.lookahead.payoff import MOST, mean_points
from suzaku.seeds import GOLDEN, below, mix

# The player draws unseen tiles at random without putting them back, keeps those that `graph.py` lists and throws the
# others. At each full hand it chooses the discard with the highest value for its objective. Closed hands declare
# riichi when they wait.
#
# Exact: the tiles kept are gone from the unseen ones, the unseen tiles get fewer by one each draw, and so everything
# about a tenpai hand. Not exact: a tile thrown as useless may be one that the hand would want later. Its kind is taken
# to have fewer tiles left by the average number so lost (`_worn`), not by the actual one.

OTHERS = 3  # discards of the other seats between two draws


@kernel
def _worn(g, n, kind):
    """Of the draws made before rest n, the share of tiles of a kind that are lost: lost = share x useless draws.

    Counts the rests on the way here that did not want the kind. The useless draws are taken as spread evenly over the
    rests on the way. Returns the share for a hand that has just come here, and for one that may have stayed a while. A
    kind that this rest takes for a swap at best is mostly thrown here too.
    """
    missed = 0.0
    stages = 0
    at = np.int64(g.rest_from[n])
    while at >= 0:
        stages += 1
        if (g.rest_accepts[at] >> np.uint64(kind)) & np.uint64(1) == 0:
            missed += 1.0 / max(1, g.pool - g.rest_count[at])
        at = np.int64(g.rest_from[at])
    just_here = missed / max(1, stages)
    if (g.rest_accepts[n] >> np.uint64(kind)) & np.uint64(1) == 0:
        missed += 1.0 / max(1, g.pool - g.rest_count[n])
    return just_here, missed / (stages + 1)


@kernel
def is_furiten(g, n):
    """Whether a tenpai rest has thrown one of its waits, as far as the first hand's tiles and the river tell."""
    thrown = g.discarded
    for kind in range(34):
        if g.hand[kind] > g.rest_hand[n, kind]:
            thrown |= np.uint64(1) << np.uint64(kind)
    return thrown & g.rest_accepts[n] != 0


@kernel
def _fill_waits(tables, rules, g, n, work, probability):
    """By draws left on coming here: tiles that win by draw, their points in all, and the same for others' discards."""
    draws = np.int64(g.draws)
    furiten = is_furiten(g, n)
    work[:] = 0
    for kind in range(34):
        if (g.rest_accepts[n] >> np.uint64(kind)) & np.uint64(1) == 0:
            continue
        left = left_of(g, n, kind)
        by_draw = mean_points(tables, rules, g, n, kind, True, probability)
        by_claim = 0.0
        if g.claims and not furiten:
            by_claim = mean_points(tables, rules, g, n, kind, False, probability)
        worn, _ = _worn(g, n, kind)
        for r in range(draws + 1):
            tiles = left * max(0.0, 1.0 - worn * max(0, draws - r - g.rest_added[n]))
            if by_draw > 0:
                work[0, r] += tiles
                work[1, r] += tiles * by_draw
            if by_claim > 0:
                work[2, r] += tiles
                work[3, r] += tiles * by_claim


@kernel
def _wait(tables, rules, g, n, inverse, work, probability):
    """The values of a tenpai rest, by the draws left when it is reached."""
    draws = np.int64(g.draws)
    value = g.rest_value[n]
    value[TENPAI, : draws + 1] = 1
    value[WIN, : draws + 1] = 0
    value[POINTS, : draws + 1] = 0
    _fill_waits(tables, rules, g, n, work, probability)
    for r in range(1, draws + 1):
        if work[0, r] == 0:
            continue
        alive = 1.0
        points = 0.0
        others = 0  # tiles seen in others' discards while tenpai
        for left in range(r, 0, -1):
            if work[2, r] > 0:
                for _ in range(OTHERS):
                    pool = max(1, g.pool - (draws - left) - others)
                    points += alive * work[3, r] / pool
                    alive *= max(0.0, 1.0 - work[2, r] / pool)
                    others += 1
                pool = max(1, g.pool - (draws - left) - others)
                hit = work[2, r] / pool + (work[0, r] - work[2, r]) * inverse[left]
                gain = work[1, r] / work[0, r] * hit
            else:
                hit = work[0, r] * inverse[left]
                gain = work[1, r] * inverse[left]
            points += alive * gain
            alive *= max(0.0, 1.0 - hit)
        value[WIN, r] = 1 - alive
        value[POINTS, r] = points


@kernel
def _draw(g, n, low, high, inverse):
    """The values of a rest with low..high draws left, from the full hands it can draw to."""
    value = g.rest_value[n]
    hit = np.zeros(DRAWS + 1)
    gain = np.zeros((3, DRAWS + 1))
    for edge in range(g.rest_edge[n], g.rest_edge[n + 1]):
        kind = g.edge_kind[edge]
        left = left_of(g, n, kind)
        _, worn = _worn(g, n, kind)
        to = g.full_value[g.edge_full[edge]]
        for r in range(low, high + 1):
            p = left * inverse[r] * max(0.0, 1.0 - worn * max(0, g.draws - r - g.rest_added[n]))
            hit[r] += p
            gain[0, r] += p * to[0, r - 1]
            gain[1, r] += p * to[1, r - 1]
            gain[2, r] += p * to[2, r - 1]
    for r in range(low, high + 1):
        stay = max(0.0, 1.0 - hit[r])
        for what in range(3):
            value[what, r] = gain[what, r] + stay * value[what, r - 1]


@kernel
def _worth(g, value, r):
    """What the player maximises. Of equal rests it takes the one that is sooner tenpai."""
    return value[g.objective, r] + 1e-6 * value[TENPAI, r]


@kernel
def best_rest(g, n, r):
    """The rest that the player goes on with from a full hand with r draws left."""
    best = np.int64(-1)
    worth = -1.0
    for way in range(g.full_way[n], g.full_way[n + 1]):
        other = np.int64(g.way_rest[way])
        if _worth(g, g.rest_value[other], r) > worth:
            best, worth = other, _worth(g, g.rest_value[other], r)
    return best


@kernel
def _discard(g, n, low, high):
    """The values of a full hand with low..high draws left: those of its best discard."""
    value = g.full_value[n]
    best = np.full(DRAWS + 1, -1.0)
    for way in range(g.full_way[n], g.full_way[n + 1]):
        other = g.rest_value[g.way_rest[way]]
        for r in range(low, high + 1):
            worth = _worth(g, other, r)
            if worth > best[r]:
                best[r] = worth
                for what in range(3):
                    value[what, r] = other[what, r]


@kernel
def _level(g, shanten, inverse):
    """Fill the rests and full hands of one shanten number, those below being done."""
    draws = np.int64(g.draws)
    # Without swaps a level depends only on those below it, and each vertex is done in one go for all draws left.
    step = max(1, draws) if g.swaps == 0 else 1
    if shanten > 0:
        for n in range(g.rests):
            if g.rest_shanten[n] == shanten:
                for what in range(3):
                    g.rest_value[n, what, 0] = 0
    for n in range(g.fulls):
        if g.full_shanten[n] == shanten:
            _discard(g, n, 0, 0)
    for low in range(1, draws + 1, step):
        if shanten > 0:
            for n in range(g.rests):
                if g.rest_shanten[n] == shanten:
                    _draw(g, n, low, low + step - 1, inverse)
        for n in range(g.fulls):
            if g.full_shanten[n] == shanten:
                _discard(g, n, low, low + step - 1)


@kernel
def expect_row(tables, rules, g, row):
    """Build and solve the graph of one discard. Returns whether it fitted. Rest 0 holds the answer."""
    if not build_graph(tables, g, row):
        return False
    inverse = np.empty(DRAWS + 1)
    for r in range(DRAWS + 1):
        inverse[r] = 1.0 / max(1, g.pool - (g.draws - r))
    work = np.empty((4, DRAWS + 1))
    probability = np.empty(MOST)
    for n in range(g.rests):
        if g.rest_shanten[n] == 0:
            _wait(tables, rules, g, n, inverse, work, probability)
    for shanten in range(g.rest_shanten[0] + 1):
        _level(g, shanten, inverse)
    return True


@kernel
def expect(tables, rules, g):
    """Answer the query in g: probabilities and points for every discard by draws left. Returns whether all fitted.

    `value[kind, what, r]` is for r draws left, the unseen tiles being as given less `draws` - r useless ones. The last
    is now. A discard after which the hand is farther than `deepest`, or whose graph does not fit, has NaN.
    """
    g.value[:] = np.nan
    size = 0
    for kind in range(34):
        size += g.hand[kind]
    fits = True
    for row in range(35):
        if (row < 34 and (size % 3 == 1 or g.hand[row] == 0)) or (row == 34 and size % 3 == 2):
            continue
        if shanten_without(tables, g, row) > g.deepest:
            continue
        if not expect_row(tables, rules, g, row):
            fits = False
            continue
        for what in range(3):
            for r in range(g.draws + 1):
                g.value[row, what, r] = g.rest_value[0, what, r]
    return fits


@kernel
def _pay(tables, rules, g, n, kind, by_draw, probability):
    """The points of a tenpai rest for winning with a kind, 0 if it does not."""
    if (g.rest_accepts[n] >> np.uint64(kind)) & np.uint64(1) == 0:
        return 0.0
    return mean_points(tables, rules, g, n, kind, by_draw, probability)


@kernel
def _take(pool, size, x):
    """A random tile of the pool, from 64 random bits. The last tile takes its place."""
    i = below(mix(x), size)
    kind = pool[i]
    pool[i] = pool[size - 1]
    return kind


@kernel
def simulate(tables, rules, g, games, seed, out):
    """Play the discard last solved by `expect_row` and add up tenpai, wins, points and squared points in out[4].

    Others' discards, if they can be claimed, are unseen tiles at random.
    """
    x = mix(np.uint64(seed) + GOLDEN)
    tiles = np.empty(136, np.int64)
    size0 = 0
    for kind in range(34):
        for _ in range(g.unseen[kind]):
            tiles[size0] = kind
            size0 += 1
    out[:] = 0
    pool = np.empty(136, np.int64)
    probability = np.empty(MOST)
    for _ in range(games):
        pool[:] = tiles
        size = size0
        n = np.int64(0)
        points = 0.0
        for r in range(g.draws, 0, -1):
            waits = g.rest_shanten[n] == 0
            if g.claims:
                for _ in range(OTHERS):
                    if size > 0 and points == 0:
                        x += GOLDEN
                        kind = _take(pool, size, x)
                        size -= 1
                        if waits and not is_furiten(g, n):
                            points = _pay(tables, rules, g, n, kind, False, probability)
            if size == 0 or points > 0:
                break
            x += GOLDEN
            kind = _take(pool, size, x)
            size -= 1
            if waits:
                points = _pay(tables, rules, g, n, kind, True, probability)
                if points > 0:
                    break
                continue
            for edge in range(g.rest_edge[n], g.rest_edge[n + 1]):
                if g.edge_kind[edge] == kind:
                    n = best_rest(g, g.edge_full[edge], r - 1)
                    break
        out[0] += g.rest_shanten[n] == 0
        out[1] += points > 0
        out[2] += points
        out[3] += points * points
