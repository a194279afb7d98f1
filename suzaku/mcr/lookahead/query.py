"""What a seat asks the look-ahead."""

import numpy as np

from suzaku.kernel import kernel
from suzaku.mcr.deal import left_for
from suzaku.mcr.hidden import count_seen


@kernel
def fill_seat(s, p, hazard, claims, q):
    """Put the hand of seat p, as it sees the table, into the query.

    `hazard` is how likely another seat ends the hand between two own draws, `claims` how often an opponent discards an
    unseen tile, against drawing it.
    """
    q.hand[:] = s.hand[p]
    count_seen(s, p, q.unseen)
    for kind in range(34):
        q.unseen[kind] = 4 - min(4, q.unseen[kind])
    q.melds = s.melds[p]
    q.meld_type[:] = s.meld_type[p]
    q.meld_kind[:] = s.meld_kind[p]
    q.seat_wind = (p - s.dealer) & 3
    q.round_wind = s.wind
    q.minimum = s.rules.minimum
    draws = left_for(s, p) if s.rules.duplicate else s.left // 4
    q.draws = (1.0 - np.exp(-hazard * (draws + 0.5))) / hazard
    q.slack = 1
    q.exact = 1
    q.claims = claims
    q.wide = 3


@kernel
def move_to_meld(q, meld_type, kind, number, a, b):
    """One more meld in the query: `number` tiles of the kinds a and b (-1 for none) leave the hand."""
    q.meld_type[q.melds] = meld_type
    q.meld_kind[q.melds] = kind
    q.melds += 1
    q.hand[a] -= number
    if b >= 0:
        q.hand[b] -= number


@kernel
def chow_tiles(offer, shape):
    """The lowest kind of a chow with the offered tile lowest, middle, highest (0, 1, 2), and the two of the hand."""
    low = offer - shape
    return low, low + 1 if shape == 0 else low, low + 1 if shape == 2 else low + 2
