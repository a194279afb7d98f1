"""Which tiles a hand waits for by its shape, as the fans of waits see it: four melds and a pair, or seven pairs."""

import numpy as np

from suzaku.hand.tables import POW5
from suzaku.kernel import kernel


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
