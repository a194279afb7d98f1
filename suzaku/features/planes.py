"""Small kernels that set channels, in dense planes or in a sparse list: the encoders are one source for both.

`out` is one state's uint8[channels, 34], or its list, uint32[...] (`sparse.py`). Which one is known when a kernel is
compiled, so nothing is asked when it runs. A list cannot be read back: a cell is to be set once.
"""

import numpy as np

from suzaku.features.channels import ON
from suzaku.kernel import kernel

EVERY = 34  # in the place of a kind: all of them
CELLS = 2  # where the cells of a list begin; before them stand the ends of cells and constants


@kernel
def clear(out):
    """Nothing set yet."""
    if out.ndim == 2:
        out[:] = 0
    else:
        out[0] = CELLS
        out[1] = len(out)


@kernel
def put(out, channel, kind, value):
    """Set one cell."""
    if out.ndim == 2:
        out[channel, kind] = value
    elif value != 0:
        at = out[0]
        out[at] = channel << 16 | kind << 8 | value
        out[0] = at + 1


@kernel
def fill(out, channel, value):
    """Set a whole channel."""
    if out.ndim == 2:
        for kind in range(34):
            out[channel, kind] = value
    elif value != 0:
        at = out[1] - 1
        out[at] = channel << 16 | value
        out[1] = at


@kernel
def set_at(out, channel, kind, value):
    """Set a cell, or the channel if it is for every kind."""
    if kind == EVERY:
        fill(out, channel, value)
    else:
        put(out, channel, kind, value)


@kernel
def set_all(out, channel):
    """All ones."""
    fill(out, channel, ON)


@kernel
def set_steps(out, channel, steps):
    """All ones in the first `steps` channels."""
    for i in range(steps):
        fill(out, channel + i, ON)


@kernel
def set_mask(out, channel, mask):
    """Ones at the kinds of a mask."""
    kind = 0
    while mask != 0:
        if mask & np.uint64(1) != 0:
            put(out, channel, kind, ON)
        mask >>= np.uint64(1)
        kind += 1


@kernel
def stack(out, channel, kind, counts):
    """One more tile of a kind in four stacked channels, beside the `counts` there are. A fifth is not counted."""
    if counts[kind] < 4:
        put(out, channel + counts[kind], kind, ON)
        counts[kind] += 1


@kernel
def stack_counts(out, channel, counts):
    """Stack counts of all kinds in four channels."""
    for kind in range(34):
        for i in range(min(4, counts[kind])):
            put(out, channel + i, kind, ON)


def check_asked(records: np.ndarray) -> None:
    """Refuse tables that ask nobody."""
    if len(records) and records["seat"].min() < 0:
        raise ValueError("a table that asks nobody has nothing to encode")


def batch(records: np.ndarray, shape: tuple[int, ...], out: np.ndarray | None) -> np.ndarray:
    """The array for the channels of many tables: `out` if it has room for them in front, or else a new one."""
    check_asked(records)
    if out is None:
        return np.empty((len(records), *shape), np.uint8)
    wide = out.ndim == len(shape) + 1 and out.shape[1] >= shape[0] and out.shape[2:] == shape[1:]
    if not wide or out.dtype != np.uint8 or len(out) < len(records):
        wanted = ", ".join(map(str, (len(records), *shape)))
        raise ValueError(f"out must be uint8[{wanted}] or have more channels, not {out.dtype}{list(out.shape)}")
    return out


@kernel
def fraction(x):
    """A number of 0..1 as a byte. A number above zero stays so."""
    return np.uint8(min(ON, max(1, int(x * ON + 0.5)))) if x > 0 else np.uint8(0)
