"""What the player asks the look-ahead."""

import numpy as np

from suzaku.kernel import kernel
from suzaku.mcr.deal import left_for
from suzaku.mcr.hidden import count_seen


@kernel
def fill_query(s, p, c, q):
    """Put the hand of seat p, as it sees the table, into the query."""
    q.hand[:] = s.hand[p]
    count_seen(s, p, q.unseen)
    for kind in range(34):
        q.unseen[kind] = 4 - min(4, q.unseen[kind])
    q.melds = s.melds[p]
    q.meld_type[:] = s.meld_type[p]
    q.meld_kind[:] = s.meld_kind[p]
    q.seat_wind = (p - s.dealer) & 3
    q.round_wind = s.wind
    draws = left_for(s, p) if s.rules.duplicate else s.left // 4
    q.draws = (1.0 - np.exp(-c.hazard * (draws + 0.5))) / c.hazard
    q.slack = 1
    q.exact = 1
    q.claims = c.claims
    q.wide = 3
