"""The encoder in the manner of Suphx: planes over the 34 kinds, with the plans of the look-ahead by discard."""

import numpy as np

from suzaku.features.channels import ON, first
from suzaku.features.mcr_sets import FAN, LEFT_STEPS, PLANE_CHANNELS, PLANES, TOP_PLANS
from suzaku.features.mcr_units import EAST, stack_discards, stack_melds, stack_unseen
from suzaku.features.planes import (
    batch,
    check_asked,
    clear,
    fill,
    fraction,
    put,
    set_all,
    set_mask,
    set_steps,
    stack_counts,
)
from suzaku.features.sparse import LIST, USUAL, SparsePlanes, append, collect
from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.mcr.deal import left_for
from suzaku.mcr.plans import SEARCH
from suzaku.mcr.search import FARTHEST, search_plans
from suzaku.mcr.shanten import shanten, waits_mask
from suzaku.mcr.state import CLAIM, ROB
from suzaku.mcr.ways import fill_seat

HAND, DRAWN, MELDS, DISCARDS = (first(PLANES, name) for name in ("hand", "drawn", "melds", "discards"))
UNSEEN, RECENT, LAST = (first(PLANES, name) for name in ("unseen", "recent", "last_discards"))
MELD_COUNT, TURN, LEFT, WINDS = (first(PLANES, name) for name in ("meld_count", "turn", "left", "winds"))
SHANTEN, WAITS, PHASE = (first(PLANES, name) for name in ("shanten", "waits", "phase"))
OFFER, OFFER_FROM, KEEPS = (first(PLANES, name) for name in ("offer", "offer_from", "keeps_shanten"))
DISTANCE, EXPECTED, PLAN_DISTANCE = (first(PLANES, name) for name in ("distance", "expected", "plan_distance"))
VALUE, WANTS, SHARE = (first(PLANES, name) for name in ("plan_value", "plan_wants", "plan_share"))
PLAN_MISSING, PLAN_FAN = first(PLANES, "plan_missing"), first(PLANES, "plan_fan")
LATEST = 8  # discards
HAZARD, CLAIMS = 0.12, 0.35  # what the look-ahead takes for granted of the others: as the rule-based player does
ORDINARY = 45.0  # points of an ordinary win: where what a hand promises levels off
CLOSE = 0.9  # of the best discard's worth: from here on the third plane of `plan_value` tells them apart


@kernel
def levelled(value):
    """What a sum over targets promises, as a part of ever more."""
    return 1.0 - np.exp(-value / ORDINARY)


@kernel
def _board(s, p, counts, seen, out):
    stack_counts(out, HAND, s.hand[p])
    if s.turn == p and s.drawn >= 0:
        put(out, DRAWN, np.int64(s.drawn), ON)
    for i in range(4):
        q = (p + i) & 3
        stack_melds(s, q, i == 0, MELDS + 4 * i, counts, out)
        stack_discards(s, q, DISCARDS + 4 * i, counts, out)
        set_steps(out, MELD_COUNT + 4 * i, s.melds[q])
        n = s.river_size[q]
        if i > 0 and n > 0:
            put(out, LAST + i - 1, np.int64(s.river[q, n - 1]), ON)
        for j in range(n - 1, -1, -1):
            ago = s.discards - 1 - s.river_order[q, j]
            if ago >= LATEST:
                break
            put(out, RECENT + ago, np.int64(s.river[q, j]), ON)
    stack_unseen(s, p, UNSEEN, seen, out)


@kernel
def _situation(tables, s, p, out):
    set_steps(out, TURN, min(16, s.river_size[p]))
    draws = left_for(s, p) if s.rules.duplicate else s.left // 4
    for i in range(len(LEFT_STEPS)):
        if draws >= LEFT_STEPS[i]:
            set_all(out, LEFT + i)
    put(out, WINDS, EAST + s.wind, ON)
    put(out, WINDS + 1, EAST + ((p - s.dealer) & 3), ON)
    now = shanten(tables, s.hand[p], s.melds[p])
    set_all(out, SHANTEN + min(6, now) + 1)
    if now == 0:
        set_mask(out, WAITS, np.uint64(waits_mask(tables, s.hand[p], s.melds[p])))
    set_all(out, PHASE + s.phase)
    if s.phase == CLAIM or s.phase == ROB:
        put(out, OFFER, np.int64(s.offer), ON)
        set_all(out, OFFER_FROM + ((s.turn - p) & 3) - 1)
    else:
        fill_keeps(tables, s.hand[p].copy(), np.int64(s.melds[p]), now, KEEPS, out)


@kernel
def fill_keeps(tables, hand, melds, now, channel, out):
    """Set the discards that keep the shanten of a hand of 3n+2 tiles."""
    for kind in range(34):
        if hand[kind] > 0:
            hand[kind] -= 1
            if shanten(tables, hand, melds) <= max(0, now):
                put(out, channel, kind, ON)
            hand[kind] += 1


@kernel
def fill_values(q, channel, close, out):
    """Set what each discard leaves to the plans: levelled, beside the best, and (`close`) from nine tenths of it on."""
    best = 0.0
    for kind in range(34):
        if q.hand[kind] > 0:
            best = max(best, levelled(q.value[kind]))
    if best > 0.0:
        for kind in range(34):
            if q.hand[kind] > 0:
                worth = levelled(q.value[kind])
                put(out, channel, kind, fraction(worth))
                put(out, channel + 1, kind, fraction(worth / best))
                if close:
                    put(out, channel + 2, kind, fraction((worth / best - CLOSE) / (1.0 - CLOSE)))
    return best


@kernel
def fill_wants(q, channel, plans, out):
    """Set what the best plans are short of."""
    for row in range(min(plans, q.plans)):
        for kind in range(34):
            if q.plan_wants[row, kind] > 0:
                put(out, channel + row, kind, ON)


@kernel
def _plans(q, out):
    """Set what an answered look-ahead says."""
    set_all(out, DISTANCE + min(FARTHEST + 1, q.distance))
    fill(out, EXPECTED, fraction(levelled(q.total)))
    held = 0
    for kind in range(34):
        held += q.hand[kind]
    if held % 3 == 2:
        fill_values(q, VALUE, True, out)
        for kind in range(34):
            if q.hand[kind] > 0:
                put(out, PLAN_DISTANCE + max(1, min(FARTHEST + 1, q.near[kind])) - 1, kind, ON)
    fill_wants(q, WANTS, TOP_PLANS, out)
    for row in range(min(TOP_PLANS, q.plans)):
        fill(out, SHARE + row, fraction(q.plan_value[row] / max(q.total, 1e-9)))
        fill(out, PLAN_MISSING + row, fraction(min(8, q.plan_missing[row]) / 8))
        fill(out, PLAN_FAN + row, fraction(min(FAN, q.plan_fan[row]) / FAN))


@kernel
def encode_planes(tables, s, p, lookahead, counts, seen, q, out):
    """Set the channels of what seat p, which is asked, sees. `q` then holds its plans."""
    _board(s, p, counts, seen, out)
    _situation(tables, s, p, out)
    if lookahead:
        fill_seat(s, p, HAZARD, CLAIMS, q)
        search_plans(tables, q)
        _plans(q, out)


@kernel
def _encode_many(tables, records, lookahead, q, out):
    counts, seen = np.empty(34, np.int8), np.empty(34, np.uint8)
    for i in range(records.shape[0]):
        state = out[i, :PLANE_CHANNELS]
        clear(state)
        encode_planes(tables, records[i], records[i].seat, lookahead, counts, seen, q, state)


@kernel
def _encode_sparse(records, tables, lookahead, q, bounds, constants):
    counts, seen = np.empty(34, np.int8), np.empty(34, np.uint8)
    state = np.empty(LIST, np.uint32)
    cells = np.empty(USUAL * records.shape[0], np.uint32)
    for i in range(records.shape[0]):
        clear(state)
        encode_planes(tables, records[i], records[i].seat, lookahead, counts, seen, q, state)
        cells = append(state, i, cells, bounds, constants)
    return cells


def encode_many(records: np.ndarray, out: np.ndarray | None = None, lookahead: bool = True) -> np.ndarray:
    """The channels of the asked seat of many tables, uint8[n, channels, 34], into `out` if given."""
    out = batch(records, (PLANE_CHANNELS, 34), out)
    _encode_many(hand_tables(), records, lookahead, np.zeros(1, SEARCH)[0], out)
    return out


def encode_sparse(records: np.ndarray, lookahead: bool = True) -> SparsePlanes:
    """The same as cells."""
    check_asked(records)
    return collect(PLANE_CHANNELS, _encode_sparse, records, hand_tables(), lookahead, np.zeros(1, SEARCH)[0])


def warm_up() -> None:
    """What networks of MCR see."""
    from suzaku.mcr.state import STATE

    encode_sparse(np.zeros(0, STATE))
