"""Single rounds, each wall several times: they replay, differ, and are compared with each other."""

import numpy as np
import pytest

from suzaku.agents.suphx import SuphxAgent
from suzaku.learning.loop import Run
from suzaku.rl.buffer import replay_games
from suzaku.rl.config import RlConfig
from suzaku.rl.games import against_others, round_rewards
from suzaku.rl.learner import Reinforcement
from suzaku.rl.round_player import RoundPlayer, wall_of
from tests.rl.helpers import SMALL, same, weights


@pytest.fixture(scope="module")
def rounds(player):
    agent = SuphxAgent(player, temperature=0.7, seed=3)
    return RoundPlayer(agent, 4, "hanchan", 3).play([5, 6])


def test_plays_of_a_wall_begin_alike_and_go_on_otherwise(rounds):
    games, hands = rounds
    assert [wall_of(game) for game in games] == ["round-4-5"] * 3 + ["round-4-6"] * 3
    assert (games[0].walls == games[2].walls).all()
    assert games[0].start == games[2].start
    assert not (games[0].walls == games[3].walls).all()
    assert len({game.actions.tobytes() for game in games}) == 6
    assert (hands["hands"] == 1).all()


def test_they_are_replayed_to_their_end(rounds):
    games, _ = rounds
    decisions = replay_games(games)
    assert decisions.round.max() == 0
    for number, game in enumerate(games):
        scores = decisions.scores[number]
        assert scores[0].tolist() == game.start[3:]
        assert scores[1].tolist() == game.scores
        assert np.isfinite(game.log_prob).all()
        assert (game.log_prob < 0).sum() > 10
    assert any((np.diff(scores, axis=0) != 0).any() for scores in decisions.scores)


def test_rewards_are_those_against_the_other_plays(rounds):
    games, _ = rounds
    rewards = round_rewards(replay_games(games))
    found = against_others(rewards, [wall_of(game) for game in games])
    assert found[0][0] == pytest.approx(rewards[0][0] - (rewards[1][0] + rewards[2][0]) / 2)
    assert found[4][0] == pytest.approx(rewards[4][0] - (rewards[3][0] + rewards[5][0]) / 2)


def test_a_run_of_rounds_goes_on_to_the_same_weights(player, tmp_path):
    settings = {**SMALL, "repeat": 2, "games": 4, "value_first": 0, "start": str(player)}
    ends = []
    for name, pieces in (("whole", [2]), ("twice", [1, 2])):
        for iterations in pieces:
            one = Reinforcement(RlConfig(**settings, iterations=iterations), tmp_path / name)
            Run(one, tmp_path / name).run(lambda figures: None, every=1)
        ends.append((weights(one), one.played))
    assert ends[0][1] == ends[1][1] == 8
    assert same(ends[0][0], ends[1][0])


def test_plays_must_be_compared():
    with pytest.raises(ValueError, match="repeat must be 0 or at least 2"):
        RlConfig(repeat=3, games=200)
