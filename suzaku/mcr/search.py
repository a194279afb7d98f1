"""Lists the targets of all plans that a hand can reach with few tiles, and what they are worth together.

Missing tiles come independently of each other: a kind with n tiles unseen of U comes within the draws left with the
probability 1 - exp(-draws * w * n / U), where w says who can provide it: the own draws, the previous seat's discards
for a chow, everyone's for a pung and for the last tile. Targets are rare events, and their points add up.
"""

import numpy as np

from suzaku.hand.shanten import FAR
from suzaku.kernel import kernel
from suzaku.mcr.plans import (
    CHICKEN_FAN,
    CHOWS,
    FIRST_KNITTED,
    FIRST_NARROW,
    MOST_TARGETS,
    PLAN_PAIRS,
    PLAN_SETS,
    PLANS,
    SET_TILES,
    SETS,
    TOP,
    meld_sets,
    points_of,
    target_fan,
    unusual_hands,
)
from suzaku.mcr.score import RUN_BITS, win_fan
from suzaku.mcr.set_fans import KNITTED
from suzaku.mcr.state import CHOW, CLOSED_KONG, SELF_DRAWN

FARTHEST = 6


@kernel
def fill_probabilities(q):
    """The probability to get one tile of each kind in the draws left."""
    unseen = 0
    for kind in range(34):
        unseen += q.unseen[kind]
    for kind in range(34):
        rate = q.draws * q.unseen[kind] / max(1, unseen)
        q.by_draw[kind] = 1.0 - np.exp(-rate)
        q.by_chow[kind] = 1.0 - np.exp(-rate * (1.0 + q.claims))
        q.by_pung[kind] = 1.0 - np.exp(-rate * (1.0 + 3.0 * q.claims))


@kernel
def _add_set(q, depth, chosen, budget):
    """Put a set into the target at a place; False if that takes too many tiles or such as there are none of."""
    missing = q.missing[depth]
    open_, closed, slowest = q.open_[depth], q.closed[depth], q.slowest[depth]
    short = 0
    first = SET_TILES[chosen, 0]
    last_kind = -1
    for i in range(3):
        kind = SET_TILES[chosen, i]
        q.used[kind] += 1
        lack = np.int64(q.used[kind]) - np.int64(q.hand[kind])
        if lack > 0:
            short += 1
            if lack > q.unseen[kind]:
                open_ = closed = 0.0
            if last_kind >= 0:
                open_ *= q.by_draw[last_kind] * (0.5 if last_kind == kind else 1.0)
                closed *= 0.5 if last_kind == kind else 1.0
            closed *= q.by_draw[kind]
            last_kind = kind
    if last_kind >= 0:
        by = q.by_chow[last_kind] if chosen < CHOWS else q.by_pung[last_kind]
        open_ *= by
        slowest = max(slowest, q.by_pung[last_kind] / max(by, 1e-9))
    missing += short
    q.missing[depth + 1] = missing
    q.open_[depth + 1] = open_
    q.closed[depth + 1] = closed
    q.slowest[depth + 1] = slowest
    q.hidden[depth + 1] = q.hidden[depth] + (chosen >= CHOWS and short == 0)
    if chosen < CHOWS:
        q.runs[depth + 1] = q.runs[depth] + (1 << RUN_BITS * (first // 9) + 3 * (first % 9))
        q.pungs[depth + 1] = q.pungs[depth]
        repeated = False
    else:
        q.runs[depth + 1] = q.runs[depth]
        repeated = q.pungs[depth] >> first & 1 != 0
        q.pungs[depth + 1] = q.pungs[depth] | 1 << first
    return missing <= budget and closed > 0.0 and not repeated


@kernel
def _take_set(q, chosen):
    for i in range(3):
        q.used[SET_TILES[chosen, i]] -= 1


@kernel
def _keep_target(q, probability, worth):
    """Keep the target in `used`, if need be instead of the one that promises least."""
    row = np.int64(q.targets)
    if row == MOST_TARGETS:
        row = 0
        for i in range(1, MOST_TARGETS):
            if q.target_worth[i] < q.target_worth[row]:
                row = i
        if q.target_worth[row] >= worth:
            return
    else:
        q.targets += 1
    q.target_tiles[row] = q.used
    q.target_worth[row] = worth
    q.target_probability[row] = probability


@kernel
def add_target(q, missing, points, probability):
    """Count a target for the hand and for each discard that leaves it alone; `used` holds its tiles."""
    worth = points * probability
    q.total += worth
    q.plan_sum += worth
    q.none *= 1.0 - probability
    q.distance = min(q.distance, missing)
    if q.keep != 0:
        _keep_target(q, probability, worth)
    for kind in range(34):
        if q.hand[kind] > q.used[kind]:
            q.value[kind] += worth
            q.near[kind] = min(q.near[kind], missing)


@kernel
def keep_plan(q, plan, fan, missing, worth):
    """Keep the best target of the plan being searched, in the row after the last."""
    if worth > q.best_target:
        q.best_target = worth
        row = q.plans
        q.plan[row] = plan
        q.plan_fan[row] = fan
        q.plan_missing[row] = missing
        for kind in range(34):
            q.plan_wants[row, kind] = max(0, np.int64(q.used[kind]) - np.int64(q.hand[kind]))


@kernel
def _finish_plan(q):
    """Put the plan just searched into its place among the best."""
    row = q.plans
    if q.best_target <= 0.0:
        return
    q.plan_value[row] = q.plan_sum
    q.plan_best[row] = q.best_target
    while row > 0 and q.plan_value[row] > q.plan_value[row - 1]:
        q.plan[row], q.plan[row - 1] = q.plan[row - 1], q.plan[row]
        q.plan_value[row], q.plan_value[row - 1] = q.plan_value[row - 1], q.plan_value[row]
        q.plan_best[row], q.plan_best[row - 1] = q.plan_best[row - 1], q.plan_best[row]
        q.plan_fan[row], q.plan_fan[row - 1] = q.plan_fan[row - 1], q.plan_fan[row]
        q.plan_missing[row], q.plan_missing[row - 1] = q.plan_missing[row - 1], q.plan_missing[row]
        for kind in range(34):
            q.plan_wants[row, kind], q.plan_wants[row - 1, kind] = q.plan_wants[row - 1, kind], q.plan_wants[row, kind]
        row -= 1
    q.plans = min(TOP - 1, q.plans + 1)


@kernel
def _exact(tables, q, missing, closed):
    """The probability and the fan of the target in `used`, with each of its missing tiles as the last one.

    Tiles before the last are drawn, so nothing is assumed that a claim would spoil.
    """
    probability, best = 0.0, 0
    for kind in range(34):
        if q.used[kind] <= q.hand[kind]:
            continue
        drawn = win_fan(tables, q.used, q.meld_type, q.meld_kind, q.melds, kind, SELF_DRAWN, q.seat_wind, q.round_wind)
        claimed = win_fan(tables, q.used, q.meld_type, q.meld_kind, q.melds, kind, 0, q.seat_wind, q.round_wind)
        if max(drawn, claimed) < q.minimum:
            continue
        chance = closed
        if claimed >= q.minimum:
            chance *= q.by_pung[kind] / max(1e-9, q.by_draw[kind])
        if chance > probability:
            probability, best = chance, max(drawn, claimed)
    return probability, best


@kernel
def _pairs(tables, q, depth, pairs, budget, plan, closed_hand, knitted, closed_kongs, open_kongs):
    """Complete the target with every pair, and count those that may win."""
    room = budget - q.missing[depth]
    for pair in range(34):
        if pairs >> pair & 1 == 0:
            continue
        used, held = np.int64(q.used[pair]), np.int64(q.hand[pair])
        have = min(2, max(0, held - used))
        if 2 - have > room or 2 - have + max(0, used - held) > q.unseen[pair] or used > 2:
            continue
        open_, closed, slowest = q.open_[depth], q.closed[depth], q.slowest[depth]
        short = 2 - have
        if short > 0:
            open_ *= q.by_draw[pair]
            closed *= q.by_draw[pair]
            slowest = max(slowest, q.by_pung[pair] / max(q.by_draw[pair], 1e-9))
            if short == 2:
                open_ *= q.by_draw[pair] * 0.5
                closed *= q.by_draw[pair] * 0.5
        q.used[pair] += 2
        hogs = 0
        for kind in range(34):
            hogs += q.used[kind] == 4
        fan = target_fan(
            q.runs[depth], q.pungs[depth], pair, q.hidden[depth], closed_kongs, open_kongs, knitted, hogs,
            q.seat_wind, q.round_wind,
        )  # fmt: skip
        missing = q.missing[depth] + short
        probability, points = 0.0, fan
        if 0 < missing <= q.exact:
            probability, points = _exact(tables, q, missing, closed)
        elif fan >= max(1, q.minimum):
            probability = open_ * slowest
        elif fan == 0 and q.minimum <= CHICKEN_FAN:
            probability = open_ * slowest
            points = CHICKEN_FAN
        elif closed_hand and fan + 2 >= q.minimum:
            probability = closed * 3.0
            points = fan + 2
        elif closed_hand and fan + 4 >= q.minimum:
            probability = closed
            points = fan + 4
        elif fan + 1 >= q.minimum:
            probability = 0.4 * open_  # by self-draw, or with a fan of the wait
            points = q.minimum
        if probability > 0.0:
            probability = min(1.0, probability)
            worth = probability * points_of(points)
            add_target(q, missing, points_of(points), probability)
            keep_plan(q, plan, points, missing, worth)
        q.used[pair] -= 2


@kernel
def _search_plan(tables, q, plan, places, budget, closed_hand, closed_kongs, open_kongs):
    """All targets of a plan within the budget: sets for each place in turn, then the pair."""
    knitted = 0
    q.missing[0] = 0
    q.open_[0] = q.closed[0] = q.slowest[0] = 1.0
    q.hidden[0] = 0
    if plan >= FIRST_KNITTED:
        knitted = KNITTED[plan - FIRST_KNITTED]
        for kind in range(27):
            if knitted >> kind & 1 != 0:
                q.used[kind] += 1
                if q.hand[kind] == 0:
                    q.missing[0] += 1
                    q.open_[0] *= q.by_draw[kind]
                    q.closed[0] *= q.by_draw[kind]
                    q.slowest[0] = max(q.slowest[0], q.by_pung[kind] / max(q.by_draw[kind], 1e-9))
    depth = 0
    q.at[0] = -1
    if q.missing[0] <= budget and q.open_[0] > 0.0:
        while depth >= 0:
            if depth == places:
                _pairs(tables, q, depth, PLAN_PAIRS[plan], budget, plan, closed_hand, knitted, closed_kongs, open_kongs)
                depth -= 1
                if depth >= 0:
                    _take_set(q, q.at[depth])
                continue
            chosen = q.at[depth] + 1
            while chosen < SETS and q.places[depth] >> chosen & 1 == 0:
                chosen += 1
            if chosen >= SETS:
                depth -= 1
                if depth >= 0:
                    _take_set(q, q.at[depth])
                continue
            q.at[depth] = chosen
            if _add_set(q, depth, chosen, budget):
                depth += 1
                if depth < places:
                    same = q.places[depth] == q.places[depth - 1]
                    q.at[depth] = chosen - 1 if same else -1
            else:
                _take_set(q, chosen)
    if knitted != 0:
        for kind in range(27):
            q.used[kind] -= knitted >> kind & 1


@kernel
def _fill_places(q, plan):
    """The places of a plan that the melds do not fill; how many, or -1 if the melds do not fit."""
    sets = PLAN_SETS[plan]
    taken = 0
    for i in range(q.melds):
        kind = np.int64(q.meld_kind[i])
        chosen = 7 * (kind // 9) + kind % 9 if q.meld_type[i] == CHOW else CHOWS + kind
        place = 0
        while place < 4 and (taken >> place & 1 != 0 or sets[place] >> chosen & 1 == 0):
            place += 1
        if place == 4:
            return -1
        taken |= 1 << place
    places = 0
    for place in range(4):
        if taken >> place & 1 == 0 and sets[place] != 0:
            q.places[places] = sets[place]
            places += 1
    return places


@kernel
def search_plans(tables, q):
    """Fill the answer: budgets grow until targets are found, and then by the slack."""
    fill_probabilities(q)
    runs, pungs, closed_kongs, open_kongs = meld_sets(q.meld_type, q.meld_kind, q.melds)
    closed_hand = True
    for i in range(q.melds):
        closed_hand &= q.meld_type[i] == CLOSED_KONG
    q.runs[0] = runs
    q.pungs[0] = pungs
    q.used[:] = 0
    budget = 0
    last = FARTHEST
    found = False
    while budget <= last:
        q.distance = FAR
        q.total = 0.0
        q.none = 1.0
        q.targets = 0
        q.value[:] = 0.0
        q.near[:] = FAR
        q.plans = 0
        for plan in range(PLANS + 3):
            q.plan_sum = 0.0
            q.best_target = 0.0
            if plan >= PLANS:
                if q.melds == 0:
                    unusual_hands(q, plan, budget)
            else:
                if plan >= FIRST_KNITTED:
                    if q.melds > 1:
                        continue
                elif (budget <= q.wide) != (plan == 0):
                    continue
                elif found and plan < FIRST_NARROW and q.found[plan] == 0 and budget > q.wide + 1:
                    continue  # pools that do not reach this far are dear to search, and promise little
                places = _fill_places(q, plan)
                if places >= 0:
                    _search_plan(tables, q, plan, places, budget, closed_hand, closed_kongs, open_kongs)
            if plan < PLANS:
                q.found[plan] = q.best_target > 0.0
            _finish_plan(q)
        if q.distance < FAR and not found:
            found = True
            last = budget + (q.slack if budget < FARTHEST else 0)
        budget += 1
    return q.distance
