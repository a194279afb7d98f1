"""Kernels that play one-player hands, to learn from them or to count how they end."""

import numpy as np

from suzaku.kernel import kernel
from suzaku.tiles import KIND_OF, RED
from suzaku.winning_scores.baseline import choose_baseline
from suzaku.winning_scores.features import MOST, fill_features
from suzaku.winning_scores.hand import (
    LIVE,
    SOLO,
    deal,
    discard,
    discard_han,
    draw,
    draw_random,
    drawn_han,
    shuffle,
    start,
)
from suzaku.winning_scores.learnt import COLUMNS, add_rows, choose_learnt, learn_one, to_classes
from suzaku.winning_scores.plans import PLAN
from suzaku.winning_scores.view import CLASSES, put, take, throws_red

BASELINE = -1  # in place of a model
DRAWING, ONE_PLAYER = 0, 1  # opponents: discard what they draw, or play one-player hands as the baseline does
NONE = -1  # in place of the choice to sample
WINDS = 2  # round winds that are dealt: east and south


@kernel
def try_random(tables, shapes, rules, s, v, w):
    """Any discard of a hand of 14 tiles, with riichi half the times it is possible; as `choose_learnt`."""
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
    """Play a dealt hand to its end for seat p; the han it wins with, or 0.

    w.sample has the w.n features after the discard of choice number `sampled` (NONE: of none), which is any discard
    with the probability `explore`; none if the hand was over before. The number must not depend on how the hand goes:
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
    """Fill w.sample with the features of a hand of 14 tiles after a discard; how many."""
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
    """Deal the hand of a seed and a number; the seat, its aim (drawn at random for 0), the choice to sample."""
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
    """Deal and play the hand of a seed and a number, sampling any discard; as `play_hand`, and the aim."""
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
    """Play hands with aims at random by the present player, and learn from each; the sum and the number of the losses.

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
