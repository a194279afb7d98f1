"""Shanten over all shapes of MCR, and which tiles a hand waits for.

- Shanten over all shapes of MCR: melds and a pair, seven pairs, thirteen orphans, and knitted tiles.
- Which tiles a hand waits for by its shape, as the fans of waits see it: four melds and a pair, or seven pairs.
"""

import numpy as np

from suzaku.hand.shanten import FAR, fill_keys, shanten_parts
from suzaku.hand.tables import POW5, popcount
from suzaku.kernel import kernel
from suzaku.mcr.set_fans import KNITTED
from suzaku.tiles import HONOURS


@kernel
def _knitted_shanten(tables, kinds, keys, melds):
    """Shanten towards honours and knitted tiles, and towards a knitted straight beside a set and a pair."""
    scattered = straight = FAR
    honours = popcount(kinds & HONOURS)
    for way in range(6):
        held = kinds & KNITTED[way]
        n = popcount(held)
        if melds == 0:
            scattered = min(scattered, 13 - honours - n)
        if melds > 1:
            continue
        k0, k1, k2 = keys[0], keys[1], keys[2]
        rest = held
        while rest != 0:
            low = rest & -rest
            rest ^= low
            kind = popcount(low - 1)
            if kind < 9:
                k0 -= POW5[kind]
            elif kind < 18:
                k1 -= POW5[kind - 9]
            else:
                k2 -= POW5[kind - 18]
        normal, _, _ = shanten_parts(tables, k0, k1, k2, keys[3], melds + 3)
        straight = min(straight, 9 - n + normal)
    return scattered, straight


@kernel
def all_shanten(tables, counts, melds):
    """Shanten of each shape: melds and a pair, seven pairs, thirteen orphans, honours and knitted, knitted straight."""
    keys = np.empty(4, np.int64)
    fill_keys(counts, keys)
    normal, pairs, orphans = shanten_parts(tables, keys[0], keys[1], keys[2], keys[3], melds)
    if melds == 0:  # four alike are two pairs here
        pairs = 6
        for kind in range(34):
            pairs -= counts[kind] // 2
    scattered = straight = FAR
    if melds <= 1:
        kinds = 0
        for kind in range(34):
            kinds |= (counts[kind] != 0) << kind
        scattered, straight = _knitted_shanten(tables, kinds, keys, melds)
    return normal, pairs, orphans, scattered, straight


@kernel
def shanten(tables, counts, melds):
    """The smallest of them; -1 for a complete hand."""
    normal, pairs, orphans, scattered, straight = all_shanten(tables, counts, melds)
    return min(normal, pairs, orphans, scattered, straight)


@kernel
def shanten_many(tables, counts, melds, out):
    """Shanten of many hands: counts[n, 34], melds[n] -> out[n]."""
    for i in range(counts.shape[0]):
        out[i] = shanten(tables, counts[i], melds[i])


@kernel
def waits_mask(tables, counts, melds):
    """Bit mask of the kinds that complete a ready hand; a kind of which the hand itself holds four is none."""
    found = 0
    held = counts.copy()
    for kind in range(34):
        if held[kind] < 4:
            held[kind] += 1
            if shanten(tables, held, melds) < 0:
                found |= 1 << kind
            held[kind] -= 1
    return found


@kernel
def honours_state(key):
    """0 if the honours of a key are triplets, 1 if there is a pair too, else -1."""
    paired = 0
    while key != 0:
        n = key % 5
        if n == 2 and paired == 0:
            paired = 1
        elif n != 0 and n != 3:
            return -1
        key //= 5
    return paired


@kernel
def _is_complete(tables, suit, key):
    """Whether the tiles of a suit are melds, or melds and a pair."""
    if suit == 3:
        return honours_state(key) >= 0
    return tables.reading_of[key] != 0


@kernel
def _takes_fifth(tables, key, i):
    """Whether a suit with four tiles of a number would be complete with a fifth: a set with it is taken out first."""
    step = np.int64(POW5[i])
    if tables.reading_of[key - 2 * step] != 0 or tables.reading_of[key - step] != 0:  # a triplet, the pair
        return True
    for first in range(max(0, i - 2), min(i, 6) + 1):
        has_run = True
        run = np.int64(0)
        for j in range(first, first + 3):
            if j != i:
                has_run &= key // POW5[j] % 5 > 0
                run += POW5[j]
        if has_run and tables.reading_of[key - run] != 0:
            return True
    return False


@kernel
def _takes_other(tables, suit, key, win):
    """Whether a suit is complete with another kind than `win`."""
    for i in range(9 if suit < 3 else 7):
        if 9 * suit + i == win:
            continue
        if key // POW5[i] % 5 < 4:
            if _is_complete(tables, suit, key + POW5[i]):
                return True
        elif suit < 3 and _takes_fifth(tables, key, i):
            return True
    return False


@kernel
def waits_elsewhere(tables, key, sizes, win):
    """Whether another kind than `win` would complete the melds and the pair too; kinds that are used up count.

    `key` and `sizes` are those of the complete hand. Without the winning tile, only its own suit can take one, or, if
    the rest of that suit is complete with a pair, the suit that holds the pair now.
    """
    suit = win // 9
    rest = key[suit] - POW5[win % 9]
    if _takes_other(tables, suit, rest, win):
        return True
    if sizes[suit] % 3 == 0 and _is_complete(tables, suit, rest):
        for other in range(4):
            if sizes[other] % 3 == 2 and _takes_other(tables, other, key[other], win):
                return True
    return False


@kernel
def waits_for_pair(kinds_odd, win):
    """Whether 13 tiles are six pairs and one that is not `win`; the mask is of the kinds held an odd number."""
    return kinds_odd & kinds_odd - 1 == 0 and kinds_odd != 1 << win
