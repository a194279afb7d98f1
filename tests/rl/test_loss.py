"""Eq. (1) and its clipping, against numbers worked out by hand."""

import math

import pytest
import torch

from suzaku.rl.loss import effective_share, policy_loss


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
