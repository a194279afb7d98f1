"""The perfect features for oracle guiding: what a seat cannot see, apart from what it can, so as to be masked."""

import numpy as np

from suzaku.features.channels import ON, ORACLE, ORACLE_CHANNELS, WALL_AHEAD, first
from suzaku.features.planes import batch, check_asked, clear, put, set_all, set_mask, stack, stack_counts
from suzaku.features.sparse import LIST, USUAL, SparsePlanes, append, collect
from suzaku.kernel import kernel
from suzaku.riichi.claims import is_furiten
from suzaku.riichi.state import INDICATORS, REPLACEMENTS, URA_INDICATORS
from suzaku.tiles import DORA_OF, KIND_OF

HANDS, REDS, SHANTEN = first(ORACLE, "other_hands"), first(ORACLE, "other_red"), first(ORACLE, "other_shanten")
WAITS, FURITEN, AHEAD = first(ORACLE, "other_waits"), first(ORACLE, "other_furiten"), first(ORACLE, "wall")
SPARE, COMING = first(ORACLE, "replacements"), first(ORACLE, "next_indicators")
URA, URA_DORA = first(ORACLE, "ura"), first(ORACLE, "ura_dora")


@kernel
def encode_oracle(s, p, counts, out):
    """Set the 93 channels of what seat p cannot see. `counts` is int8[2, 34]."""
    for i in range(3):
        q = (p + 1 + i) & 3
        stack_counts(out, HANDS + 4 * i, s.hand[q])
        for suit in range(3):
            if s.red[q, suit] > 0:
                put(out, REDS + i, 9 * suit + 4, ON)
        set_all(out, SHANTEN + 8 * i + min(6, s.shanten[q]) + 1)
        set_mask(out, WAITS + i, s.waits[q])
        if is_furiten(s, q):
            set_all(out, FURITEN + i)
    for i in range(min(WALL_AHEAD, s.left)):
        put(out, AHEAD + i, KIND_OF[s.wall[s.next - i]], ON)
    for i in range(s.kongs, 4):
        put(out, SPARE + i - s.kongs, KIND_OF[s.wall[REPLACEMENTS[i]]], ON)
    for i in range(s.indicators, 5):
        put(out, COMING + i - s.indicators, KIND_OF[s.wall[INDICATORS[i]]], ON)
    counts[:] = 0
    for i in range(s.indicators):
        tile = s.wall[URA_INDICATORS[i]]
        stack(out, URA, KIND_OF[tile], counts[0])
        stack(out, URA_DORA, DORA_OF[tile], counts[1])


@kernel
def encode_behind(records, visible, out):
    """What the asked seats cannot see, behind the channels of what they can."""
    counts = np.empty((2, 34), np.int8)
    for i in range(records.shape[0]):
        state = out[i, visible : visible + ORACLE_CHANNELS]
        clear(state)
        encode_oracle(records[i], records[i].seat, counts, state)


@kernel
def _encode_sparse(records, bounds, constants):
    counts = np.empty((2, 34), np.int8)
    state = np.empty(LIST, np.uint32)
    cells = np.empty(USUAL * records.shape[0], np.uint32)
    for i in range(records.shape[0]):
        clear(state)
        encode_oracle(records[i], records[i].seat, counts, state)
        cells = append(state, i, cells, bounds, constants)
    return cells


def encode_many(records: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """What the asked seats of many tables cannot see, uint8[n, 93, 34], into `out` if given."""
    out = batch(records, (ORACLE_CHANNELS, 34), out)
    encode_behind(records, 0, out)
    return out


def encode_sparse(records: np.ndarray) -> SparsePlanes:
    """The same as cells."""
    check_asked(records)
    return collect(ORACLE_CHANNELS, _encode_sparse, records)
