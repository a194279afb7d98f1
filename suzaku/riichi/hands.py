"""Kernels that move tiles in and out of a hand and keep what is known of it up to date."""

import numpy as np

from suzaku.hand.shanten import shanten_keys, waits_keys
from suzaku.hand.tables import POW5
from suzaku.kernel import kernel
from suzaku.riichi.state import CHOW, PONG
from suzaku.tiles import KIND_OF, RED

ONE = np.uint64(1)


@kernel
def bit(kind):
    """The mask of one kind."""
    return ONE << np.uint64(kind)


@kernel
def has(mask, kind):
    """Whether a mask of kinds holds this kind."""
    return (mask >> np.uint64(kind)) & ONE != 0


@kernel
def add_tile(s, p, tile):
    """Put a tile into the concealed hand of seat p."""
    kind = KIND_OF[tile]
    s.hand[p, kind] += 1
    s.key[p, kind // 9] += POW5[kind % 9]
    if tile >= RED:
        s.red[p, tile - RED] += 1


@kernel
def remove_tile(s, p, tile):
    """Take a tile out of the concealed hand of seat p."""
    kind = KIND_OF[tile]
    s.hand[p, kind] -= 1
    s.key[p, kind // 9] -= POW5[kind % 9]
    if tile >= RED:
        s.red[p, tile - RED] -= 1


@kernel
def in_melds(s, p, kind):
    """How many tiles of a kind the melds of seat p hold."""
    n = 0
    for i in range(s.melds[p]):
        first = s.meld_tile[p, i]
        if s.meld_type[p, i] == CHOW:
            if first <= kind <= first + 2:
                n += 1
        elif first == kind:
            n += 3 if s.meld_type[p, i] == PONG else 4
    return n


@kernel
def refresh(tables, s, p):
    """Work out shanten and waits of seat p anew; its hand must hold no drawn tile.

    A kind of which the concealed tiles hold all four is no wait. One that the own melds use up still is: Tenhou counts
    such a hand as tenpai.
    """
    s.shanten[p] = shanten_keys(tables, s.key[p, 0], s.key[p, 1], s.key[p, 2], s.key[p, 3], s.melds[p])
    s.waits[p] = waits_keys(tables, s.hand[p], s.key[p], s.melds[p]) if s.shanten[p] == 0 else np.uint64(0)
