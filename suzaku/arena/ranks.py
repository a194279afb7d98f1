"""Places: how often each entrant came where, and the stable rank of the Suphx paper (appendix C)."""

import math

import numpy as np

from suzaku.arena.match import Match

PLACES = np.arange(1, 5)


def count_places(match: Match, rows: np.ndarray) -> np.ndarray:
    """int64[deals, entrants, 4]: how often each entrant was first ... fourth on each deal of rows [deals, turns]."""
    seats = match.seats(rows["number"].ravel()).reshape(*rows.shape, 4)
    out = np.zeros((len(rows), len(match.agents), 4), np.int64)
    for entrant in range(len(match.agents)):
        for place in range(4):
            out[:, entrant, place] = ((seats == entrant) & (rows["ranks"] == place)).sum((1, 2))
    return out


def mean_ranks(places: np.ndarray) -> np.ndarray:
    """The average rank, 1..4, of counts of places in the last axis."""
    return places @ PLACES / places.sum(-1)


def stable_rank(places: np.ndarray) -> np.ndarray:
    """Equation (7), in dan, of counts or rates of places in the last axis; infinite for who was never fourth."""
    first, second, _, fourth = np.moveaxis(np.asarray(places, float), -1, 0)
    with np.errstate(divide="ignore"):
        return (5 * first + 2 * second) / fourth - 2


def resample_stable(places: np.ndarray, games: int | None = None, times: int = 1000, seed: int = 0) -> np.ndarray:
    """The stable ranks of `times` samples of about `games` games (all that were played, if not given).

    The paper draws single games; here whole deals are drawn, with replacement, since games on one deal are not
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
