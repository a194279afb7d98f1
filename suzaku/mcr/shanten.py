"""Shanten over all shapes of MCR: melds and a pair, seven pairs, thirteen orphans, and knitted tiles."""

import numpy as np

from suzaku.hand.masks import popcount
from suzaku.hand.shanten import FAR, fill_keys, shanten_parts
from suzaku.hand.tables import POW5
from suzaku.kernel import kernel
from suzaku.mcr.knitted import KNITTED
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
