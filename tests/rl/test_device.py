"""Learning on another device than the processor, without one: `meta` has no numbers, but refuses to mix devices."""

import numpy as np
import pytest
import torch

from suzaku.agents.suphx import SuphxAgent
from suzaku.learning.learner import Process
from suzaku.networks import checkpoint
from suzaku.rl.buffer import replay_games
from suzaku.rl.config import RlConfig
from suzaku.rl.policy import flow_of, learnable
from suzaku.rl.policy_update import PolicyUpdate
from tests.rl.helpers import learner

MODELS = ("discard", "riichi", "pong")


@pytest.fixture
def no_numbers(monkeypatch):
    """What is read off a tensor without numbers, and an optimiser that does not ask for them."""
    steps = []
    monkeypatch.setattr(torch.Tensor, "__float__", lambda self: 1.0)
    monkeypatch.setattr(torch, "isfinite", lambda value: True)
    monkeypatch.setattr(torch, "is_autocast_enabled", lambda device: False)
    monkeypatch.setattr(torch.optim, "Adam", lambda weights, **settings: torch.optim.SGD(weights, lr=1.0))
    monkeypatch.setattr(torch.optim.SGD, "step", lambda self: steps.append(self))
    return steps


@pytest.fixture
def flow(player, games):
    decisions = replay_games(games[:1])
    rows = np.flatnonzero(learnable(decisions, MODELS))
    return flow_of(SuphxAgent(player, temperature=0.7, seed=3), decisions.part(rows), MODELS)


def on_meta(player):
    return {model: checkpoint.load(player / model)[0].to("meta") for model in MODELS}


@pytest.mark.parametrize("way", ["plain", "natural"])
def test_a_step_takes_everything_to_the_device_of_the_weights(player, flow, no_numbers, way):
    more = {"natural": 1.0, "natural_blocks": 1} if way == "natural" else {}
    config = RlConfig(learn="+".join(MODELS), anchor=0.1, **more)
    update = PolicyUpdate(on_meta(player), config, torch.autocast("cpu", enabled=False))
    figures = update.step(flow, np.arange(len(flow)), np.zeros(len(flow), np.float32), 0, True, 2.0)
    assert {"entropy", "kl_start", "rejected"} <= set(figures)
    if way == "natural":
        assert set(update.end_iteration()) == {"natural_step", "natural_luck"}
    else:
        assert len(no_numbers) == 1


def test_several_processes_are_refused(player, tmp_path):
    with pytest.raises(ValueError, match="leave torchrun out"):
        learner(player, tmp_path, process=Process(0, 2))


@pytest.mark.parametrize(("wanted", "has", "expected"), [(True, True, torch.bfloat16), (True, False, torch.float32),
                                                         (False, True, torch.float32)])  # fmt: skip
def test_it_computes_in_bfloat16_where_the_machine_has_it(player, flow, tmp_path, monkeypatch, wanted, has, expected):
    monkeypatch.setattr("suzaku.rl.learner.has_bfloat16", lambda device: has)
    one = learner(player, tmp_path, bfloat16=wanted)
    seen = set()
    one.modules["discard"].register_forward_hook(lambda module, planes, logits: seen.add(logits.dtype))
    one.update.log_prob(flow, np.flatnonzero(flow.of_row["discard"][1:] > flow.of_row["discard"][:-1])[:4])
    assert seen == {expected}
