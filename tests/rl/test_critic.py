"""Critics: a value network that begins with the layers of the start, and how much it learns."""

import copy

import numpy as np
import pytest
import torch

from suzaku.features.channels import ORACLE_CHANNELS, SUPHX_CHANNELS
from suzaku.networks.bundled import bundled
from suzaku.networks.checkpoint import load
from suzaku.rl import critic as module
from suzaku.rl.buffer import replay_games
from suzaku.rl.config import RlConfig
from suzaku.rl.critic import AT_ONCE, Critic, build_value
from suzaku.rl.learner import Reinforcement

SMALL = {
    "games": 2,
    "tables": 3,
    "length": "east",
    "batch": 64,
    "save_every": 1,
    "bfloat16": False,
    "workers": 0,
    "walls": 0,
}


def test_a_value_network_begins_with_the_layers_of_the_start():
    start, _ = load(bundled("weak") / "discard")
    value = build_value("start", SUPHX_CHANNELS + ORACLE_CHANNELS, start)
    learnt, found = start.state_dict(), value.state_dict()
    assert torch.equal(found["stem.weight"][:, :SUPHX_CHANNELS], learnt["stem.weight"])
    assert not found["stem.weight"][:, SUPHX_CHANNELS:].any()  # nothing hidden is looked at yet
    layers = [name for name in learnt if not name.startswith(("head", "stem.weight"))]
    assert layers
    assert all(torch.equal(found[name], learnt[name]) for name in layers)
    assert found["head.last.weight"].shape == (1, 256)


def test_a_start_of_another_family_has_no_layers_to_give(tmp_path):
    with pytest.raises(ValueError, match="value_network=start needs a discard model of suphx"):
        build_value("start", 55, load(bundled("gao") / "discard")[0])


def test_all_states_of_a_batch_are_learnt_from_some_at_a_time(games):
    from suzaku.features.suphx import encode_sparse

    decisions = replay_games(games)
    planes = encode_sparse(decisions.records[: AT_ONCE + 1], False)
    torch.manual_seed(1)
    critic = Critic("b1c8", False, 1e-3, 1.0, "cpu", False)
    other = Critic("b1c8", False, 1e-3, 1.0, "cpu", False)
    other.restore(copy.deepcopy(critic.state()))
    reward = np.zeros(AT_ONCE + 1, np.float32)
    critic.learn(planes, reward)
    steps = {int(state["step"]) for state in critic.optimiser.state.values()}
    assert steps == {2}
    for rows in (slice(0, AT_ONCE), slice(AT_ONCE, None)):
        other.learn(planes[rows], reward[rows])
    ours, theirs = critic.module.state_dict(), other.module.state_dict()
    assert all(torch.equal(ours[name], theirs[name]) for name in ours)


def test_the_value_network_learns_from_every_batch_until_the_policy_learns(player, tmp_path, monkeypatch):
    config = RlConfig(
        start=str(player), critic="oracle", value_network="start", value_first=1, value_every=1000, **SMALL
    )
    one = Reinforcement(config, tmp_path)
    seen: list[int] = []
    monkeypatch.setattr(one.value, "learn", lambda planes, reward: seen.append(len(reward)))
    one.begin(0)
    counts = []
    for step in range(2):
        one.wait()
        one.learn(one.next_batch(), step)
        counts.append(len(seen))
        seen.clear()
    one.end()
    assert counts[0] > 1
    assert counts[1] == 1


def test_what_judges_is_an_average_of_the_weights(games):
    from suzaku.features.suphx import encode_sparse

    decisions = replay_games(games)
    planes = encode_sparse(decisions.records[:64], False)
    reward = np.linspace(-1, 1, 64, dtype=np.float32)
    torch.manual_seed(1)
    critic = Critic("b1c8", False, 1e-2, 1.0, "cpu", False)
    names = ("head.last.bias", "norm.running_mean")
    wanted = {name: critic.module.state_dict()[name].clone() for name in names}
    for step in range(1, 31):
        critic.learn(planes, reward)
        for name in names:
            wanted[name] += (critic.module.state_dict()[name] - wanted[name]) * 9 / (step + 9)
    for name in names:
        torch.testing.assert_close(critic.mean.state_dict()[name], wanted[name])
        assert not torch.allclose(critic.mean.state_dict()[name], critic.module.state_dict()[name])
    other = Critic("b1c8", False, 1e-2, 1.0, "cpu", False)
    other.restore(copy.deepcopy(critic.state()))
    for one in (critic, other):
        one.learn(planes, reward)
    assert np.array_equal(other.predict(planes), critic.predict(planes))


def test_states_are_judged_some_at_a_time(games, monkeypatch):
    from suzaku.features.suphx import encode_sparse

    records = replay_games(games).records[:50]
    seen = encode_sparse(records, False)
    torch.manual_seed(1)
    critic = Critic("b1c8", True, 1e-3, 1.0, "cpu", False)
    with torch.no_grad():
        critic.mean.head.last.weight.mul_(100)  # so that the states differ
    together = critic.judge(seen, records)
    monkeypatch.setattr(module, "JUDGED", 7)
    assert together.std() > 0.1
    np.testing.assert_allclose(critic.judge(seen, records), together, rtol=1e-4, atol=1e-4)


def test_the_value_network_learns_at_its_own_rate(player, games, tmp_path):
    from suzaku.features.suphx import encode_sparse

    records = replay_games(games).records[:2]
    for rate in (1e-3, 2e-3):
        config = RlConfig(start=str(player), **{**SMALL, "value_network": "b1c8", "value_rate": rate})
        critic = Reinforcement(config, tmp_path / str(rate)).value
        before = [weight.detach().clone() for weight in critic.module.parameters()]
        critic.learn(critic.planes(encode_sparse(records, False), records), np.array([3, -1], np.float32))
        moved = [
            float((new.detach() - old).abs().max()) for new, old in zip(critic.module.parameters(), before, strict=True)
        ]
        assert max(moved) == pytest.approx(rate, rel=1e-3)  # as far as Adam's first step goes
