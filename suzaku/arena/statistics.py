"""How sure a mean is, places, and stable rank on Tenhou's ladder.

- How sure a mean is: Student's intervals, the p-value of a difference, and how much more would decide it.
- Tenhou's ranking system: the levels of Table 6, and how high an agent would have climbed (its record rank).
- Places: how often each entrant came where, and the stable rank of the Suphx paper (appendix C).
"""

import functools
import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from suzaku.arena.match import Match

# The values are one for each deal: games on the same deal are not independent, deals are.

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
    """A mean with half of its interval, or alone where one deal gives no interval."""
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


# The table as printed has the gains of east-only games beside the losses of hanchan. The gains here are those of the
# game's length: with them a player keeps a level exactly where equation (7) says.

LEVELS = ("rookie", *(f"{kyu} kyu" for kyu in range(9, 0, -1)), *(f"{dan} dan" for dan in range(1, 11)), "phoenix")
ONE_DAN, TOP = 10, 20
BASE = np.array([0] * ONE_DAN + [200 * dan for dan in range(1, 11)] + [0])
PROMOTION = np.array([20, 20, 20, 20, 40, 60, 80, 100, 100, 100, *(400 * dan for dan in range(1, 11)), 0])
LOSS = np.array([0] * 8 + [10 * step for step in range(1, 13)] + [0])  # of the fourth place, east only
# rooms: normal up to 2 kyu, advanced up to 3 dan, then expert; the phoenix room does not admit programs
FIRST = np.array([20] * 9 + [40] * 4 + [50] * 8)  # east only
SECOND = np.array([10] * 9 + [10] * 4 + [20] * 8)
HANCHAN = 1.5  # gains and losses of a hanchan against those of an east-only game


def gains(level: np.ndarray, place: np.ndarray, hanchan: bool) -> np.ndarray:
    """Ranking points of a place (0 = first) at a level."""
    points = np.select([place == 0, place == 1, place == 3], [FIRST[level], SECOND[level], -LOSS[level]], 0)
    return points * (HANCHAN if hanchan else 1)


def climb(places: np.ndarray, hanchan: bool = True) -> np.ndarray:
    """The highest level (index in LEVELS) of players who begin as rookies: places int[games, players], 0 = first."""
    players = places.shape[1]
    level, highest = np.zeros(players, np.int64), np.zeros(players, np.int64)
    points = np.zeros(players)
    for place in places:
        points += gains(level, place, hanchan)
        up = (points >= PROMOTION[level]) & (level < TOP)
        down = (points < 0) & (level >= ONE_DAN) & (level < TOP)
        level += up.astype(np.int64) - down
        points = np.where(up | down, BASE[level], np.maximum(points, 0))
        np.maximum(highest, level, out=highest)
    return highest


def record_rank(counts: np.ndarray, hanchan: bool = True, players: int = 101, seed: int = 0) -> str:
    """The median record rank over random orders of an entrant's games (counts of its places, first to fourth)."""
    games = np.repeat(np.arange(4), counts)
    rng = np.random.default_rng(seed)
    orders = np.stack([rng.permutation(games) for _ in range(players)], 1)
    return LEVELS[int(np.median(climb(orders, hanchan)))]


def count_places(match: Match, rows: np.ndarray) -> np.ndarray:
    """int64[deals, entrants, seats]: how often each entrant was first ... last on each deal of rows [deals, turns]."""
    n = match.descriptor.seats
    seats = match.seats(rows["number"].ravel()).reshape(*rows.shape, n)
    out = np.zeros((len(rows), len(match.agents), n), np.int64)
    for entrant in range(len(match.agents)):
        for place in range(n):
            out[:, entrant, place] = ((seats == entrant) & (rows["ranks"] == place)).sum((1, 2))
    return out


def mean_ranks(places: np.ndarray) -> np.ndarray:
    """The average rank, from 1, of counts of places in the last axis."""
    return places @ np.arange(1, places.shape[-1] + 1) / places.sum(-1)


def stable_rank(places: np.ndarray) -> np.ndarray:
    """Equation (7), in dan, of counts or rates of places in the last axis, infinite for who was never fourth."""
    first, second, *_, fourth = np.moveaxis(np.asarray(places, float), -1, 0)
    with np.errstate(divide="ignore"):
        return (5 * first + 2 * second) / fourth - 2


def resample_stable(places: np.ndarray, games: int | None = None, times: int = 1000, seed: int = 0) -> np.ndarray:
    """The stable ranks of `times` samples of about `games` games (all that were played, if not given).

    The paper draws single games. Here whole deals are drawn, with replacement, since games on one deal are not
    independent. `places` is int[deals, 4], of one entrant.
    """
    deals = len(places)
    a_deal = places[0].sum()
    size = deals if games is None else max(1, math.ceil(games / a_deal))
    rng = np.random.default_rng(seed)
    out = np.empty(times)
    for i in range(times):
        out[i] = stable_rank(places[rng.integers(deals, size=size)].sum(0))
    return out
