"""The best division of a hand: four sets and a pair that it is nearest to, as the paper's units tell them."""

import numpy as np

from suzaku.hand.shanten import fill_keys, shanten_parts
from suzaku.kernel import kernel
from suzaku.mcr.lookahead.plans import SET_TILES, SETS
from suzaku.mcr.melds import CHOW

GROUPS = 5  # four sets and a pair


@kernel
def _short_of(tables, hand, keys, melds):
    """Tiles that a hand is short of the sets and the pair that are to be found beside `melds` sets."""
    fill_keys(hand, keys)
    return shanten_parts(tables, keys[0], keys[1], keys[2], keys[3], melds)[0] + 1


@kernel
def _use(hand, used, tiles, held, missing):
    """Take the tiles of a group from the hand, as far as it holds them; how many it lacks, 9 if there are no such."""
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
    """Fill uint8[5, 34] each: the tiles held and missing of four sets, melds first, and of the pair; tiles short.

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
