"""Kernels that draw the hands of seats in riichi from the tiles that one seat cannot see.

What is known of such a hand, and what follows from it here:
- it is tenpai; before the discard that declares riichi, some discard leaves it tenpai;
- a closed kong made since has not changed its waits, for otherwise it would not have been legal;
- it could wait for a kind of its own river, or for a tile that passed since riichi (a discard, or one added to a pong).
  Hardly anybody plays so: such a hand counts `FURITEN_WEIGHT` times as much as another.
All ways to lay the unseen tiles that fit are equally likely, but for that weight. A single hand is drawn exactly so.
Several hands are drawn one after the other, and then each again from what the others leave (Gibbs sampling). Where few
other tiles are left, they begin with one of many such draws, chosen by how much each was drawn too rarely.
"""

import numpy as np

from suzaku.hand.shanten import fill_keys, waits_keys
from suzaku.kernel import kernel
from suzaku.riichi import state as st
from suzaku.riichi.deal import bit
from suzaku.riichi.tenpai_hands import all_sets, draw_tenpai, random_share, sum_tenpai
from suzaku.seeds import GOLDEN, below, mix
from suzaku.tiles import KIND_OF

FURITEN_WEIGHT = 0.007  # fits real games best, see docs/rules.md
SWEEPS = 2  # how often each of several hands is drawn again
CANDIDATES = 16  # draws of several hands to choose from, where they take over half of the tiles
PATIENCE = 10  # draws for each candidate, if most of them fail because a hand is left without its tiles
TRIES = 5000  # draws of a hand, or of several: with the weight above, one in 10^15 runs out of them


@kernel
def in_riichi(s, p):
    """Whether seat p has declared riichi, so that its hand must be tenpai."""
    return s.riichi[p] > 0 or s.riichi_due == p or _declares(s, p)


@kernel
def _declares(s, p):
    """Whether seat p has said riichi and not discarded yet."""
    return s.phase == st.RIICHI_DISCARD and s.seat == p


@kernel
def _last_order(s, p):
    """The number of seat p's discard that declared riichi, or else of its last one, or -1."""
    order = -1
    for i in range(s.river_size[p]):
        if not s.riichi[p] or s.river_flag[p, i] & st.RIVER_RIICHI:
            order = s.river_order[p, i]
    return order


@kernel
def passed_tiles(s, p):
    """Mask of the kinds that seat p let pass since its riichi, or else since its last discard."""
    since = _last_order(s, p)
    last = s.discards - 1 if s.phase == st.CLAIM else s.discards  # a tile on offer has not passed yet
    passed = np.uint64(0)
    for q in range(4):
        if q == p:
            continue
        for i in range(s.river_size[q]):
            if since < s.river_order[q, i] < last:
                passed |= bit(KIND_OF[s.river[q, i]])
        for i in range(s.melds[q]):
            offered = s.phase == st.ROB and q == s.turn and s.meld_tile[q, i] == KIND_OF[s.offer]
            if s.meld_added[q, i] >= 0 and s.added_order[q, i] > since and not offered:
                passed |= bit(s.meld_tile[q, i])
    return passed


@kernel
def _waits(tables, counts, melds):
    keys = np.empty(4, np.int64)
    fill_keys(counts, keys)
    return waits_keys(tables, counts, keys, melds)


@kernel
def _kongs_kept_waits(tables, s, p, hand, waits):
    """Whether the closed kongs that seat p made in riichi were legal with this hand."""
    if not s.riichi[p] or s.melds[p] == 0:
        return True
    riichi = _last_order(s, p)
    before = hand.copy()
    for i in range(s.melds[p] - 1, -1, -1):
        if s.meld_order[p, i] <= riichi:
            break
        before[s.meld_tile[p, i]] += 3
        if _waits(tables, before, i) != waits:
            return False
    return True


@kernel
def _add_drawn(tables, s, p, left, hand, x):
    """Add any other tile to a tenpai hand that declares riichi; its weight and the new random state.

    The 14 tiles come up once for each tile whose discard leaves them tenpai, so that they count the less.
    """
    x += GOLDEN
    at = below(mix(x), left.sum() - hand.sum())
    for kind in range(34):
        at -= left[kind] - hand[kind]
        if at < 0:
            hand[kind] += 1
            break
    ways = 0
    weight = FURITEN_WEIGHT
    for kind in range(34):
        if hand[kind] > 0:
            n = hand[kind]
            hand[kind] -= 1
            waits = _waits(tables, hand, s.melds[p])
            hand[kind] += 1
            if waits != 0:
                ways += n
                if waits & (s.discarded[p] | bit(kind)) == 0:
                    weight = 1.0
    return weight / ways, x


@kernel
def _barred(s, p):
    """Mask of the kinds a riichi hand does not wait for, if it is not furiten."""
    return s.discarded[p] | (passed_tiles(s, p) if s.riichi[p] else np.uint64(0))


@kernel
def _weigh(tables, s, p, left, hand, barred, x):
    """How much a hand counts that was drawn for seat p (0: not at all), and the new random state.

    To a hand that declares riichi, the tile drawn last is added.
    """
    if hand.sum() == 0:
        return 0.0, x
    if _declares(s, p):
        return _add_drawn(tables, s, p, left, hand, x)
    waits = _waits(tables, hand, s.melds[p])
    if not _kongs_kept_waits(tables, s, p, hand, waits):
        return 0.0, x
    return FURITEN_WEIGHT if waits & barred != 0 else 1.0, x


@kernel
def _draw_hand(tables, s, p, left, hand, w, x):
    """Draw a hand for seat p from the counts `left`; whether there is one, and the new random state."""
    tiles = 13 - 3 * s.melds[p]
    if not sum_tenpai(tables, left, tiles, w):
        return False, x
    barred = _barred(s, p)
    new = np.empty(34, np.int64)
    for _ in range(TRIES):
        x = draw_tenpai(tables, left, tiles, w, new, x)
        weight, x = _weigh(tables, s, p, left, new, barred, x)
        x += GOLDEN
        if random_share(x) < weight:
            hand[:] = new
            return True, x
    return False, x


@kernel
def _draw_in_turn(tables, s, seat, left, hands, w, x):
    """Draw each hand from what is left; how much they count against how often they are drawn, the new random state."""
    left = left.copy()
    total = 1.0
    for p in range(4):
        if p != seat and in_riichi(s, p):
            tiles = 13 - 3 * s.melds[p]
            if not sum_tenpai(tables, left, tiles, w):
                return 0.0, x
            x = draw_tenpai(tables, left, tiles, w, hands[p], x)
            weight, x = _weigh(tables, s, p, left, hands[p], _barred(s, p), x)
            total *= weight * all_sets(w)
            if total == 0:
                return 0.0, x
            left -= hands[p]
    return total, x


@kernel
def _draw_together(tables, s, seat, left, hands, candidates, w, x):
    """Choose one of some draws of all hands by how much they count; whether there is one, and the new random state."""
    new = np.zeros((4, 34), np.int64)
    found = 0
    total = 0.0
    for i in range(TRIES):
        weight, x = _draw_in_turn(tables, s, seat, left, new, w, x)
        if weight > 0:
            found += 1
            total += weight
            x += GOLDEN
            if random_share(x) * total < weight:
                hands[:] = new
        if found == candidates or (found > 0 and i > PATIENCE * candidates):
            return True, x
    return False, x


@kernel
def draw_riichi_hands(tables, s, seat, left, hands, w, x):
    """Draw hands (counts[4, 34], zeros at first) for the other seats in riichi out of the counts `left`.

    Whether there are such hands, and the new random state; `left` loses their tiles.
    """
    n = 0
    tiles = 0
    for p in range(4):
        if p != seat and in_riichi(s, p):
            n += 1
            tiles += 13 - 3 * s.melds[p]
    if n > 1:
        candidates = CANDIDATES if left.sum() < 2 * tiles else 1
        found, x = _draw_together(tables, s, seat, left, hands, candidates, w, x)
        if not found:
            return False, x
    for p in range(4):
        left -= hands[p]
    for _ in range(1 if n == 1 else SWEEPS):
        for p in range(4):
            if p != seat and in_riichi(s, p):
                left += hands[p]
                found, x = _draw_hand(tables, s, p, left, hands[p], w, x)
                left -= hands[p]
                if n == 1 and not found:
                    return False, x
    return True, x
