"""The channels of efficiency and safety, indexed by discard."""

import numpy as np

from suzaku.features.groups import ON, SUPHX, UKEIRE_STEPS, first
from suzaku.features.planes import put, set_mask
from suzaku.hand.shanten import FAR, shanten_keys
from suzaku.hand.tables import POW5
from suzaku.kernel import kernel
from suzaku.lookahead.safety import suji, walls
from suzaku.lookahead.ukeire import fill_accepts

KEEPS_TENPAI, KEEPS_SHANTEN, UKEIRE = (first(SUPHX, name) for name in ("keeps_tenpai", "keeps_shanten", "ukeire"))
SUJI, NO_CHANCE, ONE_CHANCE = first(SUPHX, "suji"), first(SUPHX, "no_chance"), first(SUPHX, "one_chance")
STEPS = np.array(UKEIRE_STEPS, np.int64)


@kernel
def encode_efficiency(tables, hand, keys, melds, unseen, steps, keeps_tenpai, keeps_shanten, ukeire, out):
    """For a hand of 3n+2 tiles: which discards keep it nearest to a win, and what brings it nearer afterwards."""
    left = hand.copy()
    key = keys.copy()
    after = np.empty(34, np.int64)
    best = FAR
    for kind in range(34):
        after[kind] = FAR
        if hand[kind] > 0:
            key[kind // 9] -= POW5[kind % 9]
            after[kind] = shanten_keys(tables, key[0], key[1], key[2], key[3], melds)
            key[kind // 9] += POW5[kind % 9]
            best = min(best, after[kind])
    for kind in range(34):
        if hand[kind] == 0 or after[kind] > best:
            continue
        put(out, keeps_shanten, kind, ON)
        if best <= 0 and keeps_tenpai >= 0:
            put(out, keeps_tenpai, kind, ON)
        left[kind] -= 1
        key[kind // 9] -= POW5[kind % 9]
        _, _, tiles = fill_accepts(tables, left, key, melds, unseen)
        left[kind] += 1
        key[kind // 9] += POW5[kind % 9]
        for i in range(steps):
            if tiles >= STEPS[i]:
                put(out, ukeire + i, kind, ON)


@kernel
def encode_safety(s, p, unseen, out):
    """Set which kinds no two-sided wait, or hardly one, can be for."""
    for i in range(1, 4):
        set_mask(out, SUJI + i - 1, suji(s.discarded[(p + i) & 3]))
    no_chance, one_chance = walls(unseen)
    set_mask(out, NO_CHANCE, no_chance)
    set_mask(out, ONE_CHANCE, one_chance)
