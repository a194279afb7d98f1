"""Eq. (3), and entropies."""

import math

import pytest
import torch

from suzaku.rl.config import ALPHA_LIMIT, RlConfig
from suzaku.rl.policy_gradient import EntropyControl, binary_entropy, categorical_entropy


def test_alpha_follows_the_entropy_to_its_target():
    control = EntropyControl(0.5, 0.0, 0.1)
    control.follow(0.8)  # the first one sets the target
    assert control.target == pytest.approx(0.4)
    assert control.alpha == pytest.approx(0.1 * (0.4 - 0.8))
    control.follow(0.3)
    assert control.alpha == pytest.approx(0.1 * (0.4 - 0.8) + 0.1 * (0.4 - 0.3))
    for _ in range(100):
        control.follow(0.0)
    assert control.alpha == ALPHA_LIMIT
    again = EntropyControl(0.5, 0.0, 0.1)
    again.restore(control.state())
    again.follow(0.7)
    control.follow(0.7)
    assert again.state() == control.state()


def test_entropies_leave_out_what_cannot_be_chosen():
    logits = torch.tensor([[0.0, 0.0, -math.inf], [0.0, -math.inf, -math.inf]], requires_grad=True)
    found = categorical_entropy(torch.log_softmax(logits, 1))
    assert found.tolist() == pytest.approx([math.log(2), 0.0])
    found.sum().backward()
    assert torch.isfinite(logits.grad).all()
    assert float(binary_entropy(torch.zeros(()))) == pytest.approx(math.log(2))


def test_an_alpha_that_would_be_cut_is_refused():
    assert RlConfig(alpha=ALPHA_LIMIT).alpha == ALPHA_LIMIT
    with pytest.raises(ValueError, match=r"alpha must be at most 0\.1, not 0\.2"):
        RlConfig(alpha=0.2)
