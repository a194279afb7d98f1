"""The learner's policy is the one that played: the log-probabilities written down are found again, step by step."""

import numpy as np
import pytest
import torch

from suzaku.agents.suphx import SuphxAgent
from suzaku.networks import checkpoint
from suzaku.rl.buffer import replay_games
from suzaku.rl.games import POINTS, reward_of, round_rewards
from suzaku.rl.policy import flow_of, learnable, log_probs, minibatch


def flow(player, games, models):
    agent = SuphxAgent(player, temperature=0.7, seed=3)
    decisions = replay_games(games)
    return flow_of(agent, decisions.part(np.flatnonzero(learnable(decisions, models))), models)


@pytest.mark.parametrize("models", [("discard",), ("riichi",), ("discard", "riichi"), ("chow", "pong", "kong"),
                                    ("discard", "riichi", "chow", "pong", "kong")])  # fmt: skip
def test_behaviour_is_found_again(player, games, models):
    found = flow(player, games, models)
    assert len(found) > 10
    modules = {model: checkpoint.load(player / model)[0] for model in models}
    rows = np.random.default_rng(0).permutation(len(found))
    with torch.inference_mode():
        now, entropy = log_probs(modules, minibatch(found, rows), len(rows), 0.7)
    # they are kept in half precision
    assert now.numpy() == pytest.approx(found.behaviour[rows], rel=1e-3, abs=1e-3)
    assert np.abs(found.behaviour).max() > 0.5
    assert float(entropy) > 0


def test_other_weights_are_noticed(player, games):
    found = flow(player, games, ("discard",))
    module = checkpoint.load(player / "discard")[0]
    with torch.no_grad():
        module.head.last.weight.mul_(1.5)
    rows = np.arange(len(found))
    with torch.inference_mode():
        now, _ = log_probs({"discard": module}, minibatch(found, rows), len(rows), 0.7)
    assert np.abs(now.numpy() - found.behaviour).max() > 0.1


def test_every_decision_has_the_points_of_its_round_and_seat(games):
    decisions = replay_games(games)
    reward = reward_of(decisions, round_rewards(decisions))
    for number, stored in enumerate(games):
        mine = decisions.game == number
        scores = decisions.scores[number]
        assert scores[-1].tolist() == stored.scores
        assert len(scores) == len(stored.walls) + 1
        rounds = decisions.round[mine]
        assert rounds.max() == len(stored.walls) - 1
        wanted = [scores[r + 1][seat] - scores[r][seat] for r, seat in zip(rounds, decisions.seat[mine], strict=True)]
        assert reward[mine] * POINTS == pytest.approx(wanted, abs=0.1)


def test_sequences_are_a_seats_decisions_of_a_round_in_their_order(games):
    decisions = replay_games(games)
    order, number = decisions.sequences()
    assert (np.diff(number) >= 0).all()
    for one in np.unique(number)[:40]:
        rows = order[number == one]
        assert (np.diff(rows) > 0).all()
        assert len(set(zip(decisions.game[rows], decisions.round[rows], decisions.seat[rows], strict=True))) == 1
