"""Kernels that play one-player hands, by the baseline or by a model.

- The baseline player of the one-player hand: nearest to a win of the aim, then most accepted tiles.
- Kernels that play one-player hands, to learn from them or to count how they end.
"""

import numpy as np

from suzaku.hand.shanten import waits_keys
from suzaku.hand.tables import POW5
from suzaku.kernel import kernel
from suzaku.riichi.deal import has
from suzaku.riichi.score import RIICHI
from suzaku.tiles import KIND_OF, RED
from suzaku.winning_scores.distance import ANY, accepted, distance, is_below, rest_of, suit_class
from suzaku.winning_scores.features import MOST, fill_features
from suzaku.winning_scores.hand import (
    CLASSES,
    LIVE,
    SOLO,
    count_unseen,
    deal,
    discard,
    discard_han,
    dora_of,
    draw,
    draw_random,
    drawn_han,
    fill_unseen_bits,
    han_of,
    put,
    shuffle,
    start,
    take,
    throws_red,
)
from suzaku.winning_scores.learnt import COLUMNS, add_rows, choose_learnt, learn_one, to_classes
from suzaku.winning_scores.plans import (
    PLAN,
    best_plan,
    cost_of,
    count_accepts,
    fill_plans,
    orphan_accepts,
    seven_accepts,
    unusual,
)


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


BASELINE = -1  # in place of a model
DRAWING, ONE_PLAYER = 0, 1  # opponents: discard what they draw, or play one-player hands as the baseline does
NONE = -1  # in place of the choice to sample
WINDS = 2  # round winds that are dealt: east and south


@kernel
def try_random(tables, shapes, rules, s, v, w):
    """Any discard of a hand of 14 tiles, with riichi half the times it is possible. Returns as `choose_learnt`."""
    kind, kinds = -1, 0
    for other in range(34):
        if v.hand[other] > 0:
            kinds += 1
            if draw_random(s, kinds) == 0:
                kind = other
    features_after(tables, shapes, rules, v, kind, False, w)
    tiles = min(w.plan.tiles[0], w.plan.tiles[1])
    return kind, tiles == 1 and v.may_riichi != 0 and draw_random(s, 2) == 0, tiles


@kernel
def play_hand(tables, shapes, rules, model, weights, s, p, aim, sampled, explore, w):
    """Play a dealt hand to its end for seat p. Returns the han it wins with, or 0.

    w.sample has the w.n features after the discard of choice number `sampled` (NONE: of none), which is any discard
    with the probability `explore`. None if the hand was over before. The number must not depend on how the hand goes:
    of a hand's own discards, those of hands soon won would be taken more often.
    """
    w.n = 0
    discards = 0
    while s.left > 0:
        turn = s.turn
        tile = draw(s)
        kind, red = np.int64(KIND_OF[tile]), tile >= RED
        riichi, tenpai = False, False
        if s.plays[turn]:
            v = s.seat[turn]
            han = drawn_han(tables, rules, s, turn, tile)
            if han > 0:
                return han if turn == p else 0
            if not s.riichi[turn]:
                if turn != p or model == BASELINE:
                    kind, riichi, tiles = choose_baseline(tables, shapes, rules, v, aim if turn == p else 1, w.plan)
                else:
                    kind, riichi, tiles = choose_learnt(tables, shapes, rules, model, weights, v, aim, w)
                if turn == p:
                    if discards == sampled:
                        if explore > 0 and draw_random(s, 1000) < 1000 * explore:
                            kind, riichi, tiles = try_random(tables, shapes, rules, s, v, w)
                        w.n = features_after(tables, shapes, rules, v, kind, riichi, w)
                    discards += 1
                tenpai = tiles == 1
                red = throws_red(v, kind)
        discard(tables, s, turn, kind, red, riichi, tenpai)
        won = 0
        over = False
        for i in range(1, 4):
            q = (turn + i) & 3
            if s.plays[q]:
                han = discard_han(tables, rules, s, q, kind, red)
                if han > 0:
                    over = True
                    if q == p:
                        won = han
        if over:
            return won
        s.turn = (turn + 1) & 3
    return 0


@kernel
def features_after(tables, shapes, rules, v, kind, riichi, w):
    """Fill w.sample with the features of a hand of 14 tiles after a discard, and return how many."""
    red = throws_red(v, kind)
    put(v, kind)
    if red:
        v.red[kind // 9] -= 1
    n = fill_features(tables, shapes, rules, v, riichi, w.plan, w.sample)
    if red:
        v.red[kind // 9] += 1
    take(v, kind)
    return n


@kernel
def deal_number(tables, s, seed, number, aim, opponents):
    """Deal the hand of a seed and a number: the seat, its aim (drawn at random for 0), the choice to sample."""
    start(s, seed, number)
    p = draw_random(s, 4)
    wind = draw_random(s, WINDS)
    drawn_aim = 1 + draw_random(s, 4)
    for q in range(4):
        s.plays[q] = 1 if q == p or opponents == ONE_PLAYER else 0
    shuffle(s)
    deal(tables, s, wind)
    return p, drawn_aim if aim == 0 else aim, draw_random(s, (s.tiles + 3) // 4)


@kernel
def play_number(tables, shapes, rules, model, weights, s, seed, number, aim, opponents, explore, w):
    """Deal and play the hand of a seed and a number, sampling any discard. Returns as `play_hand`, and the aim."""
    p, aim, sampled = deal_number(tables, s, seed, number, aim, opponents)
    return play_hand(tables, shapes, rules, model, weights, s, p, aim, sampled, explore, w), aim


WORK = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("plan", PLAN),
                ("features", "i4", (MOST,)),  # of the candidate at hand
                ("sample", "i4", (MOST,)),  # of the position to learn from
                ("n", "i8"),  # how many it has
                ("counts", "i8", (4,)),  # of each suit's tiles, packed
                ("blocks", "f4", (4, COLUMNS)),  # sums of the weights of each suit's block of features
                ("sums", "f4", (COLUMNS,)),  # of all features
                ("work", "f8", (CLASSES,)),
            ],
            align=True,
        ),
    )
)


@kernel
def count_wins(tables, shapes, rules, model, weights, s, w, seed, first, hands, aim, opponents, out):
    """Play hands with an aim and count how they end: out[0..4] by han, 4 for more."""
    for number in range(first, first + hands):
        p, drawn_aim, _ = deal_number(tables, s, seed, number, aim, opponents)
        han = play_hand(tables, shapes, rules, model, weights, s, p, drawn_aim, NONE, 0.0, w)
        out[min(4, han)] += 1


@kernel
def learn_hands(
    tables, shapes, rules, model, weights, steps, squares, seen, s, w, seed, first, hands, by_baseline, opponents,
    explore, rate, decay,
):  # fmt: skip
    """Play hands with aims at random by the present player, and learn from each. Returns the sum and number of losses.

    The first `by_baseline` hands of all are the baseline's. Hands over before the sampled discard teach nothing.
    """
    total = 0.0
    learnt = 0
    for number in range(first, first + hands):
        player = BASELINE if number < by_baseline else model
        han, aim = play_number(tables, shapes, rules, player, weights, s, seed, number, 0, opponents, explore, w)
        if w.n > 0:
            total += learn_one(
                model, weights, steps, squares, seen, number, w.sample, w.n, min(4, han), aim, rate, decay, w.blocks,
                w.sums, w.work,
            )  # fmt: skip
            learnt += 1
    return total, learnt


@kernel
def collect_samples(tables, shapes, rules, model, weights, s, w, seed, first, hands, aim, opponents, probs, han):
    """Play hands and keep what the model said of one position of each, and with how many han it was won (-1: none)."""
    for i in range(hands):
        won, _ = play_number(tables, shapes, rules, model, weights, s, seed, first + i, aim, opponents, 0.0, w)
        han[i] = min(4, won) if w.n > 0 else -1
        if w.n > 0:
            add_rows(weights, w.sample, w.n, w.blocks, w.sums)
            to_classes(model, w.sums, probs[i])


def new_hand(tiles: int = LIVE) -> tuple[np.record, np.record]:
    """The memory that the kernels play in, for hands with so many tiles to draw."""
    s, w = np.zeros(1, SOLO)[0], np.zeros(1, WORK)[0]
    s.tiles = tiles
    return s, w
