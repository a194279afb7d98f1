"""What the bundle of a bot runs on: the little of NumPy that kernels use, in plain Python of any version from 3.6 on.

This file is copied into the package of the bot: it imports nothing but Python's own library.
"""

# The types of its parts are those of any Python: annotations would need newer ones.
# mypy: ignore-errors

import array
import os
import zlib
from math import exp  # noqa: F401 (of the bundle)

CODES = {"int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "uint32": "I", "uint64": "Q"}


class Record:
    """One element of a structured array; its fields are attributes: numbers, lists, lists of lists, records."""

    def __init__(self, layout):
        self._layout = layout
        for name, first, shape in layout:
            setattr(self, name, Record(shape) if first == "layout" else _filled(first, shape))

    def __getitem__(self, name):
        return getattr(self, name)

    def copy(self):
        """A copy that shares nothing."""
        made = Record.__new__(Record)
        made._layout = self._layout
        for name, _, _ in self._layout:
            setattr(made, name, _copied(getattr(self, name)))
        return made


class Layout:
    """The type of a record."""

    def __init__(self, fields):
        self.fields = fields


class Records(list):
    """Some records."""

    def copy(self):
        """A copy that shares nothing."""
        return Records(one.copy() for one in self)


class Planes(list):
    """What a network sees of a table: a list of channels of 34 kinds, for the encoders' kernels."""

    ndim = 2

    def __init__(self, channels):
        super().__init__([0] * 34 for _ in range(channels))
        self.shape = (channels, 34)


class Tables:
    """The look-up tables of suits."""


def _filled(first, shape):
    if not shape:
        return first
    return [_filled(first, shape[1:]) for _ in range(shape[0])]


def _copied(value):
    if isinstance(value, list):
        return [_copied(one) for one in value]
    return value.copy() if isinstance(value, Record) else value


def fill(target, value):
    """Set all of a list to a number, or to copies of the elements of another."""
    if isinstance(value, (list, tuple)):
        target[:] = [_copied(one) for one in value]
        return
    for i, one in enumerate(target):
        if isinstance(one, list):
            fill(one, value)
        else:
            target[i] = value


def zeros(shape, kind=None):
    """An array of zeros, or of empty records."""
    if isinstance(kind, Layout):
        return Records(Record(kind.fields) for _ in range(shape))
    return _filled(0, shape if isinstance(shape, tuple) else (shape,))


empty = zeros


def read_beside(name):
    """The bytes of a file that lies beside this one, in a zip file too."""
    return __loader__.get_data(os.path.join(os.path.dirname(os.path.abspath(__file__)), name))


def read_tables(shapes):
    """The tables of `tables.bin`; `shapes` tells name, type and shape of each, in their order."""
    data = zlib.decompress(read_beside("tables.bin"))
    found, at = Tables(), 0
    for name, kind, shape in shapes:
        rows = []
        for _ in range(shape[0] if len(shape) > 1 else 1):
            row = array.array(CODES[kind])
            size = row.itemsize * shape[-1]
            row.frombytes(data[at : at + size])
            at += size
            rows.append(row)
        setattr(found, name, rows if len(shape) > 1 else rows[0])
    return found
