"""Kernels that shuffle tiles."""

import numpy as np

from suzaku.kernel import kernel
from suzaku.seeds import GOLDEN, below, mix


@kernel
def wall_bits(s):
    """The random state that a deal's wall is shuffled with: it depends on seed, game and deal alone."""
    return mix(mix(mix(s.seed + GOLDEN) ^ np.uint64(s.game)) ^ np.uint64(s.deal))


@kernel
def shuffle(tiles, n, x):
    """Shuffle the first n tiles of an array from a random state; the new state."""
    for i in range(n - 1, 0, -1):
        x += GOLDEN
        j = below(mix(x), i + 1)
        tile = tiles[i]
        tiles[i] = tiles[j]
        tiles[j] = tile
    return x
