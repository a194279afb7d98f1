"""What the player asks the look-ahead."""

from suzaku.kernel import kernel
from suzaku.mcr.lookahead.query import fill_seat


@kernel
def fill_query(s, p, c, q):
    """Put the hand of seat p, as it sees the table, into the query."""
    fill_seat(s, p, c.hazard, c.claims, q)
