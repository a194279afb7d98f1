"""The channels indexed by discard: efficiency, safety and the look-ahead."""

import numpy as np

from suzaku.features.groups import BEST_POINTS, ON, SUPHX, UKEIRE_STEPS, first
from suzaku.features.planes import fraction, set_all, set_mask
from suzaku.hand.shanten import FAR, shanten_keys
from suzaku.hand.tables import POW5
from suzaku.kernel import kernel
from suzaku.lookahead.query import draws_left
from suzaku.lookahead.safety import suji, walls
from suzaku.lookahead.search import fill_query, probability, search_wins
from suzaku.lookahead.state import LEVELS, REACH, THRESHOLDS
from suzaku.lookahead.ukeire import fill_accepts

KEEPS_TENPAI, KEEPS_SHANTEN, UKEIRE = (first(SUPHX, name) for name in ("keeps_tenpai", "keeps_shanten", "ukeire"))
SUJI, NO_CHANCE, ONE_CHANCE = first(SUPHX, "suji"), first(SUPHX, "no_chance"), first(SUPHX, "one_chance")
WIN_NOW, REACHES, PROBABILITY = first(SUPHX, "win_now"), first(SUPHX, "reach"), first(SUPHX, "chance")
CLAIM_PROBABILITY, BEST = first(SUPHX, "claim_chance"), first(SUPHX, "best")
STEPS = np.array(UKEIRE_STEPS, np.int64)


@kernel
def encode_efficiency(tables, hand, keys, melds, unseen, steps, keeps_tenpai, keeps_shanten, ukeire, out):
    """For a hand of 3n+2 tiles: which discards keep it nearest to a win, and what brings it nearer afterwards."""
    left = hand.copy()
    key = keys.copy()
    after = np.empty(34, np.int64)
    best = FAR
    for kind in range(34):
        after[kind] = FAR
        if hand[kind] > 0:
            key[kind // 9] -= POW5[kind % 9]
            after[kind] = shanten_keys(tables, key[0], key[1], key[2], key[3], melds)
            key[kind // 9] += POW5[kind % 9]
            best = min(best, after[kind])
    for kind in range(34):
        if hand[kind] == 0 or after[kind] > best:
            continue
        out[keeps_shanten, kind] = ON
        if best <= 0 and keeps_tenpai >= 0:
            out[keeps_tenpai, kind] = ON
        left[kind] -= 1
        key[kind // 9] -= POW5[kind % 9]
        _, _, tiles = fill_accepts(tables, left, key, melds, unseen)
        left[kind] += 1
        key[kind // 9] += POW5[kind % 9]
        for i in range(steps):
            if tiles >= STEPS[i]:
                out[ukeire + i, kind] = ON


@kernel
def encode_safety(s, p, unseen, out):
    """Set which kinds no two-sided wait, or hardly one, can be for."""
    for i in range(1, 4):
        set_mask(out, SUJI + i - 1, suji(s.discarded[(p + i) & 3]))
    no_chance, one_chance = walls(unseen)
    set_mask(out, NO_CHANCE, no_chance)
    set_mask(out, ONE_CHANCE, one_chance)


@kernel
def claim_probability(ways, k, unseen, draws, left):
    """As `probability`, but any tile that is still to be drawn, by whomever, can be the last one."""
    if k == 1:
        return probability(ways, 1, unseen, left)
    if ways <= 0 or draws < k - 1 or left < k:
        return 0.0
    expected = ways * left / unseen
    for i in range(1, k):
        expected *= (draws - i + 1) / (unseen - i)
    return 1.0 - np.exp(-expected)


@kernel
def fill_reach(q, draws, left, reach, by_draw, by_claim, out):
    """Set reach and probabilities of every discard from an answered look-ahead; `by_claim` may be -1."""
    unseen = 0
    held = 0
    for kind in range(34):
        unseen += q.unseen[kind]
        held += q.hand[kind]
    for k in range(1, REACH + 1):
        for kind in range(34):
            row = kind
            if k == 1 and held % 3 == 1:
                row = 34  # no discard stands between this hand and the win
            if q.best[row, k] == 0:
                continue
            before = 0.0
            drawn = claimed = np.uint8(0)
            for level in range(LEVELS):
                ways = q.ways[row, k, level]
                if ways == 0:
                    break
                at = LEVELS * (k - 1) + level
                out[reach + at, kind] = ON
                if ways != before:  # the same wins reach several thresholds: their probability is worked out once
                    before = ways
                    drawn = fraction(probability(ways, k, unseen, draws))
                    if by_claim >= 0:
                        claimed = fraction(claim_probability(ways, k, unseen, draws, left))
                out[by_draw + at, kind] = drawn
                if by_claim >= 0:
                    out[by_claim + at, kind] = claimed


@kernel
def encode_lookahead(tables, patterns, s, p, q, out):
    """Search the wins in reach of seat p and set their channels."""
    fill_query(s, p, REACH, q)
    search_wins(tables, patterns, s.rules, q)
    for level in range(LEVELS):
        if q.best[34, 0] >= THRESHOLDS[level]:
            set_all(out, WIN_NOW + level)
    fill_reach(q, draws_left(s, p), s.left, REACHES, PROBABILITY, CLAIM_PROBABILITY, out)
    for k in range(1, REACH + 1):
        for kind in range(34):
            out[BEST + k - 1, kind] = fraction(min(BEST_POINTS, q.best[kind, k]) / BEST_POINTS)
