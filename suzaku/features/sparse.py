"""Planes as the cells that are not zero: of 838 x 34 some 380, and 110 channels that are the same at all kinds.

A cell is packed into 32 bits: channel << 16 | kind << 8 | value. A whole channel has no kind. While a state is encoded
its cells grow from the front of one list and its whole channels from the back (`planes.py`). `append` then puts them
behind those of the states before.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suzaku.features.planes import CELLS
from suzaku.features.symmetry import TILE_MAPS
from suzaku.kernel import kernel

LIST = 1 << 15  # room for one state: more than 958 x 34
USUAL = 640  # cells of a state; where more are needed, the room doubles


@dataclass(frozen=True)
class SparsePlanes:
    """The cells of many states, one state behind the other. Each state's whole channels come first."""

    cells: np.ndarray  # uint32
    bounds: np.ndarray  # int64[n + 1]: where each state begins, and the end
    constants: np.ndarray  # int32[n]: how many of its cells are whole channels
    channels: int

    def __len__(self) -> int:
        return len(self.constants)

    @property
    def shape(self) -> tuple[int, int, int]:
        """That of the dense planes."""
        return len(self), self.channels, 34

    def __getitem__(self, rows: slice | np.ndarray | np.bool_) -> "SparsePlanes":
        """Some of the states, by a slice, a mask or their numbers."""
        chosen = np.arange(len(self))[rows]
        bounds = np.zeros(len(chosen) + 1, np.int64)
        np.cumsum((self.bounds[1:] - self.bounds[:-1])[chosen], out=bounds[1:])
        cells = np.empty(bounds[-1], np.uint32)
        _copy(self.cells, self.bounds, chosen, bounds, cells)
        return SparsePlanes(cells, bounds, self.constants[chosen], self.channels)

    def before(self, other: "SparsePlanes") -> "SparsePlanes":
        """The same states with the channels of another behind the own."""
        bounds, constants = np.zeros(len(self) + 1, np.int64), np.zeros(len(self), np.int32)
        cells = _join(
            self.cells,
            self.bounds,
            self.constants,
            other.cells,
            other.bounds,
            other.constants,
            self.channels,
            bounds,
            constants,
        )
        return SparsePlanes(cells, bounds, constants, self.channels + other.channels)

    def first(self, channels: int) -> "SparsePlanes":
        """The same states with so many channels, the first ones, alone."""
        if channels >= self.channels:
            return self
        bounds, constants = np.zeros(len(self) + 1, np.int64), np.zeros(len(self), np.int32)
        cells = _cut(self.cells, self.bounds, self.constants, channels, bounds, constants)
        return SparsePlanes(cells[: bounds[-1]], bounds, constants, channels)

    def dense(self) -> np.ndarray:
        """All cells, uint8[n, channels, 34]."""
        out = np.zeros(self.shape, np.uint8)
        _spread(self.cells, self.bounds, self.constants, out)
        return out

    def exchange_suits(self, order: np.ndarray) -> None:
        """Give each state the suits SUIT_ORDERS[order[i]], in place."""
        _move_kinds(self.cells, self.bounds, self.constants, order, TILE_MAPS)


def sparse(planes: np.ndarray | SparsePlanes) -> SparsePlanes:
    """The cells of dense planes, sparse ones as they are."""
    if isinstance(planes, SparsePlanes):
        return planes
    return collect(planes.shape[1], _gather, np.ascontiguousarray(planes))


def collect(channels: int, encoder: Callable[..., np.ndarray], records: np.ndarray, *more: Any) -> SparsePlanes:
    """What a kernel writes for many tables. It fills bounds and constants and gives the cells."""
    bounds, constants = np.zeros(len(records) + 1, np.int64), np.zeros(len(records), np.int32)
    cells = encoder(records, *more, bounds, constants)
    return SparsePlanes(cells[: bounds[-1]], bounds, constants, channels)


def join_states(parts: Sequence[SparsePlanes]) -> SparsePlanes:
    """The states of several, one behind the other."""
    sizes = np.concatenate([[0], *(np.diff(part.bounds) for part in parts)])
    cells = np.concatenate([part.cells for part in parts])
    return SparsePlanes(cells, sizes.cumsum(), np.concatenate([part.constants for part in parts]), parts[0].channels)


@kernel
def append(state, i, cells, bounds, constants):
    """Put the list of state i behind those before it. Returns the cells, in another array if that was too small."""
    start = bounds[i]
    whole = len(state) - np.int64(state[1])
    single = np.int64(state[0]) - CELLS
    size = start + whole + single
    if size > len(cells):
        more = np.empty(2 * size, np.uint32)
        more[:start] = cells[:start]
        cells = more
    for j in range(whole):
        cells[start + j] = state[len(state) - whole + j]
    for j in range(single):
        cells[start + whole + j] = state[CELLS + j]
    constants[i] = whole
    bounds[i + 1] = size
    return cells


@kernel
def _gather(planes, bounds, constants):
    n, channels, kinds = planes.shape
    state = np.empty(LIST, np.uint32)
    cells = np.empty(n * USUAL, np.uint32)
    for i in range(n):
        state[0], state[1] = CELLS, LIST
        for channel in range(channels):
            row = planes[i, channel]
            some = differs = np.uint8(0)
            for kind in range(kinds):
                some |= row[kind]
                differs |= row[kind] ^ row[0]
            if some != 0 and differs == 0:
                state[1] -= np.uint32(1)
                state[state[1]] = channel << 16 | row[0]
            elif some != 0:
                for kind in range(kinds):
                    if row[kind] != 0:
                        state[state[0]] = channel << 16 | kind << 8 | row[kind]
                        state[0] += np.uint32(1)
        cells = append(state, i, cells, bounds, constants)
    return cells


@kernel
def _spread(cells, bounds, constants, out):
    for i in range(len(constants)):
        first = bounds[i] + constants[i]
        for j in range(bounds[i], first):
            out[i, cells[j] >> 16] = cells[j] & 255
        for j in range(first, bounds[i + 1]):
            out[i, cells[j] >> 16, (cells[j] >> 8) & 255] = cells[j] & 255


@kernel
def _copy(cells, bounds, chosen, starts, out):
    for i in range(len(chosen)):
        first, last = bounds[chosen[i]], bounds[chosen[i] + 1]
        out[starts[i] : starts[i + 1]] = cells[first:last]


@kernel
def _join(cells, bounds, whole, cells2, bounds2, whole2, channels, starts, constants):
    out = np.empty(bounds[-1] + bounds2[-1], np.uint32)
    shift = np.uint32(channels << 16)
    at = 0
    for i in range(len(constants)):
        constants[i] = whole[i] + whole2[i]
        first, first2 = bounds[i] + whole[i], bounds2[i] + whole2[i]
        for part in range(2):
            start, end = (bounds[i], first) if part == 0 else (first, bounds[i + 1])
            out[at : at + end - start] = cells[start:end]
            at += end - start
            start, end = (bounds2[i], first2) if part == 0 else (first2, bounds2[i + 1])
            for j in range(start, end):
                out[at] = cells2[j] + shift
                at += 1
        starts[i + 1] = at
    return out


@kernel
def _cut(cells, bounds, whole, channels, starts, constants):
    out = np.empty(len(cells), np.uint32)
    at = 0
    for i in range(len(constants)):
        for j in range(bounds[i], bounds[i + 1]):
            if cells[j] >> 16 < channels:
                out[at] = cells[j]
                at += 1
                if j < bounds[i] + whole[i]:
                    constants[i] += 1
        starts[i + 1] = at
    return out


@kernel
def _move_kinds(cells, bounds, constants, order, maps):
    for i in range(len(constants)):
        if order[i] == 0:
            continue
        for j in range(bounds[i] + constants[i], bounds[i + 1]):
            kind = maps[order[i], (cells[j] >> 8) & 255]
            cells[j] = (cells[j] & 0xFFFF00FF) | kind << 8
