"""The PettingZoo environment."""

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="needs the extra [pettingzoo]")

from pettingzoo.test import api_test, seed_test

from suzaku.riichi.pettingzoo import PLANES, SHAPE, env
from suzaku.riichi.rules import final_points


def play(environment, rng):
    """Random play to the end; the summed rewards by agent."""
    total = dict.fromkeys(environment.possible_agents, 0.0)
    for agent in environment.agent_iter():
        observation, reward, termination, truncation, _ = environment.last()
        total[agent] += reward
        legal = np.flatnonzero(observation["action_mask"])
        environment.step(None if termination or truncation else int(rng.choice(legal)))
    return total


def test_passes_pettingzoos_own_test():
    api_test(env(length="east"), num_cycles=1500)


def test_seed_decides_the_game():
    seed_test(lambda: env(length="east"), num_cycles=300)


def test_rewards_sum_to_the_final_points():
    environment = env(length="east", seed=4)
    environment.reset()
    total = play(environment, np.random.default_rng(4))
    s = environment.table.record
    expected = final_points(environment.table.rules, s.scores, s.ranks)
    assert [total[agent] for agent in environment.possible_agents] == pytest.approx(list(expected))
    assert sum(total.values()) == pytest.approx(0)


def test_resets_go_through_the_seeds():
    environment = env(seed=7)
    environment.reset()
    first = environment.table.record.wall.copy()
    environment.reset()
    assert (environment.table.record.wall != first).any()
    environment.reset(seed=7)
    assert (environment.table.record.wall == first).all()


def test_planes_tell_the_hand_and_fill_the_shape():
    environment = env(seed=2)
    environment.reset()
    seat = environment.table.seat
    planes = environment.observe(environment.agent_selection)["observation"]
    assert (planes[0] == environment.table.record.hand[seat]).all()
    assert sum(n for _, n in PLANES.values()) == SHAPE[0]


def test_other_seats_may_do_nothing():
    environment = env(seed=2)
    environment.reset()
    asked = environment.agent_selection
    for agent in environment.possible_agents:
        assert environment.observe(agent)["action_mask"].any() == (agent == asked)


def test_illegal_action_is_refused_and_changes_nothing():
    environment = env(seed=2)
    environment.reset()
    before = environment.table.record.tobytes()
    with pytest.raises(ValueError, match="not legal"):
        environment.step(119)
    with pytest.raises(ValueError, match="needs an action"):
        environment.step(None)
    assert environment.table.record.tobytes() == before
