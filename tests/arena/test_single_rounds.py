"""Strength in single rounds: equal players gain nothing, better ones do."""

import numpy as np

from suzaku.agents.make import make_agent
from suzaku.arena.single_rounds import gain, situations


def test_situations_are_those_of_games():
    found = situations(2)
    assert found[0].tolist() == [0, 0, 0, 25000, 25000, 25000, 25000]
    assert ((found[:, 3:].sum(1) + 1000 * found[:, 2]) == 100_000).all()
    assert len(found) > 8


def test_equal_players_gain_nothing_and_better_ones_do():
    pool = np.array([[0, 0, 0, 25000, 25000, 25000, 25000], [5, 1, 2, 30000, 20000, 28000, 20000]])
    shanten = make_agent("shanten")
    same = gain(shanten, shanten, 30, 1, pool=pool)
    assert (same.mean, same.half) == (0, 0)
    better = gain(shanten, make_agent("tsumogiri"), 60, 1, pool=pool)
    assert better.mean > better.half > 0
    again = gain(shanten, make_agent("tsumogiri"), 60, 1, pool=pool)
    assert again == better
