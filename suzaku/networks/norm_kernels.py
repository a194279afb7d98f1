"""Batch norm, the way around and ReLU in one, over rows of channels: float32[rows, channels], or bfloat16 as uint16."""

import numpy as np

from suzaku.kernel import kernel
from suzaku.networks.bfloat16_bits import narrowed, widened

BLOCK = 32  # rows added up in single precision before they go into the sums


@kernel(fastmath={"contract"})
def add_up(x, start, end, sums):
    """Add the sums and the sums of squares of these rows to sums[2, channels]."""
    channels = x.shape[1]
    part = np.empty((2, channels), np.float32)
    for first in range(start, end, BLOCK):
        part[:] = 0
        for i in range(first, min(end, first + BLOCK)):
            row = x[i]
            for c in range(channels):
                value = widened(row[c])
                part[0, c] += value
                part[1, c] += value * value
        for c in range(channels):
            sums[0, c] += part[0, c]
            sums[1, c] += part[1, c]


@kernel(fastmath={"contract"})
def norm_and_cut(x, around, factor, shift, start, end, out):
    """Fill these rows of `out` with max(0, x * factor + shift + around); `around` may have no rows."""
    channels = x.shape[1]
    for i in range(start, end):
        row, to = x[i], out[i]
        if len(around):
            beside = around[i]
            for c in range(channels):
                value = widened(row[c]) * factor[c] + shift[c] + widened(beside[c])
                to[c] = narrowed(max(np.float32(0), value), to[c])
        else:
            for c in range(channels):
                to[c] = narrowed(max(np.float32(0), widened(row[c]) * factor[c] + shift[c]), to[c])


@kernel(fastmath={"contract"})
def cut_gradient(x, y, gradient, mean, start, end, sums, out):
    """Fill these rows of `out` with the gradient where y is above zero; add it, and it times x - mean, to the sums."""
    channels = x.shape[1]
    part = np.empty((2, channels), np.float32)
    for first in range(start, end, BLOCK):
        part[:] = 0
        for i in range(first, min(end, first + BLOCK)):
            row, result, given, to = x[i], y[i], gradient[i], out[i]
            for c in range(channels):
                g = widened(given[c]) if widened(result[c]) > 0 else np.float32(0)
                to[c] = narrowed(g, to[c])
                part[0, c] += g
                part[1, c] += g * (widened(row[c]) - mean[c])
        for c in range(channels):
            sums[0, c] += part[0, c]
            sums[1, c] += part[1, c]


@kernel(fastmath={"contract"})
def norm_gradient(x, gradient, factor, slope, shift, start, end, out):
    """Fill these rows of `out` with gradient * factor + x * slope + shift."""
    for i in range(start, end):
        row, given, to = x[i], gradient[i], out[i]
        for c in range(x.shape[1]):
            to[c] = narrowed(widened(given[c]) * factor[c] + widened(row[c]) * slope[c] + shift[c], to[c])
