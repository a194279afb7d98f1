"""The channels that tell a chow or pong model in the manner of Suphx which meld it is asked about and what remains."""

import numpy as np

from suzaku.features.channels import ON, first
from suzaku.features.mcr_planes import CLAIMS, HAZARD, encode_planes, fill_values, fill_wants, levelled
from suzaku.features.mcr_sets import CLAIM, CLAIM_CHANNELS, PLANE_CHANNELS
from suzaku.features.planes import batch, check_asked, clear, fill, fraction, put, set_all, stack_counts
from suzaku.features.sparse import LIST, USUAL, SparsePlanes, append, collect
from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.mcr import actions as act
from suzaku.mcr.plans import SEARCH
from suzaku.mcr.search import FARTHEST, search_plans
from suzaku.mcr.shanten import shanten
from suzaku.mcr.state import CHOW, PONG
from suzaku.mcr.ways import chow_tiles, fill_seat, move_to_meld


def _channel(name: str) -> int:
    return PLANE_CHANNELS + first(CLAIM, name)


TYPE, USED, HAND, SHANTEN = map(_channel, ("claim_type", "claim_used", "claim_hand", "claim_shanten"))
DISTANCE, EXPECTED, GAIN = map(_channel, ("claim_distance", "claim_expected", "claim_gain"))
VALUE, WANTS = map(_channel, ("claim_value", "claim_wants"))
CHANNELS = PLANE_CHANNELS + CLAIM_CHANNELS
CLAIM_PLANS = 2


@kernel
def fill_claim(s, p, action, q):
    """The query of seat p's hand after a chow or pong of the offered tile. Returns the kinds that leave it, or -1."""
    offer = np.int64(s.offer)
    fill_seat(s, p, HAZARD, CLAIMS, q)
    if action == act.PONG:
        move_to_meld(q, PONG, offer, 2, offer, -1)
        return offer, -1
    low, a, b = chow_tiles(offer, action - act.CHOW_LOW)
    move_to_meld(q, CHOW, low, 1, a, b)
    return a, b


@kernel
def encode_claim(tables, s, p, action, lookahead, before, q, out):
    """Set the channels behind the others. `before` is what the plans promise after a pass, levelled."""
    a, b = fill_claim(s, p, action, q)
    set_all(out, TYPE + action - act.CHOW_LOW)
    put(out, USED, a, ON)
    if b >= 0:
        put(out, USED, b, ON)
    stack_counts(out, HAND, q.hand)
    set_all(out, SHANTEN + min(6, max(0, shanten(tables, q.hand, q.melds))) + 1)
    if not lookahead:
        return
    search_plans(tables, q)
    set_all(out, DISTANCE + min(FARTHEST + 1, q.distance))
    best = fill_values(q, VALUE, False, out)
    fill(out, EXPECTED, fraction(best))
    gain = best / max(before, 1e-9)
    fill(out, GAIN, fraction(min(1.0, gain)))
    fill(out, GAIN + 1, fraction(min(1.0, max(0.0, gain - 1.0))))
    fill_wants(q, WANTS, CLAIM_PLANS, out)


@kernel
def _encode_many(records, tables, actions, lookahead, q, out):
    counts, seen = np.empty(34, np.int8), np.empty(34, np.uint8)
    for i in range(records.shape[0]):
        s, state = records[i], out[i, :CHANNELS]
        clear(state)
        encode_planes(tables, s, s.seat, lookahead, counts, seen, q, state)
        encode_claim(tables, s, s.seat, actions[i], lookahead, levelled(q.total), q, state)


@kernel
def _encode_sparse(records, tables, actions, lookahead, q, bounds, constants):
    counts, seen = np.empty(34, np.int8), np.empty(34, np.uint8)
    state = np.empty(LIST, np.uint32)
    cells = np.empty(USUAL * records.shape[0], np.uint32)
    for i in range(records.shape[0]):
        s = records[i]
        clear(state)
        encode_planes(tables, s, s.seat, lookahead, counts, seen, q, state)
        encode_claim(tables, s, s.seat, actions[i], lookahead, levelled(q.total), q, state)
        cells = append(state, i, cells, bounds, constants)
    return cells


def _checked(records: np.ndarray, actions: np.ndarray) -> np.ndarray:
    check_asked(records)
    actions = np.ascontiguousarray(actions, np.int64)
    if actions.shape != (len(records),) or not ((actions >= act.CHOW_LOW) & (actions <= act.PONG)).all():
        raise ValueError("expected one chow or pong (34..37) for each table")
    return actions


def encode_many(
    records: np.ndarray, actions: np.ndarray, out: np.ndarray | None = None, lookahead: bool = True
) -> np.ndarray:
    """The channels of many tables with a claim of each, uint8[n, channels, 34], into `out` if given."""
    out = batch(records, (CHANNELS, 34), out)
    _encode_many(records, hand_tables(), _checked(records, actions), lookahead, np.zeros(1, SEARCH)[0], out)
    return out


def encode_sparse(records: np.ndarray, actions: np.ndarray, lookahead: bool = True) -> SparsePlanes:
    """The same as cells."""
    actions = _checked(records, actions)
    return collect(CHANNELS, _encode_sparse, records, hand_tables(), actions, lookahead, np.zeros(1, SEARCH)[0])
