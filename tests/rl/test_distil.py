"""The divergence between an oracle and the player, and the deal's worth as a control variate."""

import copy

import numpy as np
import pytest
import torch

from suzaku.rl.buffer import replay_games
from suzaku.rl.critic import DealCritic
from suzaku.rl.distil import divergence
from suzaku.rl.policy import Steps


def steps(legal):
    n = len(legal)
    return Steps(np.arange(n), np.zeros(n, np.int64), np.full(n, -1), np.array(legal, np.bool_))


def test_divergence_is_that_of_the_legal_choices_at_the_temperature():
    batch = {"discard": (steps([[True, True, False], [True, True, True]]), np.arange(2))}
    p = {"discard": torch.tensor([[1.0, 0, 9], [0, 1, 2]])}
    q = {"discard": torch.tensor([[0.0, 0, -9], [0, 1, 2]], requires_grad=True)}
    found = divergence(p, q, batch, 0.5)
    first = torch.softmax(torch.tensor([2.0, 0]), 0)
    wanted = float((first * (first.log() - np.log(0.5))).sum()) / 2
    assert float(found.detach()) == pytest.approx(wanted)
    found.backward()
    assert torch.isfinite(q["discard"].grad).all()
    assert q["discard"].grad[0, 0] < 0 < q["discard"].grad[0, 1]  # towards the oracle's choice
    assert q["discard"].grad[0, 2] == 0
    assert q["discard"].grad[1].abs().max() < 1e-7


def test_the_worth_of_a_deal_is_one_number_a_sequence_and_known_before_its_reward(games):
    from suzaku.features.suphx import encode_sparse

    decisions = replay_games(games)
    order, number = decisions.sequences()
    part = decisions.part(order)
    planes = encode_sparse(part.records, False)
    torch.manual_seed(1)
    rng = np.random.default_rng(1)
    per_sequence = rng.normal(size=number.max() + 1).astype(np.float32)
    reward = per_sequence[number]
    critic = DealCritic("b1c8", True, 3e-3, 1.0, "cpu", False)
    first = critic.expect(planes, part.records, number, reward)
    assert all(len(set(first[number == one])) == 1 for one in np.unique(number)[:30])
    other = DealCritic("b1c8", True, 3e-3, 1.0, "cpu", False)
    other.restore(copy.deepcopy(critic.state()))
    again = critic.expect(planes, part.records, number, reward)
    # the rewards of these games had no part in what was said of them
    assert np.array_equal(other.expect(planes, part.records, number, -reward), again)
    for _ in range(40):
        last = critic.expect(planes, part.records, number, reward)
    assert np.square(last - reward).mean() < 0.7 * np.square(first - reward).mean()  # the deals are told apart
