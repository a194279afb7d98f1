"""What the games share of hiding what a seat cannot see, and of redrawing it."""

import numpy as np


def hide_claims(s: np.record, seat: int, asking: bool, passing: int) -> None:
    """Hide who was asked, could have won or wanted to call, also after the claims are settled."""
    s.queue[:] = -1
    s.claim[:] = passing
    s.can_win = s.can_win & (1 << seat) if asking else 0
    if asking and s.seat != seat:
        s.seat = -1


def check_redraw(records: np.ndarray, seat: int | np.ndarray, state: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    """The records of tables to redraw as an array, and the seat that each is seen from."""
    if getattr(records, "dtype", None) != state:
        raise ValueError("expected table records, such as Tables(...).records, to redraw")
    records = np.atleast_1d(records)
    seats = np.ascontiguousarray(np.broadcast_to(np.asarray(seat, np.int64), records.shape))
    if seats.size and (seats.min() < 0 or seats.max() > 3):
        raise ValueError(f"seat must be 0..3, not {seat!r}")
    return records, seats


def check_rollouts(record: np.record, seat: int, n: int, state: np.dtype) -> None:
    """Refuse what cannot be rolled out."""
    if getattr(record, "dtype", None) != state or record.shape != ():
        raise ValueError("expected one table record, such as Table(...).record or Tables(...).records[0]")
    if seat not in range(4):
        raise ValueError(f"seat must be 0..3, not {seat!r}")
    if n < 0:
        raise ValueError(f"the number of rollouts cannot be {n!r}")
