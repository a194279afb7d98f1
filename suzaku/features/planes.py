"""Small kernels that set channels; `out` is one state's uint8[channels, 34]."""

import numpy as np

from suzaku.features.groups import ON
from suzaku.kernel import kernel
from suzaku.riichi.hands import has


@kernel
def set_all(out, channel):
    """All ones."""
    for kind in range(34):
        out[channel, kind] = ON


@kernel
def set_steps(out, channel, steps):
    """All ones in the first `steps` channels."""
    for i in range(steps):
        set_all(out, channel + i)


@kernel
def set_mask(out, channel, mask):
    """Ones at the kinds of a mask."""
    for kind in range(34):
        if has(mask, kind):
            out[channel, kind] = ON


@kernel
def stack(out, channel, kind):
    """One more tile of a kind in four stacked channels; a fifth is not counted."""
    for i in range(4):
        if out[channel + i, kind] == 0:
            out[channel + i, kind] = ON
            return


@kernel
def stack_counts(out, channel, counts):
    """Stack counts of all kinds in four channels."""
    for kind in range(34):
        for i in range(min(4, counts[kind])):
            out[channel + i, kind] = ON


def batch(records: np.ndarray, shape: tuple[int, ...], out: np.ndarray | None) -> np.ndarray:
    """The array for the channels of many tables: `out` if it has room for them in front, or else a new one."""
    if len(records) and records["seat"].min() < 0:
        raise ValueError("a table that asks nobody has nothing to encode")
    if out is None:
        return np.empty((len(records), *shape), np.uint8)
    wide = out.ndim == len(shape) + 1 and out.shape[1] >= shape[0] and out.shape[2:] == shape[1:]
    if not wide or out.dtype != np.uint8 or len(out) < len(records):
        wanted = ", ".join(map(str, (len(records), *shape)))
        raise ValueError(f"out must be uint8[{wanted}] or have more channels, not {out.dtype}{list(out.shape)}")
    return out


@kernel
def fraction(x):
    """A number of 0..1 as a byte; what is above zero stays so."""
    return np.uint8(min(ON, max(1, int(x * ON + 0.5)))) if x > 0 else np.uint8(0)
