"""Small kernels that the games share: who is asked, places, shuffling, hiding.

- Kernels over the seats that wait to be asked about a tile of another: the fields `queue`, `claim` and `can_win`.
- The places of the seats at the end of a game.
- Kernels that shuffle tiles.
- What the games share of hiding what a seat cannot see, and of redrawing it.
"""

import numpy as np

from suzaku.kernel import kernel
from suzaku.seeds import GOLDEN, below, mix


@kernel
def ask_queued(s, only_wins):
    """Ask the next queued seat, of those that may win if only these matter; whether there is one."""
    while s.queue[0] >= 0:
        p = s.queue[0]
        s.queue[0] = s.queue[1]
        s.queue[1] = s.queue[2]
        s.queue[2] = s.queue[3]
        s.queue[3] = -1
        if only_wins and not (s.can_win >> p) & 1:
            continue
        s.seat = p
        return True
    return False


@kernel
def is_queued(s, seat):
    """Whether a seat waits to be asked."""
    for i in range(4):  # noqa: SIM110 (kernels have no generators)
        if s.queue[i] == seat:
            return True
    return False


@kernel
def ask_afresh(s, seat, answer, queued):
    """After claims were opened anew for redrawn hands: what `seat` answered stays, and whether it waits to be asked."""
    s.claim[seat] = answer
    at = 0
    for i in range(4):
        p = s.queue[i]
        s.queue[i] = -1
        if p >= 0 and p != s.seat and (p != seat or queued):
            s.queue[at] = p
            at += 1


@kernel
def fill_ranks(s):
    """Set the place of each seat by its score, 0 for the first; ties go to the earlier seat."""
    for p in range(4):
        rank = 0
        for q in range(4):
            if s.scores[q] > s.scores[p] or (s.scores[q] == s.scores[p] and q < p):
                rank += 1
        s.ranks[p] = rank


@kernel
def wall_bits(s):
    """The random state that a deal's wall is shuffled with: it depends on seed, game and deal alone."""
    return mix(mix(mix(s.seed + GOLDEN) ^ np.uint64(s.game)) ^ np.uint64(s.deal))


@kernel
def shuffle(tiles, n, x):
    """Shuffle the first n tiles of an array from a random state; the new state."""
    for i in range(n - 1, 0, -1):
        x += GOLDEN
        j = below(mix(x), i + 1)
        tile = tiles[i]
        tiles[i] = tiles[j]
        tiles[j] = tile
    return x


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
