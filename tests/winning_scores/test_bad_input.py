"""What goes wrong is said in one sentence: hands, models, stores, a full disk; an interrupt keeps what was learnt."""

import errno
import os
import re

import pytest
from typer.testing import CliRunner

from suzaku.agents.make import make_agent
from suzaku.cli.main import app
from suzaku.winning_scores.forecast import hand_chances
from suzaku.winning_scores.learner import WinningConfig, WinningLearner
from suzaku.winning_scores.model import Model, load_model

SMALL = ("hands=400", "baseline=400", "step_hands=100", "eval_every=100", "eval_hands=10", "save_every=1")


@pytest.fixture
def train(tmp_path, monkeypatch):
    """Runs `suzaku train winning-scores` in this process."""
    monkeypatch.setattr("suzaku.cli.compile.prepare", lambda *names: None)

    def run(*more: str):
        words = ["train", "winning-scores", "--out", str(tmp_path / "run")]
        for setting in SMALL:
            words += ["--set", setting]
        return CliRunner().invoke(app, [*words, *more])

    return run


@pytest.mark.parametrize(
    ("hand", "told"),
    [
        ("123m4067p234789s", "has 13 tiles, expected 14"),
        ("123m4067p234789s11z", "has 15 tiles, expected 14"),
        ("11111m4067p2347s1z", "5 tiles 1m"),
        ("123x", "123x"),
    ],
)
def test_a_hand_that_is_none(hand, told):
    with pytest.raises(ValueError, match=told) as caught:
        hand_chances(hand)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("draws", [-1, 19])
def test_draws_that_no_hand_has(draws):
    with pytest.raises(ValueError, match=f"draws must be 0 to 18, not {draws}"):
        hand_chances("123m4067p234789s1z", draws=draws)


def test_a_model_of_another_feature_list_cannot_play(tmp_path, monkeypatch):
    with monkeypatch.context() as old:
        old.setattr("suzaku.winning_scores.model.features_hash", lambda: "0123")
        Model("bcp", "one-player").save(tmp_path / "best")
    with pytest.raises(ValueError, match="was trained on the feature list 0123, this Suzaku has"):
        make_agent(f"efr:{tmp_path}")


def test_a_run_of_another_feature_list_is_not_continued(train, monkeypatch):
    with monkeypatch.context() as old:
        old.setattr("suzaku.winning_scores.learner.features_hash", lambda: "0123")
        old.setattr("suzaku.winning_scores.learner.load_model", lambda folder: None)
        assert train().exit_code == 0
    found = train()
    assert found.exit_code == 2
    assert "holds a run with the feature list 0123" in found.stderr


def test_expected_ranks_need_a_reward_predictor(tmp_path):
    """`suzaku train reward` refuses a store without finished games: see tests/learning/test_reward.py."""
    with pytest.raises(ValueError, match="holds no reward predictor"):
        make_agent(f"efr:bcp,reward={tmp_path}")


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("tiles=84", "tiles must be at most 83, not 84"),
        ("opponents=none", "opponents must be one of drawing, one-player"),
        ("rate=0", "rate must be"),
        ("explore=1.5", "explore must be at most 1, not 1.5"),
    ],
)
def test_settings_that_cannot_be(train, setting, told):
    found = train("--set", setting)
    assert found.exit_code == 2
    assert re.search(told, found.stderr)


def test_an_interrupt_keeps_what_was_learnt(train, tmp_path, monkeypatch):
    learn = WinningLearner.learn

    def interrupted(self, batch, step):
        if batch[0] == 200:
            raise KeyboardInterrupt
        return learn(self, batch, step)

    with monkeypatch.context() as at:
        at.setattr(WinningLearner, "learn", interrupted)
        found = train()
    assert found.exit_code == 130
    assert "keeps what was learnt" in found.stderr
    assert load_model(tmp_path / "run" / "last").about["hands"] == 200
    assert train().exit_code == 0
    whole = WinningLearner(WinningConfig(hands=400, baseline=400, step_hands=100))
    for first in range(0, 400, 100):
        whole.learn((first, 100), 0)
    assert load_model(tmp_path / "run").about["hands"] == 400
    assert load_model(tmp_path / "run").weights == pytest.approx(whole.model.weights, rel=1e-2, abs=1e-3)


def test_a_full_disk_is_told_and_the_last_checkpoint_stays(train, tmp_path, monkeypatch):
    assert train("--set", "hands=200").exit_code == 0
    before = load_model(tmp_path / "run" / "last").about["hands"]

    def full(path, data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    with monkeypatch.context() as at:
        at.setattr("suzaku.winning_scores.model.write_whole", full)
        found = train("--out", str(tmp_path / "other"))
    assert found.exit_code == 2
    assert "no space left on the device" in found.stderr
    assert load_model(tmp_path / "run" / "last").about["hands"] == before
