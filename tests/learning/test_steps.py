"""The settings of supervised learning, one at a time, against AdamW on the cross entropy in plain NumPy."""

from pathlib import Path

import numpy as np
import pytest
import torch
from msgspec.structs import replace

pytest.importorskip("torch", reason="needs the extra [train]")

from suzaku.learning.config import Config
from suzaku.learning.loader import LoadedBatch, Loader
from suzaku.learning.supervised import Supervised
from tests.learning.helpers import Linear, LinearAdam, every_setting_has_a_test, flat, rate_at

N, WIDTH = 64, 6
BASE = Config(network="suphx-b1c8", model="pong", steps=6, batch=N, warm_up=1, rate=0.05, clip=100.0, bfloat16=False)
CASES = [
    {"steps": 12},
    {"warm_up": 0},
    {"warm_up": 3},
    {"rate": 0.02},
    {"decay": 0.5},
    {"clip": 0.1},
    {"balance": 1.0},
    {"balance": 0.5},
    {"average": 0.5},
]


class Data:
    """Four batches of what is seen and whether it was called, and the network at the start."""

    def __init__(self):
        rng = np.random.default_rng(3)
        self.seen = rng.integers(0, 3, size=(4, N, WIDTH)).astype(np.uint8)
        self.label = (rng.random((4, N)) < 0.2).astype(np.int64)
        self.weight, self.bias = rng.normal(size=(2, WIDTH)), rng.normal(size=2)


def learnt(data, store, monkeypatch, config):
    """The weights after four steps, and those that are kept."""
    monkeypatch.setattr(Supervised, "_begin", lambda self: Linear(data.weight, data.bias))
    one = Supervised(config, store)
    for step, (seen, label) in enumerate(zip(data.seen, data.label, strict=True)):
        one.learn(LoadedBatch(seen, label, None), step)
    return flat(one.module), flat(one.player)


def reference(data, config):
    """The same by hand."""
    adam = LinearAdam(data.weight, data.bias, config.clip, config.decay)
    kept = adam.weights
    for step, (seen, label) in enumerate(zip(data.seen, data.label, strict=True)):
        logits = seen @ adam.weight.T + adam.bias
        said = np.exp(logits - logits.max(1, keepdims=True))
        said /= said.sum(1, keepdims=True)
        weigh = (N / (2 * np.bincount(label, minlength=2))) ** config.balance
        wanted = weigh[label][:, None] * (said - np.eye(2)[label]) / weigh[label].sum()
        adam.learn(rate_at(config, step), seen, wanted)
        keep = min(config.average, (step + 1) / (step + 10)) if config.average else 0
        kept = keep * kept + (1 - keep) * adam.weights
    return adam.weights, kept


@pytest.mark.parametrize("changed", CASES, ids=lambda one: ",".join(f"{k}={v}" for k, v in one.items()))
def test_a_setting_does_what_it_says(store, monkeypatch, changed):
    data, config = Data(), replace(BASE, **changed)
    before, wanted = reference(data, BASE), reference(data, config)
    far = max(np.abs(one - other).max() for one, other in zip(wanted, before, strict=True))
    assert far > 2e-3  # the setting has an effect
    for one, other in zip(learnt(data, store, monkeypatch, config), wanted, strict=True):
        np.testing.assert_allclose(one, other, atol=2e-4, rtol=1e-4)


def first_batch(store, **changed):
    loader = Loader(store, replace(BASE, **changed))
    loader.wait()
    loader.close()
    return next(loader)


def test_gaos_networks_drop_values_while_they_learn_if_it_is_wanted(store):
    seen = torch.from_numpy(first_batch(store, network="gao-86", model="discard").planes)
    for dropout in (True, False):
        module = Supervised(replace(BASE, network="gao-86", model="discard", dropout=dropout), store).module.train()
        assert torch.equal(module(seen), module(seen)) != dropout
        module.eval()
        assert torch.equal(module(seen), module(seen))


@pytest.mark.parametrize(
    "changed", [{"augment": False}, {"lookahead": False}, {"select": "one"}, {"part": 2}, {"seed": 2}, {"workers": 2}]
)
def test_what_the_loader_makes_of_a_setting(store, changed):
    usual, again, other = (first_batch(store, model="discard", **more) for more in ({}, {}, changed))
    assert np.array_equal(usual.planes, again.planes)
    assert not np.array_equal(usual.planes, other.planes)
    if "augment" in changed:
        assert np.array_equal(usual.planes.sum((1, 2)), other.planes.sum((1, 2)))  # the tiles have other suits
    if "lookahead" in changed:
        assert np.array_equal(usual.label, other.label)
        assert (usual.planes.sum((1, 2)) > other.planes.sum((1, 2))).any()


def test_who_is_followed_is_what_the_networks_paper_did():
    assert [replace(BASE, network=name).one_player for name in ("suphx-b1c8", "gao-86")] == [False, True]
    assert [replace(BASE, network="gao-86", select=name).one_player for name in ("all", "one")] == [False, True]


@pytest.mark.parametrize("samples", [20, 30])
def test_so_many_samples_are_evaluated(store, samples):
    assert (
        Supervised(replace(BASE, model="discard", eval_samples=samples), store).validate(0).results["samples"]
        == samples
    )


ELSEWHERE = {  # where the effects of the other settings are tested
    "network": "test_supervised::test_other_models_train",
    "model": "test_supervised::test_other_models_train",
    "start": "test_supervised::test_a_run_may_start_from_a_checkpoint",
    "batch": "test_supervised::test_an_interrupted_run_ends_like_a_whole_one",
    "auxiliary": "test_supervised::test_an_auxiliary_head_learns_and_stays_out_of_the_player",
    "dropout": "test_steps::test_gaos_networks_drop_values_while_they_learn_if_it_is_wanted",
    "augment": "test_steps::test_what_the_loader_makes_of_a_setting",
    "lookahead": "test_steps::test_what_the_loader_makes_of_a_setting",
    "select": "test_steps::test_what_the_loader_makes_of_a_setting",
    "players": "test_supervised::test_two_stores_and_some_players_teach",
    "part": "test_steps::test_what_the_loader_makes_of_a_setting",
    "seed": "test_steps::test_what_the_loader_makes_of_a_setting",
    "workers": "test_steps::test_what_the_loader_makes_of_a_setting",
    "eval_every": "test_supervised::test_learns_and_reports",
    "eval_samples": "test_steps::test_so_many_samples_are_evaluated",
    "save_every": "test_loop::test_a_killed_run_ends_with_the_same_bits",
    "bfloat16": "test_supervised::test_bfloat16_is_for_machines_that_have_it",
}


def test_every_setting_has_a_test():
    every_setting_has_a_test(Config, {name for changed in CASES for name in changed}, ELSEWHERE, Path(__file__))
