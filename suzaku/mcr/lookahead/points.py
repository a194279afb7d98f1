"""What a win brings."""

from suzaku.kernel import kernel

SELF_DRAWN = 0.25  # share of wins
CHICKEN_FAN = 8  # fan of a hand that is worth nothing else


@kernel
def points_of(fan):
    """What a win of so many fan brings on average."""
    return (1.0 - SELF_DRAWN) * (24.0 + fan) + SELF_DRAWN * 3.0 * (8.0 + fan)
