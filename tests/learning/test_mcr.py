"""Samples of MCR, and a network that learns from them by the loop that all use."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra [train]")

from suzaku.arena.selfplay import play_store, self_play
from suzaku.features.sets import SETS
from suzaku.features.symmetry import KIND_SOURCES, SUIT_ORDERS
from suzaku.learning.config import Config
from suzaku.learning.loop import Run
from suzaku.learning.samples import encode, exchange_suits, samples_of, stream
from suzaku.learning.supervised import Supervised
from suzaku.mcr import actions as act
from suzaku.networks.info import read_info
from suzaku.networks.spec import model_spec
from suzaku.records.decisions import decisions_of

UNITS, PLAN = "mcr-55-b1x3c8", "mcr-plan-b1c8"


@pytest.fixture(scope="module")
def batch():
    games = list(self_play("heuristic", range(4), 6, game="mcr", tables=4))
    return next(iter(decisions_of(games, None, game="mcr", batch=400)))


def test_discards(batch):
    found = samples_of(batch, model_spec(UNITS, "discard"))
    assert len(found) == (batch.action < 34).sum() > 100
    assert found.legal[np.arange(len(found)), found.label].all()
    assert (found.legal.sum(1) > 1).all()


def test_a_claim_is_one_sample_or_one_for_each_meld(batch):
    answered = (batch.action == act.PASS) | (batch.action >= act.CHOW_LOW) & (batch.action <= act.PONG)
    chows = batch.legal[:, act.CHOW_LOW : act.PONG]
    once, each = samples_of(batch, model_spec(UNITS, "chow")), samples_of(batch, model_spec(PLAN, "chow"))
    assert len(once) == (chows.any(1) & answered).sum() > 10
    assert len(each) == chows[answered].sum() > len(once)
    made = (batch.action >= act.CHOW_LOW) & (batch.action < act.PONG)
    assert once.label.sum() == each.label.sum() == made.sum() > 0
    pongs = samples_of(batch, model_spec(UNITS, "pong"))
    assert pongs.label.sum() == (batch.action == act.PONG).sum()
    assert len(pongs) == (batch.legal[:, act.PONG] & answered).sum()


def test_suits_are_exchanged_in_planes_and_labels_alike(batch):
    found = samples_of(batch, model_spec(UNITS, "discard"))
    before, label = encode(found, SETS["mcr-55"]), found.label.copy()
    planes = before.copy()
    exchange_suits(planes, found, np.random.default_rng(1), "mcr")
    changed = (planes != before).any((1, 2))
    assert 0.3 < changed.mean() < 0.95  # not the hands that lack a suit, nor the order that changes nothing
    for i in np.flatnonzero(changed)[:20]:
        orders = [k for k in range(len(SUIT_ORDERS)) if (before[i][:, KIND_SOURCES[k]] == planes[i]).all()]
        assert any(KIND_SOURCES[k][found.label[i]] == label[i] for k in orders)
        assert planes[i, 0, found.label[i]] == 255  # the tile thrown is held


def test_learning_resumes_and_reports(tmp_path):
    play_store("shanten", 200, 3, tmp_path / "store", lambda n: None, game="mcr")
    config = Config(network=UNITS, steps=3, batch=32, warm_up=1, eval_every=3, eval_samples=64, save_every=1)
    whole = Run(Supervised(config, tmp_path / "store"), tmp_path / "whole")
    whole.run(lambda figures: None)
    results = read_info(tmp_path / "whole" / "best")["results"]["validation"]
    assert 0 < results["accuracy"] < 1
    assert results["by_others_riichi"] == {}

    def stop(figures):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Run(Supervised(config, tmp_path / "store"), tmp_path / "parts").run(stop, every=1)
    going = Run(Supervised(config, tmp_path / "store"), tmp_path / "parts")
    assert 0 < going.step < 3
    going.run(lambda figures: None)
    for name, value in whole.learner.module.state_dict().items():
        assert (going.learner.module.state_dict()[name] == value).all()
    with pytest.raises(ValueError, match="holds no games of riichi"):
        next(stream(tmp_path / "store", model_spec("suphx-b1c8", "discard"), 8, 1, split="train"))
