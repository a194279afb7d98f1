"""Kernels of networks on a CPU: the first layer on sparse planes, and batch norms.

- Numbers in bfloat16 within kernels, which know them as uint16: the upper half of a float32.
- Suphx's first convolution on sparse planes: rows of weights are added up instead of multiplying zeros.
- Batch norm, the way around and ReLU in one, over rows of channels: float32[rows, channels], or bfloat16 as uint16.
"""

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

from suzaku.features.sparse import SparsePlanes
from suzaku.kernel import kernel

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


# A cell at kind u reaches the tiles u - 1, u and u + 1, with the weights of its channel for "the tile to the right",
# "here" and "to the left": in this order they are one row of 3 x filters, and a state's result is a row of tiles with
# one more at either end, so that a cell adds one stretch of numbers to another. A whole channel is the same at all
# tiles but the two at the ends, which have a neighbour less: it goes once into three sums.

TILES = 34
SCALE = np.float32(1 / 255)  # bytes become 0..1


def arrange(weight: np.ndarray) -> np.ndarray:
    """The weights of the convolution, float32[filters, channels, 1, 3], as rows: float32[channels, 3 * filters]."""
    rows = weight[:, :, 0, ::-1].transpose(1, 2, 0)
    return np.ascontiguousarray(rows, np.float32).reshape(len(rows), -1)


def arranged_back(rows: np.ndarray) -> np.ndarray:
    """The opposite of `arrange`."""
    filters = rows.shape[1] // 3
    return np.ascontiguousarray(rows.reshape(-1, 3, filters)[:, ::-1].transpose(2, 0, 1))[:, :, None]


def convolve(planes: SparsePlanes, rows: np.ndarray, out: np.ndarray, start: int, end: int) -> None:
    """Fill out[start:end], float32[n, 34, filters], with the convolution of these states."""
    _convolve(planes.cells, planes.bounds, planes.constants, rows.reshape(-1), start, end, out)


def add_gradient(planes: SparsePlanes, gradient: np.ndarray, rows: np.ndarray, start: int, end: int) -> None:
    """Add to `rows` the gradient of the weights from that of the results, float32[n, 34, filters], of these states."""
    _add_gradient(planes.cells, planes.bounds, planes.constants, gradient, start, end, rows.reshape(-1))


def convolve_and_norm(planes: SparsePlanes, rows: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """The first layer to play with, a batch norm folded into it, and its ReLU: float32[n, filters, 1, 34]."""
    out = np.empty((len(planes), len(bias), 1, TILES), np.float32)
    _convolve_and_norm(planes.cells, planes.bounds, planes.constants, rows.reshape(-1), bias, out)
    return out


# Rows are read from one flat list: a slice for each cell would cost as much as adding it.


@kernel(fastmath={"contract"})
def _sum_up(cells, first, constants, last, rows, sums, line):
    """Fill `line`, 36 tiles, with the results of one state: those of tile t stand at t + 1."""
    width = len(sums)
    filters = width // 3
    sums[:] = 0
    for j in range(first, first + constants):
        factor, row = np.float32(cells[j] & 255) * SCALE, np.int64(cells[j] >> 16) * width
        for k in range(width):
            sums[k] += factor * rows[row + k]
    for c in range(filters):
        right, here, left = sums[c], sums[filters + c], sums[2 * filters + c]
        sums[c] = right + here + left
        sums[filters + c] = right + here
        sums[2 * filters + c] = here + left
    for t in range(1, TILES - 1):
        line[(t + 1) * filters : (t + 2) * filters] = sums[:filters]
    line[filters : 2 * filters] = sums[filters : 2 * filters]  # nothing to the left of the first tile
    line[TILES * filters : (TILES + 1) * filters] = sums[2 * filters :]
    for j in range(first + constants, last):
        factor, row = np.float32(cells[j] & 255) * SCALE, np.int64(cells[j] >> 16) * width
        near = np.int64((cells[j] >> 8) & 255) * filters
        for k in range(width):
            line[near + k] += factor * rows[row + k]


@kernel
def _convolve(cells, bounds, constants, rows, start, end, out):
    filters = out.shape[2]
    sums = np.empty(3 * filters, np.float32)
    line = np.empty((TILES + 2) * filters, np.float32)
    for i in range(start, end):
        _sum_up(cells, bounds[i], constants[i], bounds[i + 1], rows, sums, line)
        out[i] = line[filters : (TILES + 1) * filters].reshape(TILES, filters)


@kernel
def _convolve_and_norm(cells, bounds, constants, rows, bias, out):
    filters = len(bias)
    sums = np.empty(3 * filters, np.float32)
    line = np.empty((TILES + 2) * filters, np.float32)
    for i in range(len(constants)):
        _sum_up(cells, bounds[i], constants[i], bounds[i + 1], rows, sums, line)
        for c in range(filters):
            for t in range(TILES):
                out[i, c, 0, t] = max(np.float32(0), line[(t + 1) * filters + c] + bias[c])


@kernel(fastmath={"contract"})
def _add_gradient(cells, bounds, constants, gradient, start, end, rows):
    filters = gradient.shape[2]
    width = 3 * filters
    sums = np.empty(width, np.float32)
    line = np.zeros((TILES + 2) * filters, np.float32)
    for i in range(start, end):
        sums[:] = 0
        for t in range(TILES):
            line[(t + 1) * filters : (t + 2) * filters] = gradient[i, t]
            for c in range(filters):
                sums[c] += gradient[i, t, c]
        for c in range(filters):  # as in `_sum_up`: to the right, here, to the left
            sums[filters + c] = sums[c]
            sums[2 * filters + c] = sums[c] - gradient[i, 0, c]
            sums[c] -= gradient[i, TILES - 1, c]
        first = bounds[i] + constants[i]
        for j in range(bounds[i], first):
            factor, row = np.float32(cells[j] & 255) * SCALE, np.int64(cells[j] >> 16) * width
            for k in range(width):
                rows[row + k] += factor * sums[k]
        for j in range(first, bounds[i + 1]):
            factor, row = np.float32(cells[j] & 255) * SCALE, np.int64(cells[j] >> 16) * width
            near = np.int64((cells[j] >> 8) & 255) * filters
            for k in range(width):
                rows[row + k] += factor * line[near + k]


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


def warm_up() -> None:
    """The first layer."""
    planes = SparsePlanes(np.zeros(1, np.uint32), np.array([0, 1]), np.ones(1, np.int32), 1)
    rows, out = np.zeros((1, 3), np.float32), np.zeros((1, TILES, 1), np.float32)
    convolve(planes, rows, out, 0, 1)
    convolve_and_norm(planes, rows, np.zeros(1, np.float32))
