"""How sure a mean is: Student's intervals, the p-value of a difference, and how much more would decide it.

The values are one for each deal: games on the same deal are not independent, deals are.
"""

import functools
import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

LEVEL = 0.95
POWER = 0.8  # the probability with which "games still needed" are to tell two agents apart


def t_tail(t: float, freedom: int) -> float:
    """The probability that Student's t is farther from 0 than |t|."""
    t = abs(t)
    if freedom > 1000:  # then t is normal to three digits, where NormalDist is exact
        return 2 * NormalDist().cdf(-t)
    # with t = sqrt(freedom) tan(x) the density is cos(x)^(freedom - 1), on a finite range
    x = np.linspace(math.atan(t / math.sqrt(freedom)), math.pi / 2, 2001)
    density = np.cos(x) ** (freedom - 1)
    weights = np.ones(2001)
    weights[1:-1:2], weights[2:-1:2] = 4, 2  # Simpson's rule
    area = float(density @ weights) * (x[1] - x[0]) / 3
    log_norm = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2) - 0.5 * math.log(math.pi)
    return min(1.0, 2 * math.exp(log_norm) * area)


@functools.lru_cache(4096)
def t_quantile(freedom: int, level: float = LEVEL) -> float:
    """The t that is not exceeded in absolute value with this probability."""
    low, high = 0.0, 2.0
    while t_tail(high, freedom) > 1 - level:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if t_tail(middle, freedom) > 1 - level else (low, middle)
    return (low + high) / 2


def mean_interval(values: np.ndarray, level: float = LEVEL) -> tuple[float, float]:
    """The mean of independent values, and half the width of its interval (infinite for a single value)."""
    n = len(values)
    if n < 2:
        return (float(values[0]) if n else math.nan), math.inf
    return float(values.mean()), t_quantile(n - 1, level) * float(values.std(ddof=1)) / math.sqrt(n)


def with_half(mean: str, half: float, digits: int) -> str:
    """A mean with half of its interval; the mean alone where one deal gives no interval."""
    return mean if math.isinf(half) else f"{mean} ± {half:.{digits}f}"


@dataclass
class Comparison:
    """Two entrants on the same deals: the first one's average rank less the second one's."""

    first: str
    second: str
    difference: float
    half: float  # half of the 95 % interval
    p: float  # the probability of a difference as large if they were equal
    games_needed: int | None  # more games to tell them apart: 0 if they are already; None if nothing differs


def compare(first: str, second: str, differences: np.ndarray, games_a_deal: int) -> Comparison:
    """A paired t-test over the deals."""
    mean, half = mean_interval(differences)
    n = len(differences)
    spread = float(differences.std(ddof=1)) if n > 1 else math.inf
    if spread == 0:  # as if the signs alone were known: a few deals that agree prove little
        p = 1.0 if mean == 0 else 0.5 ** (n - 1)
    else:
        p = t_tail(mean * math.sqrt(n) / spread, n - 1) if n > 1 else 1.0
    needed: int | None = None
    if p < 1 - LEVEL:
        needed = 0
    elif mean != 0 and math.isfinite(spread):
        normal = NormalDist()
        z = normal.inv_cdf((1 + LEVEL) / 2) + normal.inv_cdf(POWER)
        needed = max(1, math.ceil((z * spread / mean) ** 2) - n) * games_a_deal
    return Comparison(first, second, mean, half, p, needed)
