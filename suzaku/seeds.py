"""Seeds and random bits, for walls and for whatever else is drawn in a kernel."""

import numpy as np

from suzaku.kernel import kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
U27, U30, U31, U32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


def read_seed(seed: np.random.Generator | int) -> np.uint64:
    """The 64 bits of a seed, or fresh ones from a generator."""
    if isinstance(seed, np.random.Generator):
        return seed.integers(2**64, dtype=np.uint64)
    if not hasattr(seed, "__index__") or not 0 <= seed < 2**64:
        raise ValueError(f"seed must be a whole number of 0 or more and below 2**64, not {seed!r}")
    return np.uint64(seed)


@kernel
def mix(x):
    """Scramble 64 bits (the finalizer of SplitMix64)."""
    x = (x ^ (x >> U30)) * MIX_1
    x = (x ^ (x >> U27)) * MIX_2
    return x ^ (x >> U31)


@kernel
def below(x, n):
    """A number below n from 64 random bits."""
    return np.int64(((x >> U32) * np.uint64(n)) >> U32)
