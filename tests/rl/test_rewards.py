"""What a round was worth, by points and by the predicted reward of the game."""

import numpy as np
import pytest

from suzaku.arena.selfplay import self_play
from suzaku.cli.train_rl import load_predictor
from suzaku.rl.buffer import replay_games
from suzaku.rl.config import RlConfig
from suzaku.rl.games import global_rewards, reward_of, round_rewards

WORTH = np.array([90, 45, 0, -135])  # places, as the bundled predictor has them


@pytest.fixture(scope="module")
def hanchan():
    return sorted(self_play("tsumogiri", range(2), 3), key=lambda game: game.id)


def test_those_of_all_rounds_sum_to_what_the_game_was_worth_beyond_the_first_prediction(hanchan):
    predictor = load_predictor(RlConfig(reward="global"))
    foreseen = predictor.of_games(hanchan)
    for found, phi, game in zip(global_rewards(predictor, hanchan), foreseen, hanchan, strict=True):
        np.testing.assert_allclose(found.sum(0) * predictor.unit, WORTH[game.ranks] - phi[0], atol=1e-2)
        np.testing.assert_allclose(found[0] * predictor.unit, phi[1] - phi[0], atol=1e-3)


def test_points_are_those_that_a_round_brought(hanchan):
    decisions = replay_games(hanchan)
    rewards = round_rewards(decisions, 1000.0)
    for found, game in zip(rewards, hanchan, strict=True):
        np.testing.assert_allclose(found.sum(0) * 1000, game.scores - np.full(4, 25_000), atol=1)
    each = reward_of(decisions, rewards)
    i = len(each) // 2
    assert each[i] == rewards[decisions.game[i]][decisions.round[i], decisions.seat[i]]
