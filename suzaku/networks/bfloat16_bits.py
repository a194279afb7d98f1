"""Numbers in bfloat16 within kernels, which know them as uint16: the upper half of a float32."""

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

HALF = np.uint32(16)


def widened(x: Any) -> Any:
    """A bfloat16 as float32; a float32 as it is."""
    return x if isinstance(x, np.float32) else np.uint32(np.uint32(x) << HALF).view(np.float32)


def narrowed(x: Any, like: Any) -> Any:
    """A float32 rounded to the nearest bfloat16, halves to even, where `like` is one; else as it is."""
    if isinstance(like, np.float32):
        return x
    bits = int(np.float32(x).view(np.uint32))
    return np.uint16((bits + 0x7FFF + (bits >> 16 & 1)) >> 16 & 0xFFFF)


@overload(widened, inline="always")
def _widened(x):
    if isinstance(x, types.Float):
        return lambda x: x
    return lambda x: np.uint32(np.uint32(x) << HALF).view(np.float32)


@overload(narrowed, inline="always")
def _narrowed(x, like):
    if isinstance(like, types.Float):
        return lambda x, like: x

    def rounded(x, like):
        bits = np.float32(x).view(np.uint32)
        return np.uint16((bits + np.uint32(0x7FFF) + ((bits >> HALF) & np.uint32(1))) >> HALF)

    return rounded
