"""The channels of tiles on the board: own hand, melds, doras and rivers."""

import numpy as np

from suzaku.features.channels import ON, RECENT, SLOTS, SUPHX, first
from suzaku.features.planes import put, set_mask, stack, stack_counts
from suzaku.kernel import kernel
from suzaku.lookahead.safety import genbutsu
from suzaku.lookahead.search import fill_red_unseen
from suzaku.riichi.redraw import fill_dora
from suzaku.riichi.state import CHOW, CLOSED_KONG, INDICATORS, PONG, RIVER_CALLED, RIVER_DRAWN, RIVER_RIICHI
from suzaku.tiles import KIND_OF

HAND, OWN_RED, DRAWN = first(SUPHX, "hand"), first(SUPHX, "red"), first(SUPHX, "drawn")
MELD_TILES, MELD_RED = first(SUPHX, "meld_tiles"), first(SUPHX, "meld_red")
CLOSED_KONGS, MELD_LIST = first(SUPHX, "closed_kongs"), first(SUPHX, "meld_list")
SHOWN, DORA, RED_UNSEEN = first(SUPHX, "indicators"), first(SUPHX, "dora"), first(SUPHX, "red_unseen")
RIVER_TILES, RIVER, RIICHI_TILE = first(SUPHX, "river_tiles"), first(SUPHX, "river"), first(SUPHX, "riichi_tile")
PASSED, LAST_FROM_HAND, LATEST = first(SUPHX, "passed"), first(SUPHX, "last_from_hand"), first(SUPHX, "recent")


@kernel
def encode_board(s, p, work, out):
    """Set the channels of all tiles that seat p can see. `work` is int8[2, 34]."""
    dora, counts = work[0], work[1]
    stack_counts(out, HAND, s.hand[p])
    for suit in range(3):
        if s.red[p, suit] > 0:
            put(out, OWN_RED, 9 * suit + 4, ON)
    if s.turn == p and s.drawn >= 0:
        put(out, DRAWN, KIND_OF[s.drawn], ON)
    counts[:] = 0
    for i in range(s.indicators):
        stack(out, SHOWN, KIND_OF[s.wall[INDICATORS[i]]], counts)
    fill_dora(s, dora)
    stack_counts(out, DORA, dora)
    for i in range(4):
        _encode_melds(s, (p + i) & 3, i, counts, out)
        _encode_river(s, (p + i) & 3, i, counts, out)
    _encode_unseen_red(s, p, out)
    _encode_order(s, p, out)


@kernel
def _encode_melds(s, q, seat, counts, out):
    counts[:] = 0
    for m in range(s.melds[q]):
        low = s.meld_tile[q, m]
        type_ = s.meld_type[q, m]
        slot = MELD_LIST + 8 * seat + 2 * m
        if type_ == CHOW:
            for k in range(low, low + 3):
                stack(out, MELD_TILES + 4 * seat, k, counts)
                put(out, slot, k, ON)
        else:
            for _ in range(3 if type_ == PONG else 4):
                stack(out, MELD_TILES + 4 * seat, low, counts)
            put(out, slot, low, ON)
        if s.meld_called[q, m] >= 0:
            put(out, slot + 1, KIND_OF[s.meld_called[q, m]], ON)
        if s.meld_red[q, m] > 0:
            put(out, MELD_RED + seat, low // 9 * 9 + 4, ON)
        if type_ == CLOSED_KONG:
            put(out, CLOSED_KONGS + seat, low, ON)


@kernel
def _encode_river(s, q, seat, counts, out):
    counts[:] = 0
    from_hand = -1
    for i in range(s.river_size[q]):
        kind = KIND_OF[s.river[q, i]]
        flag = s.river_flag[q, i]
        stack(out, RIVER_TILES + 4 * seat, kind, counts)
        if flag & RIVER_RIICHI:
            put(out, RIICHI_TILE + seat, kind, ON)
        if i < SLOTS:
            slot = RIVER + 3 * (SLOTS * seat + i)
            put(out, slot, kind, ON)
            if not flag & RIVER_DRAWN:
                put(out, slot + 1, kind, ON)
                from_hand = kind
            if flag & RIVER_CALLED:
                put(out, slot + 2, kind, ON)
    if seat > 0 and from_hand >= 0:
        put(out, LAST_FROM_HAND + seat - 1, from_hand, ON)


@kernel
def _encode_unseen_red(s, p, out):
    unseen = np.empty(3, np.int8)
    fill_red_unseen(s, p, unseen)
    for suit in range(3):
        if unseen[suit]:
            put(out, RED_UNSEEN, 9 * suit + 4, ON)


@kernel
def _encode_order(s, p, out):
    """The latest discards of all seats, and what is safe from each riichi."""
    for q in range(4):
        for i in range(s.river_size[q] - 1, -1, -1):
            ago = s.discards - 1 - s.river_order[q, i]
            if ago >= RECENT:
                break
            put(out, LATEST + ago, KIND_OF[s.river[q, i]], ON)
    for i in range(1, 4):
        q = (p + i) & 3
        if s.riichi[q]:
            set_mask(out, PASSED + i - 1, genbutsu(s, q))
