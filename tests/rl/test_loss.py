"""Eq. (1) and its clipping, against numbers worked out by hand."""

import math

import pytest
import torch

from suzaku.rl.policy_gradient import effective_share, policy_loss


def gradient(now, behaviour, advantage, clip):
    log_prob = torch.tensor([math.log(now)], requires_grad=True)
    found = policy_loss(log_prob, torch.tensor([math.log(behaviour)]), torch.tensor([advantage]), clip)
    found.loss.backward()
    return float(found.loss.detach()), float(log_prob.grad), found


def test_the_loss_is_the_weighted_advantage():
    loss, slope, found = gradient(0.3, 0.2, 2.0, 0)
    assert loss == pytest.approx(-1.5 * 2.0)
    assert slope == pytest.approx(-1.5 * 2.0)  # d exp(x) = exp(x)
    assert float(found.weights) == pytest.approx(1.5)


@pytest.mark.parametrize(
    ("now", "advantage", "moves"),
    [(0.3, 1.0, False), (0.3, -1.0, True), (0.1, -1.0, False), (0.1, 1.0, True), (0.21, 1.0, True)],
)
def test_clipping_stops_what_went_far_enough_and_nothing_else(now, advantage, moves):
    _, slope, found = gradient(now, 0.2, advantage, 0.2)
    assert (slope != 0) == moves
    assert found.clipped == (0.0 if moves else 1.0)


def test_the_effective_share():
    assert effective_share(torch.ones(7)) == pytest.approx(1)
    assert effective_share(torch.tensor([1.0, 0, 0, 0])) == pytest.approx(0.25)


def test_rejection_drops_exactly_the_pairs_above_the_threshold():
    now = torch.tensor([0.2, 0.4, 0.41, 0.9, 0.1]).log().requires_grad_()
    behaviour, advantage = torch.full((5,), math.log(0.2)), torch.tensor([1.0, -1.0, -1.0, -2.0, 3.0])
    found = policy_loss(now, behaviour, advantage, 0, reject=2.0001)
    found.loss.backward()
    assert found.kept.tolist() == [1, 1, 0, 0, 1]
    wanted = -torch.tensor([1.0, 2.0, 0, 0, 0.5]) * advantage / 3  # the mean is over those that are left
    assert now.grad.tolist() == pytest.approx(wanted.tolist(), abs=1e-6)
    assert float(found.loss.detach()) == pytest.approx(float(wanted.sum()))
    everything = policy_loss(now, behaviour, advantage, 0)
    assert everything.kept.tolist() == [1] * 5
    none = policy_loss(now, behaviour, advantage, 0, reject=0.1)
    assert float(none.loss.detach()) == 0
