"""The channels of the situation, and those of efficiency and safety by discard.

- The channels of the situation: scores, round, riichi, what is asked, and the own hand's standing.
- The channels of efficiency and safety, indexed by discard.
"""

import numpy as np

from suzaku.features.channels import (
    GAP_STEP,
    GAP_STEPS,
    HONBA_STEPS,
    LEFT_STEP,
    LEFT_STEPS,
    ON,
    SCORE_STEP,
    SCORE_STEPS,
    SLOTS,
    STICK_STEPS,
    SUPHX,
    UKEIRE_STEPS,
    first,
)  # fmt: skip
from suzaku.features.planes import put, set_all, set_mask, set_steps, stack_counts
from suzaku.hand.shanten import FAR, shanten_keys
from suzaku.hand.tables import POW5
from suzaku.kernel import kernel
from suzaku.lookahead.safety import suji, walls
from suzaku.lookahead.ukeire import fill_accepts
from suzaku.riichi.actions import DISCARD_DRAWN, RIICHI
from suzaku.riichi.claims import is_furiten
from suzaku.riichi.deal import bit
from suzaku.riichi.state import CALLED, CLAIM, ROB
from suzaku.tiles import KIND_OF

UNSEEN, RIICHI_FLAGS = first(SUPHX, "unseen"), first(SUPHX, "riichi")
SCORES, GAPS, RANK = first(SUPHX, "scores"), first(SUPHX, "gaps"), first(SUPHX, "rank")
ROUND, HONBA, STICKS, LEFT = first(SUPHX, "round"), first(SUPHX, "honba"), first(SUPHX, "sticks"), first(SUPHX, "left")
DEALER, WINDS, LAST_ROUND = first(SUPHX, "dealer"), first(SUPHX, "winds"), first(SUPHX, "last_round")
SUDDEN_DEATH, TURN, UNBROKEN = first(SUPHX, "sudden_death"), first(SUPHX, "turn"), first(SUPHX, "unbroken")
CLOSED, SHANTEN, FURITEN, WAITS = (first(SUPHX, name) for name in ("closed", "shanten", "furiten", "waits"))
PHASE, OFFER, OFFER_FROM = first(SUPHX, "phase"), first(SUPHX, "offer"), first(SUPHX, "offer_from")
LEGAL, FORBIDDEN, CAN_RIICHI = first(SUPHX, "legal_discards"), first(SUPHX, "forbidden"), first(SUPHX, "can_riichi")


@kernel
def place_of(s, p):
    """The place of seat p by points, 0 for the first. Of equals the one that dealt first is ahead."""
    place = 0
    for q in range(4):
        if s.scores[q] > s.scores[p] or (s.scores[q] == s.scores[p] and q < p):
            place += 1
    return place


@kernel
def encode_situation(tables, s, p, legal, unseen, out):
    """Set the channels of everything that is not a tile on the board. `legal` is the mask of seat p's actions."""
    stack_counts(out, UNSEEN, unseen)
    for i in range(4):
        q = (p + i) & 3
        if s.riichi[q]:
            set_all(out, RIICHI_FLAGS + 3 * i)
            if s.riichi[q] == 2:
                set_all(out, RIICHI_FLAGS + 3 * i + 1)
            if s.ippatsu[q]:
                set_all(out, RIICHI_FLAGS + 3 * i + 2)
        set_steps(out, SCORES + SCORE_STEPS * i, min(SCORE_STEPS, max(0, s.scores[q] // SCORE_STEP)))
        if i > 0:
            gap = (s.scores[p] - s.scores[q]) // GAP_STEP + GAP_STEPS // 2
            set_steps(out, GAPS + GAP_STEPS * (i - 1), min(GAP_STEPS, max(0, gap)))
    set_all(out, RANK + place_of(s, p))
    set_all(out, ROUND + min(11, s.round_no))
    set_steps(out, HONBA, min(HONBA_STEPS, s.honba))
    set_steps(out, STICKS, min(STICK_STEPS, s.sticks))
    set_steps(out, LEFT, min(LEFT_STEPS, s.left // LEFT_STEP))
    set_all(out, DEALER + ((s.dealer - p) & 3))
    put(out, WINDS, 27 + ((s.round_no // 4) & 3), ON)
    put(out, WINDS + 1, 27 + ((p - s.dealer) & 3), ON)
    if s.round_no >= s.rules.rounds - 1:
        set_all(out, LAST_ROUND)
    if s.round_no >= s.rules.rounds:
        set_all(out, SUDDEN_DEATH)
    set_steps(out, TURN, min(SLOTS, s.river_size[p]))
    if s.unbroken:
        set_all(out, UNBROKEN)
    _encode_own(tables, s, p, legal, out)


@kernel
def _encode_own(tables, s, p, legal, out):
    if s.open_melds[p] == 0:
        set_all(out, CLOSED)
    shanten = shanten_keys(tables, s.key[p, 0], s.key[p, 1], s.key[p, 2], s.key[p, 3], s.melds[p])
    set_all(out, SHANTEN + min(6, shanten) + 1)
    if is_furiten(s, p):
        set_all(out, FURITEN)
    set_mask(out, WAITS, s.waits[p])
    set_all(out, PHASE + s.phase)
    if s.phase == CLAIM or s.phase == ROB:
        put(out, OFFER, KIND_OF[s.offer], ON)
        set_all(out, OFFER_FROM + ((s.turn - p) & 3) - 1)
    discards = np.uint64(0)
    for action in range(DISCARD_DRAWN + 1):
        if legal[action]:
            discards |= bit(KIND_OF[s.drawn if action == DISCARD_DRAWN else action])
    set_mask(out, LEGAL, discards)
    if s.phase == CALLED:
        set_mask(out, FORBIDDEN, s.forbidden)
    if legal[RIICHI]:
        set_all(out, CAN_RIICHI)


KEEPS_TENPAI, KEEPS_SHANTEN, UKEIRE = (first(SUPHX, name) for name in ("keeps_tenpai", "keeps_shanten", "ukeire"))
SUJI, NO_CHANCE, ONE_CHANCE = first(SUPHX, "suji"), first(SUPHX, "no_chance"), first(SUPHX, "one_chance")
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
        put(out, keeps_shanten, kind, ON)
        if best <= 0 and keeps_tenpai >= 0:
            put(out, keeps_tenpai, kind, ON)
        left[kind] -= 1
        key[kind // 9] -= POW5[kind % 9]
        _, _, tiles = fill_accepts(tables, left, key, melds, unseen)
        left[kind] += 1
        key[kind // 9] += POW5[kind % 9]
        for i in range(steps):
            if tiles >= STEPS[i]:
                put(out, ukeire + i, kind, ON)


@kernel
def encode_safety(s, p, unseen, out):
    """Set which kinds no two-sided wait, or hardly one, can be for."""
    for i in range(1, 4):
        set_mask(out, SUJI + i - 1, suji(s.discarded[(p + i) & 3]))
    no_chance, one_chance = walls(unseen)
    set_mask(out, NO_CHANCE, no_chance)
    set_mask(out, ONE_CHANCE, one_chance)
