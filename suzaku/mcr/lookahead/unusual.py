"""Targets without sets: seven pairs, honours and knitted tiles, thirteen orphans. Only the last tile can be claimed."""

import numpy as np

from suzaku.hand.masks import popcount
from suzaku.kernel import kernel
from suzaku.mcr.knitted import KNITTED
from suzaku.mcr.lookahead.plans import PLANS
from suzaku.mcr.lookahead.points import points_of
from suzaku.tiles import HONOURS, ORPHANS

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
