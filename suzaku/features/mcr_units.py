"""The MCR paper's encoder (3.1): units of 34 kinds, with the best division of a hand.

- The best division of a hand: four sets and a pair that it is nearest to, as the paper's units tell them.
- The paper's encoder (3.1): units of 34 kinds, which the network takes for the channels.
"""

import numpy as np

from suzaku.features.channels import ON, first, size
from suzaku.features.mcr_sets import OFFER, UNITS
from suzaku.features.planes import batch, clear, put, set_all, set_mask, stack, stack_counts
from suzaku.hand.shanten import fill_keys, shanten_parts
from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.mcr.plans import SET_TILES, SETS
from suzaku.mcr.redraw import count_seen
from suzaku.mcr.shanten import shanten, waits_mask
from suzaku.mcr.state import CHOW, CLAIM, CLOSED_KONG, PONG, ROB, STATE

GROUPS = 5  # four sets and a pair


@kernel
def _short_of(tables, hand, keys, melds):
    """Tiles that a hand is short of the sets and the pair that are to be found beside `melds` sets."""
    fill_keys(hand, keys)
    return shanten_parts(tables, keys[0], keys[1], keys[2], keys[3], melds)[0] + 1


@kernel
def _use(hand, used, tiles, held, missing):
    """Take the tiles of a group from the hand, as far as it holds them. Returns how many it lacks, 9 for none."""
    lack = 0
    for i in range(len(tiles)):
        kind = tiles[i]
        used[kind] += 1
        if hand[kind] > 0:
            hand[kind] -= 1
            held[kind] += 1
        else:
            missing[kind] += 1
            lack += 1
        if used[kind] > 4:
            lack = 9
    return lack


@kernel
def _give_back(hand, used, tiles, held, missing):
    for i in range(len(tiles)):
        kind = tiles[len(tiles) - 1 - i]
        used[kind] -= 1
        if missing[kind] > 0:
            missing[kind] -= 1
        else:
            held[kind] -= 1
            hand[kind] += 1


@kernel
def _melds(s, p, used, held):
    """The groups of the melds."""
    for i in range(s.melds[p]):
        low = np.int64(s.meld_kind[p, i])
        for j in range(3):
            kind = low + j if s.meld_type[p, i] == CHOW else low
            held[i, kind] += 1
            used[kind] += 1
        if s.meld_type[p, i] > 1:
            used[low] += 1


@kernel
def best_division(tables, s, p, held, missing):
    """Fill uint8[5, 34] each: the tiles held and missing of four sets, melds first, and the pair. Returns tiles short.

    Sets are taken one after the other, those that lack least first, each so that the rest is as near as it can be.
    """
    held[:] = 0
    missing[:] = 0
    hand = s.hand[p].copy()
    used = np.zeros(34, np.int64)
    keys = np.empty(4, np.int64)
    pair = np.empty(2, np.int64)
    _melds(s, p, used, held)
    melds = np.int64(s.melds[p])
    left = _short_of(tables, hand, keys, melds)
    total = left
    while melds < 4:
        found = -1
        for wanted in range(4):
            for chosen in range(SETS):
                tiles = SET_TILES[chosen]
                lack = _use(hand, used, tiles, held[melds], missing[melds])
                if lack == wanted and lack + _short_of(tables, hand, keys, melds + 1) == left:
                    found = chosen
                    break
                _give_back(hand, used, tiles, held[melds], missing[melds])
            if found >= 0:
                left -= wanted
                break
        if found < 0:  # only a fifth tile of a kind would do
            return total
        melds += 1
    for wanted in range(3):
        for kind in range(34):
            pair[:] = kind
            if _use(hand, used, pair, held[4], missing[4]) == wanted:
                return total
            _give_back(hand, used, pair, held[4], missing[4])
    return total


HAND, OWN_MELDS, UNSEEN = first(UNITS, "hand"), first(UNITS, "own_melds"), first(UNITS, "unseen")
WINDS, DRAWN = first(UNITS, "winds"), first(UNITS, "drawn")
WAITS, READY = first(UNITS, "waits"), first(UNITS, "ready")
DIVISION, MISSING = first(UNITS, "division"), first(UNITS, "division_missing")
OTHER_MELDS, OTHER_DISCARDS = first(UNITS, "other_melds"), first(UNITS, "other_discards")
OWN_DISCARDS = first(UNITS, "own_discards")
THIRD = ON // 3
EAST = 27


@kernel
def stack_melds(s, q, own, unit, counts, out):
    """Tiles in the melds of seat q. Closed kongs that are not its observer's `own` are hidden."""
    counts[:] = 0
    for i in range(s.melds[q]):
        low, type_ = np.int64(s.meld_kind[q, i]), s.meld_type[q, i]
        if type_ == CHOW:
            for kind in range(low, low + 3):
                stack(out, unit, kind, counts)
        elif own or type_ != CLOSED_KONG:
            for _ in range(3 if type_ == PONG else 4):
                stack(out, unit, low, counts)


@kernel
def stack_discards(s, q, unit, counts, out):
    """What seat q has discarded."""
    counts[:] = 0
    for i in range(s.river_size[q]):
        stack(out, unit, np.int64(s.river[q, i]), counts)


@kernel
def stack_unseen(s, p, unit, seen, out):
    """Tiles that seat p does not see. `seen` is uint8[34]."""
    count_seen(s, p, seen)
    for kind in range(34):
        for i in range(4 - min(4, seen[kind])):
            put(out, unit + i, kind, ON)


@kernel
def _basic(s, p, counts, seen, out):
    """The first 15."""
    stack_counts(out, HAND, s.hand[p])
    stack_melds(s, p, True, OWN_MELDS, counts, out)
    stack_unseen(s, p, UNSEEN, seen, out)
    put(out, WINDS, EAST + s.wind, ON)
    put(out, WINDS + 1, EAST + ((p - s.dealer) & 3), ON)
    if s.turn == p and s.drawn >= 0:
        put(out, DRAWN, np.int64(s.drawn), ON)


@kernel
def _division(tables, s, p, held, missing, out):
    best_division(tables, s, p, held, missing)
    for i in range(GROUPS):
        for kind in range(34):
            if held[i, kind] > 0:
                put(out, DIVISION + i, kind, THIRD * held[i, kind])
            if missing[i, kind] > 0:
                put(out, MISSING + i, kind, THIRD * missing[i, kind])


@kernel
def encode_units(tables, s, p, units, counts, seen, held, missing, out):
    """Set the first units of what seat p sees. Of a claim, the tile offered is in the unit behind them."""
    _basic(s, p, counts, seen, out)
    if units > WAITS and shanten(tables, s.hand[p], s.melds[p]) <= 0:
        set_mask(out, WAITS, np.uint64(waits_mask(tables, s.hand[p], s.melds[p])))
        set_all(out, READY)
    if units > DIVISION:
        _division(tables, s, p, held, missing, out)
    if units > OTHER_MELDS:
        for i in range(3):
            q = (p + 1 + i) & 3
            stack_melds(s, q, False, OTHER_MELDS + 4 * i, counts, out)
            stack_discards(s, q, OTHER_DISCARDS + 4 * i, counts, out)
        stack_discards(s, p, OWN_DISCARDS, counts, out)
    if out.shape[0] > units and (s.phase == CLAIM or s.phase == ROB):
        put(out, units, np.int64(s.offer), ON)


@kernel
def _encode_many(tables, records, units, out):
    counts, seen = np.empty(34, np.int8), np.empty(34, np.uint8)
    held, missing = np.empty((GROUPS, 34), np.uint8), np.empty((GROUPS, 34), np.uint8)
    for i in range(records.shape[0]):
        clear(out[i])
        encode_units(tables, records[i], records[i].seat, units, counts, seen, held, missing, out[i])


def encode_many(
    records: np.ndarray, out: np.ndarray | None = None, units: int = size(UNITS), offer: bool = False
) -> np.ndarray:
    """The units of the asked seat of many tables, uint8[n, units, 34], into `out` if given. `offer` adds the last."""
    wanted = units + (size(OFFER) if offer else 0)
    out = batch(records, (wanted, 34), out)
    _encode_many(hand_tables(), records, units, out[:, :wanted])
    return out


def warm_up() -> None:
    """What the first networks of MCR see."""
    encode_many(np.zeros(0, STATE))
