"""Which waits of a hand win at all, and what a win pays on average.

- Which waits of a hand win at all: an open hand needs a yaku, and so does a closed one on a discard.
- What a win pays on average: real scoring, with red fives and ura doras that are not known yet as probabilities.
"""

import numpy as np

from suzaku.hand.tables import POW5
from suzaku.kernel import kernel
from suzaku.lookahead.graph import load_rest
from suzaku.riichi.deal import add_tile, bit, has, remove_tile
from suzaku.riichi.score import DOUBLE_RIICHI, DRAW, RIICHI, base_points, round_up, win_value


@kernel
def yaku_waits(tables, s, p, thrown, waits):
    """Of these waits of seat p once it has thrown a kind (-1: none), those that win on a discard, and by self-draw.

    Counts what the hand has by itself, riichi included, and no luck: ippatsu, the last tile or a kong may still help.
    """
    riichi = 0
    if s.riichi[p] == 1:
        riichi = RIICHI
    elif s.riichi[p] == 2:
        riichi = DOUBLE_RIICHI
    on_discard, by_draw = np.uint64(0), np.uint64(0)
    if thrown >= 0:
        remove_tile(s, p, thrown)
    for kind in range(34):
        if not has(waits, kind):
            continue
        add_tile(s, p, kind)
        for flags in (riichi, riichi | DRAW):
            yaku = win_value(
                tables, s.rules, s.hand[p], s.key[p], s.melds[p], s.meld_type[p], s.meld_tile[p], kind, flags,
                (s.round_no // 4) & 3, (p - s.dealer) & 3, 0,
            )[0]  # fmt: skip
            if yaku != 0:
                if flags & DRAW:
                    by_draw |= bit(kind)
                else:
                    on_discard |= bit(kind)
        remove_tile(s, p, kind)
    if thrown >= 0:
        add_tile(s, p, thrown)
    return on_discard, by_draw


# The doras and red fives held count in full. A drawn five may be the red one; ura indicators are unseen tiles. Both
# add han with a probability, and the points are averaged over them. The reading of the hand is the best one without
# these probabilities.

MOST = 24  # han by probability: three red fives, and ura doras


@kernel
def points_of(rules, han, fu, yakuman, dealer, by_draw):
    """All that a win brings, honba and sticks apart."""
    base = base_points(rules, han, fu, yakuman)
    if not by_draw:
        return round_up(base * (6 if dealer else 4))
    return 3 * round_up(2 * base) if dealer else round_up(2 * base) + 2 * round_up(base)


@kernel
def _spread(probability, step, p, n):
    """Add `step` han with probability p to the distribution of han, of which n entries are in use."""
    for k in range(min(n, MOST - 1 - step), -1, -1):
        moved = probability[k] * p
        probability[k] -= moved
        probability[k + step] += moved


@kernel
def _add_ura(g, hand, probability):
    """Add the han of the ura indicators, each an unseen tile at random."""
    hits = np.zeros(13)
    for kind in range(34):
        n = hand[kind] + g.in_melds[kind]
        if n > 0:
            hits[min(n, 12)] += g.unseen[g.indicator_of[kind]] / g.pool
    after = np.empty(MOST)
    for _ in range(g.ura):
        after[:] = 0
        none = 1.0
        for n in range(1, 5):
            none -= hits[n]
        for k in range(MOST):
            if probability[k] > 0:
                after[k] += probability[k] * none
                for n in range(1, 5):
                    after[min(k + n, MOST - 1)] += probability[k] * hits[n]
        probability[:] = after


@kernel
def mean_points(tables, rules, g, n, win, by_draw, probability):
    """The average points of rest n winning with a tile of kind `win`, 0 without a yaku. `probability` is work space."""
    hand, key = g.win_hand, g.win_key
    load_rest(g, n, hand, key)
    hand[win] += 1
    key[win // 9] += POW5[win % 9]
    extra = np.int64(g.meld_dora)
    for kind in range(34):
        if hand[kind] > 0:
            extra += np.int64(hand[kind]) * g.dora[kind]
    for suit in range(3):
        extra += min(np.int64(hand[9 * suit + 4]), np.int64(g.red[suit]))
    flags = (DRAW if by_draw else 0) | (RIICHI if g.closed else 0)
    yaku, han, fu, yakuman = win_value(
        tables, rules, hand, key, g.melds, g.meld_type, g.meld_tile, win, flags, g.round_wind, g.seat_wind, extra
    )
    if yaku == 0:
        return 0.0
    dealer = g.seat_wind == 0
    if yakuman > 0:
        return float(points_of(rules, han, fu, yakuman, dealer, by_draw))
    probability[:] = 0
    probability[0] = 1
    for suit in range(3):
        five = 9 * suit + 4
        drawn = hand[five] - g.hand[five]
        if g.red_unseen[suit] and drawn > 0 and g.unseen[five] > 0:
            _spread(probability, 1, min(1.0, drawn / g.unseen[five]), suit)
    if g.closed and g.ura > 0:
        _add_ura(g, hand, probability)
    total = 0.0
    for k in range(MOST):
        if probability[k] > 0:
            total += probability[k] * points_of(rules, han + k, fu, 0, dealer, by_draw)
    return total
