"""The 120 channels that tell a chow, pong or kong model which meld it is asked about and what would remain."""

from typing import Any

import numpy as np

from suzaku.features.channels import (
    CLAIM,
    CLAIM_CHANNELS,
    CLAIM_DORA_STEPS,
    CLAIM_UKEIRE_STEPS,
    ON,
    SUPHX_CHANNELS,
    first,
)  # fmt: skip
from suzaku.features.planes import batch, check_asked, clear, put, set_all, set_mask, set_steps, stack, stack_counts
from suzaku.features.situation import encode_efficiency
from suzaku.features.sparse import LIST, USUAL, SparsePlanes, append, collect
from suzaku.features.suphx import encode_suphx, fill_reach
from suzaku.hand.shanten import shanten_keys
from suzaku.hand.tables import POW5
from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.lookahead.patterns import patterns as win_patterns
from suzaku.lookahead.search import draws_left, fill_query, search_wins
from suzaku.lookahead.state import REACH, SEARCH
from suzaku.riichi import actions as act
from suzaku.riichi.claims import barred_by_swap
from suzaku.riichi.state import ADDED_KONG, CHOW, CLOSED_KONG, OPEN_KONG, PONG
from suzaku.tiles import KIND_OF, RED


def _channel(name: str) -> int:
    return SUPHX_CHANNELS + first(CLAIM, name)


KIND, MELD, USED, TILE, RED_IN = map(_channel, ("claim_kind", "claim_meld", "claim_used", "claim_tile", "claim_red"))
HAND, HAND_RED, DORA, SHANTEN = map(_channel, ("claim_hand", "claim_hand_red", "claim_dora", "claim_shanten"))
GAIN, OPENS, FORBIDDEN, UKEIRE = map(_channel, ("claim_gain", "claim_opens", "claim_forbidden", "claim_ukeire"))
KEEPS_SHANTEN, REACHES = _channel("claim_keeps_shanten"), _channel("claim_reach")
PROBABILITY = _channel("claim_chance_after")
CHANNELS = SUPHX_CHANNELS + CLAIM_CHANNELS


@kernel
def _use(q, kind, red, work, out):
    """Move a tile of the hand into the meld."""
    q.hand[kind] -= 1
    q.key[kind // 9] -= POW5[kind % 9]
    if red:
        q.red[kind // 9] -= 1
        put(out, RED_IN, kind, ON)
    stack(out, USED, kind, work[0])
    stack(out, MELD, kind, work[1])


@kernel
def _make_meld(s, q, action, work, out):
    """Carry out a claim in the query. Returns the meld's type, lowest tile, red fives, and the barred kinds.

    `work` is int8[2, 34]: the tiles used and those of the meld.
    """
    offer = KIND_OF[s.offer]
    barred = np.uint64(0)
    reds = 0
    work[:] = 0
    if action <= act.CHOW_HIGH + act.CHOW_RED:
        shape = (action - act.CHOW_LOW) % 3
        set_all(out, KIND + shape)
        low = offer - shape
        for kind in range(low, low + 3):
            if kind != offer:
                red = action >= act.CHOW_LOW + act.CHOW_RED and kind % 9 == 4
                reds += red
                _use(q, kind, red, work, out)
        barred = barred_by_swap(offer, shape)
        meld_type = CHOW
    elif action <= act.OPEN_KONG:
        low = offer
        meld_type = OPEN_KONG if action == act.OPEN_KONG else PONG
        set_all(out, KIND + (4 if action == act.OPEN_KONG else 3))
        barred = barred_by_swap(offer, -1)
        for i in range(3 if action == act.OPEN_KONG else 2):
            red = i == 0 and action != act.PONG and offer < 27 and offer % 9 == 4 and q.red[offer // 9] > 0
            reds += red
            _use(q, offer, red, work, out)
    else:
        closed = action < act.ADDED_KONG
        low = action - (act.CLOSED_KONG if closed else act.ADDED_KONG)
        set_all(out, KIND + (5 if closed else 6))
        for i in range(4 if closed else 1):
            red = i == 0 and low < 27 and low % 9 == 4 and q.red[low // 9] > 0
            reds += red
            _use(q, low, red, work, out)
        meld_type = CLOSED_KONG if closed else ADDED_KONG
    if action <= act.OPEN_KONG:
        stack(out, MELD, offer, work[1])
        put(out, TILE, offer, ON)
        if s.offer >= RED:
            reds += 1
            put(out, RED_IN, offer, ON)
    if s.rules.swap_calling or meld_type > PONG:
        barred = np.uint64(0)
    return meld_type, low, reds, barred


@kernel
def _place_meld(q, meld_type, low, reds, work, out):
    """Put the meld among the query's melds and count its doras."""
    if meld_type == ADDED_KONG:
        for i in range(q.melds):
            if q.meld_type[i] == PONG and q.meld_tile[i] == low:
                q.meld_type[i] = ADDED_KONG
        for _ in range(3):
            stack(out, MELD, low, work[1])
    else:
        q.meld_type[q.melds] = meld_type
        q.meld_tile[q.melds] = low
        q.melds += 1
    if meld_type != CLOSED_KONG:
        if q.closed:
            set_all(out, OPENS)
        q.closed = 0
    han = reds
    for kind in range(34):
        han += work[1, kind] * q.dora[kind]
    set_steps(out, DORA, min(CLAIM_DORA_STEPS, han))
    q.meld_dora += han
    if meld_type == ADDED_KONG:  # three of its tiles were counted before
        q.meld_dora -= 3 * q.dora[low]


@kernel
def encode_claim(tables, patterns, s, p, action, work, q, out):
    """Set the 120 channels behind the first 838: what a claim of seat p would make of its hand."""
    before = shanten_keys(tables, s.key[p, 0], s.key[p, 1], s.key[p, 2], s.key[p, 3], s.melds[p])
    fill_query(s, p, REACH, q)
    meld_type, low, reds, barred = _make_meld(s, q, action, work, out)
    _place_meld(q, meld_type, low, reds, work, out)
    stack_counts(out, HAND, q.hand)
    for suit in range(3):
        if q.red[suit] > 0:
            put(out, HAND_RED, 9 * suit + 4, ON)
    set_mask(out, FORBIDDEN, barred)
    after = shanten_keys(tables, q.key[0], q.key[1], q.key[2], q.key[3], q.melds)
    if meld_type <= PONG:  # a discard follows: the best of those allowed counts
        after = 99
        for kind in range(34):
            if q.hand[kind] > 0 and (barred >> np.uint64(kind)) & np.uint64(1) == 0:
                q.key[kind // 9] -= POW5[kind % 9]
                after = min(after, shanten_keys(tables, q.key[0], q.key[1], q.key[2], q.key[3], q.melds))
                q.key[kind // 9] += POW5[kind % 9]
        encode_efficiency(tables, q.hand, q.key, q.melds, q.unseen, CLAIM_UKEIRE_STEPS, -1, KEEPS_SHANTEN, UKEIRE, out)
    set_all(out, SHANTEN + min(6, after) + 1)
    set_all(out, GAIN + (0 if after < before else 1 if after == before else 2))
    q.last = -1
    search_wins(tables, patterns, s.rules, q)
    fill_reach(q, draws_left(s, p), s.left, REACHES, PROBABILITY, -1, out)


@kernel
def _is_same(raw, i):
    """Whether a record holds what the one before it does: the options of one decision come one after the other."""
    return i > 0 and (raw[i] == raw[i - 1]).all()


@kernel
def _encode_many(out, records, tables, patterns, raw, actions, lookahead, q):
    legal = np.empty(act.ACTIONS, np.bool_)
    work = np.empty((3, 34), np.int8)
    for i in range(records.shape[0]):
        p = records[i].seat
        state = out[i, :CHANNELS]
        clear(state)
        if _is_same(raw, i):
            out[i, :SUPHX_CHANNELS] = out[i - 1, :SUPHX_CHANNELS]
        else:
            encode_suphx(tables, patterns, records[i], p, lookahead, legal, work, q, state)
        encode_claim(tables, patterns, records[i], p, actions[i], work[:2], q, state)


@kernel
def _encode_sparse(records, tables, patterns, raw, actions, lookahead, q, bounds, constants):
    legal = np.empty(act.ACTIONS, np.bool_)
    work = np.empty((3, 34), np.int8)
    state = np.empty(LIST, np.uint32)
    cells = np.empty(USUAL * records.shape[0], np.uint32)
    shared = state[:2].copy()
    for i in range(records.shape[0]):
        p = records[i].seat
        if _is_same(raw, i):
            state[:2] = shared
        else:
            clear(state)
            encode_suphx(tables, patterns, records[i], p, lookahead, legal, work, q, state)
            shared[:] = state[:2]
        encode_claim(tables, patterns, records[i], p, actions[i], work[:2], q, state)
        cells = append(state, i, cells, bounds, constants)
    return cells


def _arguments(records: np.ndarray, actions: np.ndarray, lookahead: bool) -> tuple[Any, ...]:
    """What the kernels take."""
    actions = np.ascontiguousarray(actions, np.int64)
    melds = ((actions >= act.CHOW_LOW) & (actions < act.WIN_DRAW)).all()
    if actions.shape != (len(records),) or not melds:
        raise ValueError("expected one chow, pong or kong (39..115) for each table")
    records = np.ascontiguousarray(records)
    raw = records.view(np.uint64).reshape(len(records), -1)
    return records, hand_tables(), win_patterns(), raw, actions, lookahead, np.zeros(1, SEARCH)[0]


def encode_many(
    records: np.ndarray, actions: np.ndarray, out: np.ndarray | None = None, lookahead: bool = True
) -> np.ndarray:
    """The channels of the asked seat of many tables and a claim of each, uint8[n, 958, 34], into `out` if given.

    An `out` with more channels takes them in front. The others stay as they are.
    """
    out = batch(records, (CHANNELS, 34), out)
    _encode_many(out, *_arguments(records, actions, lookahead))
    return out


def encode_sparse(records: np.ndarray, actions: np.ndarray, lookahead: bool = True) -> SparsePlanes:
    """The same as cells."""
    check_asked(records)
    return collect(CHANNELS, _encode_sparse, *_arguments(records, actions, lookahead))
