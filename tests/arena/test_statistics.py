"""The statistics are right: known quantiles, coverage by simulation, and the paper's own tables."""

import math

import numpy as np
import pytest

from suzaku.arena.statistics import (
    LEVELS,
    ONE_DAN,
    TOP,
    climb,
    compare,
    gains,
    mean_interval,
    mean_ranks,
    record_rank,
    resample_stable,
    stable_rank,
    t_quantile,
    t_tail,
)

PAPER = {  # rates of Table 5 in per cent, and the stable rank of Table 4
    "Bakuuchi": ((28.0, 26.2, 23.2, 22.4), 6.59),
    "NAGA": ((25.6, 27.2, 25.9, 21.1), 6.64),
    "top human": ((28.0, 26.8, 24.7, 20.5), 7.46),
    "Suphx": ((29.3, 27.5, 24.4, 18.7), 8.74),
}


@pytest.mark.parametrize("name", PAPER)
def test_stable_rank_reproduces_the_paper(name):
    rates, told = PAPER[name]
    # every rate is rounded to 0.05 either way: the stable rank lies between the extremes that this allows
    first, second, third, fourth = rates
    low = stable_rank(np.array([first - 0.05, second - 0.05, third, fourth + 0.05]))
    high = stable_rank(np.array([first + 0.05, second + 0.05, third, fourth - 0.05]))
    assert low <= told <= high
    assert abs(stable_rank(np.array(rates)) - told) < 0.05


def test_who_is_never_fourth_has_no_limit():
    assert math.isinf(stable_rank(np.array([3, 1, 1, 0])))


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(1, 12.7062), (2, 4.3027), (5, 2.5706), (30, 2.0423), (200, 1.9719), (5000, 1.96)]
)
def test_quantiles_of_student(freedom, quantile):
    assert t_quantile(freedom) == pytest.approx(quantile, abs=5e-4)
    assert t_tail(quantile, freedom) == pytest.approx(0.05, abs=5e-4)


def _duplicate_deals(rng: np.random.Generator, deals: int) -> np.ndarray:
    """Average ranks of an entrant on some deals, four games each, that depend on one another through the deal."""
    luck = rng.normal(size=(deals, 1, 4))
    strength = np.array([0.3, 0, 0, 0])
    ranks = np.empty((deals, 4))
    for own in range(4):
        value = luck[:, 0] + rng.normal(scale=0.7, size=(deals, 4)) + np.roll(strength, own)
        ranks[:, own] = 1 + (value > value[:, [own]]).sum(1)
    return ranks


def test_the_interval_covers_the_truth_19_times_in_20():
    rng = np.random.default_rng(5)
    truth = _duplicate_deals(rng, 200_000).mean()
    for deals in (12, 100):
        means = _duplicate_deals(rng, 3000 * deals).mean(1).reshape(3000, deals)
        found = [mean_interval(row) for row in means]
        covered = np.mean([abs(mean - truth) <= half for mean, half in found])
        assert 0.935 <= covered <= 0.965  # 0.95 with a standard error of 0.004


def test_games_of_a_deal_are_not_taken_as_independent():
    """Copies of the same games make the interval of single games narrower, not that of deals."""
    rng = np.random.default_rng(1)
    ranks = np.repeat(rng.integers(1, 5, (50, 1)), 4, 1)
    _, half = mean_interval(ranks.mean(1))
    _, wrong = mean_interval(ranks.ravel().astype(float))
    assert half > 1.9 * wrong


def test_p_values_are_even_when_nothing_differs():
    rng = np.random.default_rng(2)
    p = [compare("a", "b", rng.normal(size=20), 4).p for _ in range(1000)]
    assert np.abs(np.quantile(p, [0.05, 0.5, 0.95]) - [0.05, 0.5, 0.95]).max() < 0.04


def test_games_still_needed_do_tell_apart():
    """With so many games more, four of five matches show the difference."""
    rng = np.random.default_rng(3)
    first = compare("a", "b", np.resize([0.4, -0.2], 100) + 0.0, 4)
    assert first.difference == pytest.approx(0.1)
    assert first.games_needed == 0
    # a difference of 0.1 with a spread of 1 needs (1.96 + 0.84)^2 * 100 = 785 deals
    values = rng.normal(size=50)
    values = (values - values.mean()) / values.std(ddof=1) + 0.1
    found = compare("a", "b", values, 4)
    assert found.p > 0.05
    assert found.games_needed == (785 - 50) * 4
    told = [compare("a", "b", rng.normal(0.1, 1, 785), 4).p < 0.05 for _ in range(600)]
    assert 0.75 <= np.mean(told) <= 0.85


def test_equal_entrants_need_no_number():
    same = compare("a", "b", np.zeros(10), 4)
    assert (same.p, same.games_needed, same.half) == (1.0, None, 0.0)
    alike = compare("a", "b", np.full(3, -1.5), 4)  # nothing varies yet, but three deals are few
    assert alike.p == 0.25
    assert compare("a", "b", np.full(10, -1.5), 4).p == 2**-9
    one = compare("a", "b", np.array([0.5]), 4)
    assert one.p == 1.0
    assert math.isinf(one.half)


def test_resampling_spreads_as_the_sampling_error_does():
    rng = np.random.default_rng(4)
    probabilities = np.array([0.27, 0.26, 0.25, 0.22])
    places = rng.multinomial(4, probabilities, size=500)
    truth = [stable_rank(rng.multinomial(2000, probabilities)) for _ in range(2000)]
    found = resample_stable(places)
    assert np.std(found) == pytest.approx(np.std(truth), rel=0.15)
    fewer = resample_stable(places, games=500)
    assert np.std(fewer) == pytest.approx(2 * np.std(found), rel=0.2)
    assert (resample_stable(places) == found).all()


def test_mean_rank():
    assert mean_ranks(np.array([[1, 0, 0, 1], [0, 2, 0, 0]])).tolist() == [2.5, 2.0]


def test_a_level_is_kept_where_equation_7_says():
    """At d dan in the expert room, gains and losses cancel for a player whose stable rank is d."""
    for dan in range(4, 11):
        level = np.full(4, ONE_DAN + dan - 1)
        first, second, third, fourth = gains(level, np.arange(4), hanchan=True)
        assert (first, second, third) == (75, 30, 0)
        n1, n2 = 0.3, 0.2
        n4 = (first * n1 + second * n2) / -fourth
        assert stable_rank(np.array([n1, n2, 0, n4])) == pytest.approx(dan)


def test_the_ladder_by_hand():
    # 20 points a level up to 6 kyu (30 for a first place), then 40, 60, 80, 100, 100, 100
    firsts = np.zeros((60, 1), np.int64)
    steps = [int(climb(firsts[:n])[0]) for n in range(1, 16)]
    assert steps == [1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 7, 7, 7, 7, 8]
    assert LEVELS[int(climb(np.full((500, 1), 3))[0])] == "rookie"
    assert climb(np.zeros((2000, 1), np.int64))[0] == TOP


def test_a_dan_is_lost_below_zero_and_the_record_stays():
    def highest(*runs: tuple[int, int]) -> int:
        """The record after so many games of a place, run by run."""
        return int(climb(np.concatenate([np.full((n, 1), place) for n, place in runs]))[0])

    assert highest((20, 0)) == ONE_DAN - 1
    assert highest((21, 0)) == ONE_DAN  # with 200 points
    assert highest((21, 0), (300, 3)) == ONE_DAN  # the record does not fall
    assert highest((21, 0), (4, 3), (6, 0)) == ONE_DAN  # 200 - 4 * 45 + 6 * 60 = 380
    assert highest((21, 0), (4, 3), (7, 0)) == ONE_DAN + 1  # 440, of 400
    assert highest((21, 0), (5, 3), (5, 0)) == ONE_DAN  # below 0: 1 kyu; two first places lead back, to 200 points
    assert highest((21, 0), (5, 3), (6, 0)) == ONE_DAN + 1


def test_record_ranks_of_the_paper():
    """Suphx reached 10 dan in 5,760 games, Bakuuchi 9 dan in 30,516, NAGA 8 dan in 9,649."""
    counts = {name: np.array(rates) for name, (rates, _) in PAPER.items()}
    suphx = record_rank((counts["Suphx"] * 57.6).astype(int))
    naga = record_rank((counts["NAGA"] * 96.49).astype(int))
    assert LEVELS.index(suphx) >= LEVELS.index("10 dan") - 1
    assert LEVELS.index("7 dan") <= LEVELS.index(naga) <= LEVELS.index("9 dan")
