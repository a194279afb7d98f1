"""Reinforcement learning of MCR: rewards on hands whose win distance is known, the policy that played, whole runs."""

from itertools import pairwise

import numpy as np
import pytest
import torch

from suzaku.agents.mcr_network import McrAgent
from suzaku.arena.selfplay import self_play
from suzaku.arena.single_rounds import gain
from suzaku.hand.tables import tables
from suzaku.learning.loop import Run
from suzaku.mcr import actions as act
from suzaku.mcr.plans import SEARCH
from suzaku.mcr.state import STATE
from suzaku.networks import run as network_run
from suzaku.networks.checkpoint import load, save
from suzaku.networks.modules import build
from suzaku.rl.buffer import replay_games
from suzaku.rl.config import RlConfig
from suzaku.rl.games import McrLearning
from suzaku.rl.learner import Reinforcement
from suzaku.rl.policy import log_probs, minibatch
from suzaku.rl.policy_gradient import advantages
from suzaku.rl.win_distance import hand_distance, win_distances
from suzaku.tiles import parse, parse_one

NETWORK = "mcr-55-b1x3c8"
SMALL = {"games": 6, "tables": 6, "batch": 64, "value_network": "b1c8", "value_first": 1, "save_every": 1,
         "temperature": 0.7, "bfloat16": False, "reward": "distance", "workers": 0, "walls": 0}  # fmt: skip


@pytest.fixture(scope="module")
def player(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mcr")
    torch.manual_seed(5)
    for model in McrAgent.MODELS:
        module = build(NETWORK, model)
        with torch.no_grad():
            module.last.weight.mul_(30)
        save(folder / model, module, {"network": NETWORK, "model": model})
    return folder


@pytest.fixture(scope="module")
def games(player):
    agent = McrAgent(player, temperature=0.7, seed=3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(network_run, "torch_is_faster", lambda: False)
        return sorted(self_play("mcr", range(6), 9, own=agent, game="mcr", tables=6), key=lambda game: game.id)


def distance(text, discard=None, fan=False):
    record = np.zeros(1, STATE)
    s = record[0]
    s["rules"]["duplicate"], s["rules"]["minimum"], s["own_left"], s["left"] = 1, 8, 15, 60
    s["hand"][0] = np.bincount(parse(text), minlength=34)
    s["meld_type"], s["meld_kind"], s["drawn"] = -1, -1, -1
    kind = -1 if discard is None else parse_one(discard)
    return hand_distance(tables(), s, 0, kind, fan, np.zeros(1, SEARCH)[0])


def test_win_distance_of_known_hands():
    paper = "112233777s1z2344z"  # the paper's example: 2 tiles short, of two winds
    assert distance(paper) == 2
    assert distance(paper, "1z") == distance(paper, "2z") == 2
    assert distance(paper, "1s") == 3
    assert distance(paper, "7s") == 2  # of seven pairs
    assert distance("123m456p789s11z23s") == 1
    assert distance("123m456p789s11z234s") == 0
    # complete with 2s, 5s or 8s, but none of them makes 8 fan
    assert distance("234m678p345s11z67s") == 1
    assert distance("234m678p345s11z67s", fan=True) > 1
    assert distance("123m456p78s234p11z", fan=True) == 1  # a mixed straight on 9s
    assert distance("123m456p78s2399m1z", fan=True) == 2


def test_what_follows_is_the_distance_before_less_the_one_at_the_end():
    found = list(self_play("heuristic", range(4), 3, game="mcr", tables=4))
    decisions = replay_games(found)
    before, at_end = win_distances(decisions, fan=False)
    thrown = decisions.action < act.CHOW_LOW
    assert np.isfinite(before[thrown]).all()
    assert np.isnan(before[~thrown]).all()
    won = 0
    for number, game in enumerate(found):
        for seat in range(4):
            mine = np.flatnonzero(thrown & (decisions.game == number) & (decisions.seat == seat))
            if not len(mine):
                continue
            after = [_shape(decisions, i) for i in mine]
            assert before[mine][1:].tolist() == after[:-1]
            wins = game.scores[seat] > 0
            won += wins
            assert at_end[number][0, seat] == (0 if wins else after[-1])
    assert won
    config = RlConfig(reward="distance")
    returns = McrLearning().returns(config, decisions, found, None)
    expected = before - np.array([at_end[g][0, s] for g, s in zip(decisions.game, decisions.seat, strict=True)])
    assert np.array_equal(returns[thrown], expected[thrown])


def _shape(decisions, i):
    record = decisions.records[i : i + 1][0]
    return hand_distance(tables(), record, record["seat"], decisions.action[i], False, np.zeros(1, SEARCH)[0])


def test_advantages_of_rewards_along_the_way():
    sequence, value = np.array([0, 0, 0, 1]), np.array([0.5, 0.2, 0.1, 0.3])
    rewards = np.array([1.0, 0.0, 2.0, 4.0])  # of each decision
    returns = np.array([3.0, 2.0, 2.0, 4.0])
    error = rewards + np.array([0.2, 0.1, 0, 0]) - value
    expected = np.array([error[0] + 0.5 * (error[1] + 0.5 * error[2]), error[1] + 0.5 * error[2], error[2], error[3]])
    found = advantages("gae", sequence, returns, value, 0.5)
    assert found == pytest.approx((expected - expected.mean()) / expected.std(), abs=1e-5)


def test_the_policy_that_played_is_found_again(player, games):
    learning, agent = McrLearning(), McrAgent(player, temperature=0.7, seed=3)
    decisions = replay_games(games)
    found = learning.flow(
        agent, decisions.part(np.flatnonzero(learning.learnable(decisions, ("discard",)))), ("discard",)
    )
    assert len(found) > 100
    rows = np.random.default_rng(0).permutation(len(found))
    with torch.inference_mode():
        now, entropy = log_probs({"discard": load(player / "discard")[0]}, minibatch(found, rows), len(rows), 0.7)
    assert now.numpy() == pytest.approx(found.behaviour[rows], rel=2e-3, abs=2e-3)
    assert float(entropy) > 0.1


def learner(player, folder, **more):
    return Reinforcement(RlConfig(start=str(player), **{**SMALL, **more}), folder)


def test_a_run_learns_and_goes_on_exactly(player, tmp_path):
    one = learner(player, tmp_path / "whole", iterations=3)
    seen = [one.modules["discard"].last.weight.detach().clone()]
    Run(one, tmp_path / "whole").run(
        lambda figures: seen.append(one.modules["discard"].last.weight.detach().clone()), every=1
    )
    assert torch.equal(seen[0], seen[1])  # the value network alone
    assert not any(torch.equal(a, b) for a, b in pairwise(seen[1:]))
    other = learner(player, tmp_path / "parts", iterations=3)

    def stop(figures):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Run(other, tmp_path / "parts").run(stop, every=1)
    again = learner(player, tmp_path / "parts", iterations=3)
    Run(again, tmp_path / "parts").run(lambda figures: None, every=1)
    assert torch.equal(again.modules["discard"].last.weight, seen[-1])
    agent = McrAgent(tmp_path / "whole" / "last")
    assert agent.models["pong"].hash == McrAgent(player).models["pong"].hash
    assert agent.models["discard"].hash != McrAgent(player).models["discard"].hash


@pytest.mark.parametrize("reward", ["round", "fan-distance"])
def test_other_rewards_and_walls_played_twice(player, tmp_path, reward):
    one = learner(player, tmp_path, iterations=2, repeat=2, reward=reward, walls=2, eval_every=2)
    run = Run(one, tmp_path)
    run.run(lambda figures: None, every=1)
    assert one.version == 2
    assert "gain" in run.curve[-1]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"learn": "discard+pong"}, "write learn=discard"),
        ({"reward": "global"}, "choose round, distance or fan-distance"),
        ({"oracle": "widen"}, "MCR has no such channels"),
    ],
)
def test_refusals(player, tmp_path, more, said):
    with pytest.raises(ValueError, match=said):
        Reinforcement(RlConfig(start=str(player), **more), tmp_path, predictor=object())


def test_a_player_that_does_not_look_ahead_stays_one(player, tmp_path):
    for model in McrAgent.MODELS:
        module, info = load(player / model)
        save(tmp_path / "blind" / model, module, {**info, "training": {"lookahead": False}})
    one = learner(tmp_path / "blind", tmp_path / "run", iterations=1)
    one.save(tmp_path / "out", {})
    assert not McrAgent(tmp_path / "out").lookahead


def test_win_distance_is_not_of_riichi(tmp_path):
    with pytest.raises(ValueError, match="the win distance of MCR"):
        Reinforcement(RlConfig(start="weak", reward="distance"), tmp_path)


def test_a_player_gains_nothing_over_itself(player):
    agent = McrAgent(player)
    found = gain(agent, agent, 3, 1)
    assert (found.mean, found.walls) == (0, 3)
    assert str(found) == "+0.0 ± 0.0 points a round (3 walls)"
