"""Gao et al.'s input: 86 planes of 34 x 4, TABLE I of the paper.

A plane of tiles fills n ones from the left in the row of a kind of which there are n. A past situation is the table as
the seat saw it when it had to discard one turn ago, two turns ago and so on. Before the first turn it is empty.
"""

import numpy as np

from suzaku.features.planes import batch
from suzaku.features.situation import place_of
from suzaku.kernel import kernel
from suzaku.riichi.state import ADDED_KONG, CHOW, INDICATORS, PAST, PONG, RIVER_RIICHI, STATE
from suzaku.tiles import KIND_OF

SHAPE = (86, 34, 4)
NOW = 127  # later than every discard


@kernel
def _add(plane, kind):
    for i in range(4):
        if plane[kind, i] == 0:
            plane[kind, i] = 1
            return


@kernel
def _fill_hand(key, plane):
    for suit in range(4):
        left = np.int64(key[suit])
        for i in range(9 if suit < 3 else 7):
            for n in range(left % 5):
                plane[9 * suit + i, n] = 1
            left //= 5


@kernel
def _fill_table(s, p, before, out):
    """Eight planes as they stood when `before` discards had been made: four rivers, then four seats' melds."""
    for i in range(4):
        q = (p + i) & 3
        for n in range(s.river_size[q]):
            if s.river_order[q, n] < before:
                _add(out[i], KIND_OF[s.river[q, n]])
        for m in range(s.melds[q]):
            if s.meld_order[q, m] > before:
                continue
            low = s.meld_tile[q, m]
            if s.meld_type[q, m] == CHOW:
                for kind in range(low, low + 3):
                    _add(out[4 + i], kind)
            else:
                added_later = s.meld_type[q, m] == ADDED_KONG and s.added_order[q, m] > before
                for _ in range(3 if s.meld_type[q, m] == PONG or added_later else 4):
                    _add(out[4 + i], low)


@kernel
def _fill_indicators(s, before, plane):
    for i in range(s.indicators):
        if s.indicator_order[i] <= before:
            _add(plane, KIND_OF[s.wall[INDICATORS[i]]])


@kernel
def _fill_riichi(s, p, before, out):
    for i in range(3):
        q = (p + 1 + i) & 3
        for n in range(s.river_size[q]):
            if s.river_flag[q, n] & RIVER_RIICHI and s.riichi[q] and s.river_order[q, n] < before:
                out[i] = 1


@kernel
def encode_gao(s, p, out):
    """Fill out[86, 34, 4] with what seat p sees."""
    out[:] = 0
    _fill_hand(s.key[p], out[0])
    for suit in range(3):
        if s.red[p, suit] > 0:
            out[1, 9 * suit + 4] = 1
    _fill_table(s, p, NOW, out[2:10])
    _fill_indicators(s, NOW, out[10])
    _fill_riichi(s, p, NOW, out[11:14])
    out[14 + place_of(s, p)] = 1
    out[18 + min(7, s.round_no)] = 1
    out[26, 27 + ((s.round_no // 4) & 3)] = 1
    out[27, 27 + ((p - s.dealer) & 3)] = 1
    for ago in range(1, min(PAST, s.river_size[p]) + 1):
        turn = s.river_size[p] - ago
        before = s.river_order[p, turn]
        first = 28 if ago == 1 else 41 + 9 * (ago - 2)
        _fill_hand(s.past_key[p, turn % PAST], out[first])
        _fill_table(s, p, before, out[first + 1 : first + 9])
        if ago == 1:
            _fill_indicators(s, before, out[37])
            _fill_riichi(s, p, before, out[38:41])


@kernel
def _encode_many(records, out):
    for i in range(records.shape[0]):
        encode_gao(records[i], records[i].seat, out[i, : SHAPE[0]])


def encode_many(records: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """The planes of the asked seat of many tables, uint8[n, 86, 34, 4] of zeros and ones, into `out` if given."""
    out = batch(records, SHAPE, out)
    _encode_many(records, out)
    return out


def warm_up() -> None:
    """What the networks of Gao et al. see."""
    encode_many(np.zeros(0, STATE))
