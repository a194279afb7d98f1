"""The baseline player of the one-player hand: nearest to a win of the aim, then most accepted tiles."""

import numpy as np

from suzaku.hand.shanten import waits_keys
from suzaku.hand.tables import POW5
from suzaku.kernel import kernel
from suzaku.riichi.hands import has
from suzaku.riichi.score import RIICHI
from suzaku.winning_scores.distance import accepted, distance, is_below, rest_of, suit_class
from suzaku.winning_scores.plans import (
    best_plan,
    cost_of,
    count_accepts,
    fill_plans,
    orphan_accepts,
    seven_accepts,
    unusual,
)
from suzaku.winning_scores.shapes import ANY
from suzaku.winning_scores.view import count_unseen, dora_of, fill_unseen_bits, han_of, put, take, throws_red


@kernel
def _keep(v, kind):
    """What a tile is worth keeping among equals: doras first, then the middle of a suit."""
    worth = min(kind % 9, 8 - kind % 9) if kind < 27 else 0
    return worth + 10 * dora_of(v, kind) + (10 if throws_red(v, kind) else 0)


@kernel
def choose_nearest(tables, shapes, v):
    """The discard for any win: lowest shanten, then most accepted tiles. Returns the kind and the tiles short then."""
    c0, c1 = np.int64(shapes.suit[ANY, v.key[0]]), np.int64(shapes.suit[ANY, v.key[1]])
    c2, c3 = np.int64(shapes.suit[ANY, v.key[2]]), np.int64(shapes.honour[ANY, v.key[3]])
    normal = distance(shapes, ANY, v.key[0], v.key[1], v.key[2], v.key[3], 4)
    seven, thirteen = unusual(tables, v)
    now = min(normal, seven, thirteen)  # of 14 tiles; a discard leaves it, or makes it one more
    best, best_accepts, best_keep = -1, -1, 0
    left, left_paired = rest_of(shapes, ANY, c0, c1, 4)
    right, right_paired = rest_of(shapes, ANY, c2, c3, 4)
    for suit in range(4):
        beside = c1 if suit == 0 else c0 if suit == 1 else c3 if suit == 2 else c2
        rest, rest_paired = (right, right_paired) if suit < 2 else (left, left_paired)
        for i in range(9 if suit < 3 else 7):
            kind = 9 * suit + i
            if v.hand[kind] == 0:
                continue
            one = suit_class(shapes, ANY, suit, v.key[suit] - POW5[i])
            keeps = normal == now and is_below(shapes, ANY, one, beside, rest, rest_paired, now + 1)
            if not keeps and seven > now and thirteen > now:
                continue
            keep = _keep(v, kind)
            put(v, kind)
            accepts = -1
            if keeps:
                accepts = count_unseen(v, accepted(shapes, ANY, v.key[0], v.key[1], v.key[2], v.key[3], 4, now))
            if min(seven, thirteen) == now:
                seven_now, thirteen_now = unusual(tables, v)
                if seven_now == now:
                    accepts = max(accepts, seven_accepts(v))
                if thirteen_now == now:
                    accepts = max(accepts, orphan_accepts(v))
            if accepts > best_accepts or (accepts >= 0 and accepts == best_accepts and keep < best_keep):
                best, best_accepts, best_keep = kind, accepts, keep
            take(v, kind)
    return best, now


@kernel
def _choose_planned(tables, shapes, v, aim, plan):
    """The discard that leaves the plan nearest to the aim, and the tiles short of any win then."""
    best, best_cost, best_accepts, best_keep, best_tiles = -1, 0, 0, 0, 0
    for kind in range(34):
        if v.hand[kind] == 0:
            continue
        keep = _keep(v, kind)
        red = throws_red(v, kind)
        put(v, kind)
        if red:
            v.red[kind // 9] -= 1
        fill_plans(tables, shapes, v, plan)
        i = best_plan(plan, aim)
        cost = cost_of(plan, i, aim)
        if best < 0 or cost <= best_cost:
            accepts = count_accepts(shapes, v, plan, i)
            if best < 0 or cost < best_cost or accepts > best_accepts or (accepts == best_accepts and keep < best_keep):
                best, best_cost, best_accepts, best_keep = kind, cost, accepts, keep
                best_tiles = min(plan.tiles[0], plan.tiles[1])
        if red:
            v.red[kind // 9] += 1
        take(v, kind)
    return best, best_tiles


@kernel
def reaches(tables, rules, v, waits, aim):
    """Whether some tile that the hand of 13 waits for wins with riichi and the aim, by discard."""
    for kind in range(34):
        if has(waits, kind) and v.unseen[kind] > 0:
            take(v, kind)
            han = han_of(tables, rules, v, kind, RIICHI)
            put(v, kind)
            if han >= aim:
                return True
    return False


@kernel
def choose_baseline(tables, shapes, rules, v, aim, plan):
    """The discard of a hand of 14 tiles, whether riichi is declared with it, and the tiles short of any win then."""
    fill_unseen_bits(v)
    if aim == 1:
        kind, tiles = choose_nearest(tables, shapes, v)
        return kind, tiles == 1 and v.may_riichi != 0, tiles
    kind, tiles = _choose_planned(tables, shapes, v, aim, plan)
    if tiles != 1 or v.may_riichi == 0:
        return kind, False, tiles
    red = throws_red(v, kind)
    put(v, kind)
    if red:
        v.red[kind // 9] -= 1
    riichi = reaches(tables, rules, v, waits_keys(tables, v.hand, v.key, 0), aim)
    if red:
        v.red[kind // 9] += 1
    take(v, kind)
    return kind, riichi, tiles
