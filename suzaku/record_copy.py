"""Copying table records: NumPy copies them field by field unless they are taken as plain bytes, fifty times as fast."""

from collections.abc import Sequence

import numpy as np


def take(records: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """A copy of some records, chosen by numbers or by a mask."""
    rows = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
    return records.view(_plain(records)).take(rows).view(records.dtype)


def join(parts: Sequence[np.ndarray]) -> np.ndarray:
    """A copy of several arrays of records, one after the other."""
    return np.concatenate([part.view(_plain(part)) for part in parts]).view(parts[0].dtype)


def _plain(records: np.ndarray) -> np.dtype:
    return np.dtype(f"V{records.dtype.itemsize}")
