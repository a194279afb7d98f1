"""Play the policy of a worked-out graph with real random draws: the judge of `draws.py`, and a source of examples."""

import numpy as np

from suzaku.kernel import kernel
from suzaku.lookahead.draws import OTHERS, best_rest, is_furiten
from suzaku.lookahead.payoff import MOST, mean_points
from suzaku.seeds import GOLDEN, below, mix


@kernel
def _pay(tables, rules, g, n, kind, by_draw, probability):
    """The points of a tenpai rest for winning with a kind, 0 if it does not."""
    if (g.rest_accepts[n] >> np.uint64(kind)) & np.uint64(1) == 0:
        return 0.0
    return mean_points(tables, rules, g, n, kind, by_draw, probability)


@kernel
def _take(pool, size, x):
    """A random tile of the pool, from 64 random bits; the last tile takes its place."""
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
