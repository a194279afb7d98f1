"""The Suphx encoder: 838 channels of 34 kinds for discard and riichi."""

import numpy as np

from suzaku.features.board import encode_board
from suzaku.features.discards import (
    KEEPS_SHANTEN,
    KEEPS_TENPAI,
    STEPS,
    UKEIRE,
    encode_efficiency,
    encode_safety,
)
from suzaku.features.groups import SUPHX_CHANNELS
from suzaku.features.lookahead_channels import encode_lookahead
from suzaku.features.planes import batch, check_asked, clear
from suzaku.features.situation import encode_situation
from suzaku.features.sparse import LIST, USUAL, SparsePlanes, append, collect
from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.lookahead.patterns import patterns as win_patterns
from suzaku.lookahead.state import SEARCH
from suzaku.riichi.actions import ACTIONS
from suzaku.riichi.legal import fill_legal
from suzaku.riichi.visible import fill_unseen


@kernel
def encode_suphx(tables, patterns, s, p, lookahead, legal, work, q, out):
    """Set the 838 channels of what seat p, which is asked, sees; `work` is int8[3, 34]."""
    unseen = work[2]
    fill_unseen(s, p, unseen)
    fill_legal(tables, s, legal)
    encode_board(s, p, work, out)
    encode_situation(tables, s, p, legal, unseen, out)
    encode_safety(s, p, unseen, out)
    if (s.hand[p].sum()) % 3 == 2:
        encode_efficiency(
            tables, s.hand[p], s.key[p], s.melds[p], unseen, len(STEPS), KEEPS_TENPAI, KEEPS_SHANTEN, UKEIRE, out
        )
    if lookahead:
        encode_lookahead(tables, patterns, s, p, q, out)


@kernel
def _encode_many(tables, patterns, records, lookahead, q, out):
    legal = np.empty(ACTIONS, np.bool_)
    work = np.empty((3, 34), np.int8)
    for i in range(records.shape[0]):
        state = out[i, :SUPHX_CHANNELS]
        clear(state)
        encode_suphx(tables, patterns, records[i], records[i].seat, lookahead, legal, work, q, state)


@kernel
def _encode_sparse(records, tables, patterns, lookahead, q, bounds, constants):
    legal = np.empty(ACTIONS, np.bool_)
    work = np.empty((3, 34), np.int8)
    state = np.empty(LIST, np.uint32)
    cells = np.empty(USUAL * records.shape[0], np.uint32)
    for i in range(records.shape[0]):
        clear(state)
        encode_suphx(tables, patterns, records[i], records[i].seat, lookahead, legal, work, q, state)
        cells = append(state, i, cells, bounds, constants)
    return cells


def encode_many(records: np.ndarray, out: np.ndarray | None = None, lookahead: bool = True) -> np.ndarray:
    """The channels of the asked seat of many tables, uint8[n, 838, 34], into `out` if given.

    An `out` with more channels takes them in front; the others stay as they are.
    """
    out = batch(records, (SUPHX_CHANNELS, 34), out)
    _encode_many(hand_tables(), win_patterns(), records, lookahead, np.zeros(1, SEARCH)[0], out)
    return out


def encode_sparse(records: np.ndarray, lookahead: bool = True) -> SparsePlanes:
    """The same as cells."""
    check_asked(records)
    q = np.zeros(1, SEARCH)[0]
    return collect(SUPHX_CHANNELS, _encode_sparse, records, hand_tables(), win_patterns(), lookahead, q)
