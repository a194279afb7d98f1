"""Copying table records: NumPy copies them field by field unless they are taken as plain bytes, fifty times as fast."""

from collections.abc import Sequence

import numpy as np

from suzaku.riichi.state import STATE

PLAIN = np.dtype(f"V{STATE.itemsize}")


def take(records: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """A copy of some records, chosen by numbers or by a mask."""
    rows = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
    return records.view(PLAIN).take(rows).view(STATE)


def join(parts: Sequence[np.ndarray]) -> np.ndarray:
    """A copy of several arrays of records, one after the other."""
    return np.concatenate([part.view(PLAIN) for part in parts]).view(STATE)
