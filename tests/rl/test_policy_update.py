"""A step of the policy: which way the entropy and the distance from the start pull, and what an illegal pair does."""

import numpy as np
import pytest
import torch

from suzaku.features.channels import SUPHX_CHANNELS
from suzaku.rl.policy_update import PolicyUpdate
from tests.rl.helpers import GUIDED, learner, prepared, same, weights


def steps_of(one, games, times=4):
    """The figures of some steps on the same decisions, none of which was good or bad."""
    flow, _ = prepared(one, games)
    rows, nothing = np.arange(len(flow)), np.zeros(len(flow), np.float32)
    return [one.update.step(flow, rows, nothing, 0, True, 0.0) for _ in range(times)]


@pytest.mark.parametrize("alpha", [0.1, -0.1])
def test_the_entropy_goes_where_alpha_pulls_it(player, games, tmp_path, alpha):
    one = learner(player, tmp_path, rate=1e-3)
    one.update.entropy.alpha = alpha
    found = [figures["entropy"] for figures in steps_of(one, games)]
    assert np.sign(found[-1] - found[0]) == np.sign(alpha)
    assert abs(found[-1] - found[0]) > 1e-3


@pytest.mark.parametrize("alpha", [0.1, -0.1])
def test_by_natural_gradient_too(player, games, tmp_path, alpha):
    one = learner(player, tmp_path, natural=1.0, natural_blocks=1, sure=1.0, advantage="mean")
    one.update.entropy.alpha = alpha
    flow, _ = prepared(one, games)
    rows, nothing = np.arange(len(flow)), np.zeros(len(flow), np.float32)
    found = []
    for _ in range(2):
        found.append(one.update.step(flow, rows, nothing, 0, True, 0.0)["entropy"])
        one.update.end_iteration()
    assert np.sign(found[1] - found[0]) == np.sign(alpha)
    assert abs(found[1] - found[0]) > 1e-3


def test_the_anchor_pulls_towards_the_start(player, games, tmp_path):
    apart = {}
    for anchor in (0.0, 1.0):
        one = learner(player, tmp_path / str(anchor), rate=1e-3, anchor=anchor)
        with torch.no_grad():
            one.modules["discard"].head.last.weight.mul_(0.7)  # it has gone astray
        apart[anchor] = [figures["kl_start"] for figures in steps_of(one, games)]
    assert apart[1.0][0] == pytest.approx(apart[0.0][0])
    assert apart[1.0][-1] < 0.9 * apart[1.0][0]
    assert apart[0.0][-1] == pytest.approx(apart[0.0][0])  # nothing else moves it


def test_an_illegal_pair_is_told_and_not_learnt_from(player, games, tmp_path):
    one = learner(player, tmp_path, anchor=0.5)
    flow, _ = prepared(one, games)
    steps = flow.steps["discard"]
    steps.legal[0] = False
    steps.legal[0, (steps.answer[0] + 1) % 34] = True  # what was played cannot be
    rows, gained = np.arange(len(flow)), np.ones(len(flow), np.float32)
    assert isinstance(one.update, PolicyUpdate)
    figures = one.update.step(flow, rows, gained, 0, True, 0.0)
    assert figures["illegal"] == pytest.approx(1 / len(flow))
    assert figures["effective"] == pytest.approx(1, abs=1e-3)
    assert np.isfinite(figures["kl_start"])
    assert all(torch.isfinite(value).all() for value in one.modules["discard"].state_dict().values())


def test_pairs_with_a_large_weight_are_left_out_of_a_step(player, games, tmp_path):
    learnt, figures = {}, {}
    for reject in (0.0, 2.0):
        one = learner(player, tmp_path / str(reject), rate=1e-3, clip=0.0)
        flow, _ = prepared(one, games)
        flow.behaviour[::4] -= np.log(8)  # now eight times as likely as when it was played
        rows, gained = np.arange(len(flow)), np.ones(len(flow), np.float32)
        figures[reject] = one.update.step(flow, rows, gained, 0, True, reject)
        learnt[reject] = weights(one)
    assert "rejected" not in figures[0.0]
    assert figures[2.0]["rejected"] == pytest.approx(1 / 4, abs=0.01)
    assert not same(learnt[0.0], learnt[2.0])


def test_the_weights_of_the_perfect_features_learn_so_many_times_as_fast(player, games, tmp_path):
    moved = {}
    for factor in (1.0, 3.0):
        one = learner(player, tmp_path / str(factor), **GUIDED, oracle_rate=factor)
        one.begin(0)
        flow, reward = one.prepare(games)
        before = weights(one)
        one.update.step(flow, np.arange(len(flow)), reward, 0, True, 0.0)
        one.end()
        moved[factor] = {name: value - before[name] for name, value in weights(one).items()}
    usual, hastened = (moved[factor].pop("stem.weight") for factor in (1.0, 3.0))
    assert usual[:, SUPHX_CHANNELS:].any()
    torch.testing.assert_close(hastened[:, SUPHX_CHANNELS:], 3 * usual[:, SUPHX_CHANNELS:])
    assert torch.equal(hastened[:, :SUPHX_CHANNELS], usual[:, :SUPHX_CHANNELS])
    assert same(moved[1.0], moved[3.0])
