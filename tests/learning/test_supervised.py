"""The training loop: it learns, stops, goes on exactly, and refuses what does not fit."""

import itertools
import json

import pytest

pytest.importorskip("torch", reason="needs the extra [train]")

import torch

from suzaku.learning.config import Config
from suzaku.learning.report import write_report
from suzaku.learning.supervised import Trainer, learning_rate
from suzaku.networks import checkpoint

SMALL = Config(
    network="suphx-b1c16",
    steps=24,
    batch=64,
    warm_up=4,
    rate=5e-3,
    eval_every=12,
    eval_samples=300,
    save_every=6,
    lookahead=False,
    bfloat16=False,
)


def weights(trainer):
    return torch.cat([tensor.flatten().float() for tensor in trainer.module.state_dict().values()])


def test_rate_rises_and_falls():
    rates = [learning_rate(SMALL, step) for step in range(SMALL.steps + 1)]
    assert rates[0] < rates[3] == pytest.approx(SMALL.rate)
    assert all(a >= b for a, b in itertools.pairwise(rates[4:]))
    assert rates[-1] == pytest.approx(0)


def test_learns_and_reports(store, tmp_path):
    said = []
    trainer = Trainer(SMALL, store, tmp_path / "run")
    trainer.run(said.append, every=6)
    assert said[-1].loss < said[0].loss
    assert [row["step"] for row in trainer.curve] == [12, 24]
    report = write_report(trainer, None)[0].read_text(encoding="utf-8")
    assert "the paper 76.7 %" in report
    module, info = checkpoint.load(tmp_path / "run" / "best")
    assert info["network"] == "suphx-b1c16"
    assert 0 < info["results"]["validation"]["accuracy"] < 1
    assert next(module.parameters()).dtype == torch.float32


def test_an_interrupted_run_ends_like_a_whole_one(store, tmp_path):
    whole = Trainer(SMALL, store, tmp_path / "whole")
    whole.run(lambda _: None)

    def interrupt(progress):
        if progress.step == 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Trainer(SMALL, store, tmp_path / "halves").run(interrupt, every=1)
    second = Trainer(SMALL, store, tmp_path / "halves")
    assert second.step == 10
    second.run(lambda _: None)
    assert torch.allclose(weights(whole), weights(second), atol=1e-5)
    assert json.dumps(whole.curve[-1]["step"]) == json.dumps(second.curve[-1]["step"])


def test_other_settings_do_not_go_on(store, tmp_path):
    Trainer(SMALL, store, tmp_path / "run").save()
    with pytest.raises(ValueError, match=r"other settings \(rate\)"):
        Trainer(Config(**{**SMALL.to_dict(), "rate": 1e-4}), store, tmp_path / "run")


@pytest.mark.parametrize(("network", "model"), [("gao-86", "discard"), ("gao-86", "chow"), ("suphx-b1c16", "pong")])
def test_other_models_train(store, tmp_path, network, model):
    config = Config(
        **{**SMALL.to_dict(), "network": network, "model": model, "steps": 2, "eval_every": 2, "balance": 1.0}
    )
    trainer = Trainer(config, store, tmp_path / "run")
    trainer.run(lambda _: None)
    assert trainer.curve[-1]["accuracy"] > 0


def test_a_run_may_start_from_a_checkpoint(store, tmp_path):
    first = Trainer(SMALL, store, tmp_path / "first")
    first.save()
    start = {**SMALL.to_dict(), "start": str(tmp_path / "first" / "last")}
    assert torch.equal(weights(Trainer(Config(**start), store, tmp_path / "second")), weights(first))
    with pytest.raises(ValueError, match="cannot start suphx-b1c16 riichi"):
        Trainer(Config(**{**start, "model": "riichi"}), store, tmp_path / "third")
