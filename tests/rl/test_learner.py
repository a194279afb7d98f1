"""Whole runs, small: what is learnt, exact resume, workers that are killed."""

import errno
import os
import shutil
import signal
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from suzaku.agents.suphx import SuphxAgent
from suzaku.cli.main import app
from suzaku.cli.train_rl import load_predictor
from suzaku.learning.loop import STATE, Run
from suzaku.networks.bundled import bundled
from suzaku.networks.checkpoint import load
from suzaku.rl.config import RlConfig
from suzaku.rl.learner import Reinforcement
from suzaku.rl.policy_gradient import policy_loss
from suzaku.system import write_whole, writing
from tests.rl.helpers import SMALL, learner, run, same, weights


@pytest.fixture(scope="module")
def whole(player, tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    one = learner(player, folder, iterations=4)
    seen = [weights(one)]
    figures = []

    def tell(found):
        figures.append(found)
        seen.append(weights(one))

    Run(one, folder).run(tell, every=1)
    return one, seen, figures, folder


def test_it_learns_the_discards_and_leaves_the_rest(whole, player):
    one, seen, figures, folder = whole
    assert same(seen[0], seen[1])  # in the first iteration the value network alone learns
    assert not any(same(a, b) for a, b in pairwise(seen[1:]))
    assert figures[-1]["explained"] != figures[0]["explained"]
    assert len(figures) == 4
    assert one.version == 4
    assert one.played >= 8
    assert one.learnt > 500
    assert figures[0]["effective"] == pytest.approx(1, abs=1e-3)  # nothing was learnt before: weights are 1
    assert figures[0]["illegal"] == 0
    assert abs(figures[0]["kl_behaviour"]) < 1e-2
    agent = SuphxAgent(folder / "last")
    given = SuphxAgent(player)
    assert agent.models["riichi"].hash == given.models["riichi"].hash
    assert agent.models["discard"].hash != given.models["discard"].hash


def test_it_goes_on_to_the_same_weights(whole, player, tmp_path):
    run(learner(player, tmp_path, iterations=4), tmp_path, steps=2)
    again = learner(player, tmp_path, iterations=4)
    run(again, tmp_path)
    assert again.version == 4
    assert again.played == whole[0].played
    assert same(weights(again), weights(whole[0]))


def test_killed_without_warning_it_goes_on_to_the_same_weights(player, tmp_path):
    """The last state is older than the newest games: what was played after it is played again, from the same buffer."""
    settings = {"iterations": 5, "reuse": 3, "games": 3, "save_every": 50, "keep_every": 3}
    one = learner(player, tmp_path / "whole", **settings)

    def tell(figures):
        if figures["step"] == 5:  # before the run is saved at its end: what kill -9 leaves
            shutil.copytree(tmp_path / "whole", tmp_path / "killed")

    Run(one, tmp_path / "whole").run(tell, every=1)
    again = Run(learner(player, tmp_path / "killed", **settings), tmp_path / "killed")
    assert again.step == 3
    again.run(lambda figures: None, every=1)
    assert saved(tmp_path / "killed") == saved(tmp_path / "whole")
    assert [path.name for path in (tmp_path / "whole" / "kept").iterdir()] == ["000003"]  # though no state was due
    assert SuphxAgent(tmp_path / "whole" / "kept" / "000003").models["discard"].hash != saved(tmp_path / "whole")


def saved(folder):
    return SuphxAgent(folder / "last").models["discard"].hash


def change_state(folder, change):
    """Make the state of a run one that was written otherwise."""
    state = torch.load(folder / STATE, weights_only=True)
    change(state)
    torch.save(state, folder / STATE)


def test_a_run_goes_on_with_the_models_it_began_with_alone(player, tmp_path):
    start, out = tmp_path / "player", tmp_path / "run"
    shutil.copytree(player, start)
    run(learner(start, out, iterations=1), out)
    for end in (".json", ".safetensors"):
        shutil.copy((bundled("weak") / "riichi").with_suffix(end), start)
    with pytest.raises(ValueError, match="began with another riichi model than there is now: put it back, or choose"):
        Run(learner(start, out, iterations=1), out)


def test_the_reward_may_be_the_predicted_one_of_the_game(player, tmp_path):
    settings = {"reward": "global", "length": "hanchan", "iterations": 2}
    one = learner(player, tmp_path, load_predictor(RlConfig(**settings)), **settings)
    before = weights(one)
    figures = run(one, tmp_path)
    assert all(np.isfinite(found["reward"]) for found in figures)
    assert 0.01 < figures[0]["reward"] < 1  # a round is part of a game, whose worth has the deviation 1
    assert not same(before, weights(one))
    other = load_predictor(RlConfig(**settings, reward_model="uma"))
    with pytest.raises(ValueError, match="began with another reward model"):
        Run(learner(player, tmp_path, other, **settings), tmp_path)


@pytest.mark.parametrize(("cores", "workers"), [(1, 0), (2, 1), (16, 8), (1000, 400)])
def test_half_of_the_cores_play_unless_it_is_said(monkeypatch, cores, workers):
    monkeypatch.setattr("suzaku.rl.config.cores", lambda: cores)
    assert RlConfig().workers == workers  # no more than games
    assert RlConfig(workers=0).workers == 0


def test_a_second_command_in_the_same_folder_is_refused(player, tmp_path):
    one = Run(learner(player, tmp_path, iterations=1), tmp_path)
    with writing(tmp_path), pytest.raises(ValueError, match="another command is writing"):
        one.run(lambda figures: None)
    assert one.step == 0
    one.run(lambda figures: None)
    assert one.step == 1


def test_reward_models_are_found():
    assert load_predictor(RlConfig()) is None
    for name in ("tenhou", "expert", "uma"):
        found = load_predictor(RlConfig(reward="global", reward_model=name))
        assert found.target == name
        given = load_predictor(RlConfig(reward="global", reward_model=str(bundled("reward") / name)))
        assert given.info == found.info
    with pytest.raises(ValueError, match="predicts hanchan games, not east"):
        load_predictor(RlConfig(reward="global", length="east"))
    with pytest.raises(ValueError, match="phoenix is neither a checkpoint nor a bundled reward predictor: there are"):
        load_predictor(RlConfig(reward="global", reward_model="phoenix"))
    with pytest.raises(ValueError, match="is missing"):
        load_predictor(RlConfig(reward="global", reward_model="runs/nowhere"))


def test_a_run_ends_after_hours_or_games_and_may_be_continued(player, tmp_path):
    one = learner(player, tmp_path, iterations=50)
    one.stop_after(None, 3)
    run(one, tmp_path)
    assert (one.version, one.played) == (2, 4)
    again = learner(player, tmp_path, iterations=50)
    again.stop_after(0.0, None)
    run(again, tmp_path)
    assert again.version == 2  # no time was left
    again.stop_after(1.0, 5)
    run(again, tmp_path)
    assert again.version == 3


def test_a_full_disk_is_told_and_the_last_state_stays(player, tmp_path, monkeypatch):
    settings = {"start": str(player), **SMALL, "iterations": 2}
    command = ["train", "rl", "--out", str(tmp_path / "run")]
    command += [word for key, value in settings.items() for word in ("--set", f"{key}={str(value).lower()}")]
    monkeypatch.setattr("suzaku.cli.compile.prepare", lambda *parts: None)
    writes = []

    def full(path, data):
        if writes:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        writes.append(write_whole(path, data))

    with monkeypatch.context() as at:
        at.setattr("suzaku.learning.loop.write_whole", full)
        found = CliRunner().invoke(app, command)
    assert found.exit_code == 2
    assert f"{STATE}: no space left on the device" in found.stderr
    assert Run(learner(player, tmp_path / "run", length="east", iterations=2), tmp_path / "run").step == 1
    found = CliRunner().invoke(app, command)
    assert found.exit_code == 0, found.stderr
    assert "2 iterations, " in found.stdout


def test_a_run_of_an_older_version_is_refused(player, tmp_path):
    run(learner(player, tmp_path, iterations=1), tmp_path)

    def change(state):
        state["value"] = state["value"]["module"]

    change_state(tmp_path, change)
    with pytest.raises(ValueError, match=r"begun by an older version of Suzaku: choose another --out"):
        Run(learner(player, tmp_path, iterations=2), tmp_path)


def test_the_player_that_is_saved_may_be_an_average(whole, player, tmp_path):
    _, seen, _, _ = whole
    one = learner(player, tmp_path, iterations=4, average=0.75)
    run(one, tmp_path, steps=3)
    again = learner(player, tmp_path, iterations=4, average=0.75)
    run(again, tmp_path)
    name = "head.last.weight"
    expected = seen[0][name]
    for newest in seen[2:]:  # the first iteration taught nothing
        expected = 0.75 * expected + 0.25 * newest[name]
    assert same(weights(again), seen[-1])  # what plays and learns is as without
    torch.testing.assert_close(again.update.mean["discard"].state_dict()[name], expected)
    saved = load(tmp_path / "last" / "discard")[0].state_dict()[name]
    torch.testing.assert_close(saved, expected)
    assert (saved - seen[-1][name]).abs().max() > 1e-6


@pytest.mark.parametrize(
    "settings",
    [
        {"learn": "discard+riichi+chow+pong+kong", "reuse": 2, "advantage": "value"},
        {"advantage": "mean", "anchor": 0.1, "clip": 0.0},
    ],
)
def test_other_choices(player, tmp_path, settings):
    one = learner(player, tmp_path, iterations=2, **settings)
    before = {model: module.head.last.weight.detach().clone() for model, module in one.modules.items()}
    figures = run(one, tmp_path)
    assert set(one.modules) == set(one.config.models)
    learnt = {model for model, module in one.modules.items() if not torch.equal(before[model], module.head.last.weight)}
    assert {"discard"} <= learnt
    assert len(learnt) == 1 or {"chow", "pong"} <= learnt
    assert all(np.isfinite(value) for found in figures for name, value in found.items() if name in ("entropy", "alpha"))


def test_games_that_are_too_old_are_left_out_and_told(player, tmp_path):
    """With no version to spare, what was begun before the last step is not learnt from."""
    one = learner(player, tmp_path, iterations=2, staleness=0, tables=6)
    figures = run(one, tmp_path)
    assert [found["stale"] for found in figures] == [0, 1]
    assert (figures[0]["drawn"] >= 2, figures[1]["drawn"]) == (True, 0)
    assert "too old 100.0%" in one.say(figures[1], {})


def test_an_iteration_without_a_decision_of_the_models_that_learn(player, tmp_path, monkeypatch):
    one = learner(player, tmp_path, iterations=1, learn="kong")
    monkeypatch.setattr(one.game, "learnable", lambda decisions, models: np.zeros(len(decisions), np.bool_))
    (figures,) = run(one, tmp_path)
    assert (figures["rate"], one.learnt, one.version) == (0, 0, 1)
    assert figures["drawn"] >= 2


@pytest.mark.parametrize(("natural", "lower"), [(0.0, "rate"), (0.5, "natural")])
def test_a_loss_that_is_no_number_names_the_iteration_and_the_setting(player, tmp_path, monkeypatch, natural, lower):
    def broken(*given):
        found = policy_loss(*given)
        return replace(found, loss=found.loss * torch.nan)

    monkeypatch.setattr("suzaku.rl.policy_update.policy_loss", broken)
    one = learner(player, tmp_path, iterations=3, natural=natural)  # of the first, the value network alone learns
    with pytest.raises(ValueError, match=f"no longer a finite number at iteration 2: try a lower {lower}$"):
        run(one, tmp_path)


def test_workers_of_their_own_and_one_that_is_killed(player, tmp_path):
    """The games are those of an undisturbed run: the worker is made again from its snapshot."""
    found = []
    for name, kill in (("quiet", False), ("killed", True)):
        one = learner(player, tmp_path / name, iterations=4, workers=2)
        going = Run(one, tmp_path / name)

        def tell(figures, kill=kill, one=one):
            if kill and figures["step"] == 2:
                os.kill(one.self_play.actors._seats[0].link.pid, signal.SIGKILL)

        going.run(tell, every=1)
        found.append((weights(one), one.played))
        assert (going.step, one.version) == (4, 4)
        assert one.self_play.replaced == kill
    assert found[0][1] == found[1][1]
    assert same(found[0][0], found[1][0])


def test_what_cannot_be_started_is_told(player, tmp_path):
    with pytest.raises(ValueError, match="there is no model 'tile'; there are discard"):
        RlConfig(learn="discard+tile")
    with pytest.raises(ValueError, match="learn: riichi is named twice"):
        RlConfig(learn="riichi+discard+riichi")
    with pytest.raises(ValueError, match="gae_lambda must be at most 1, not 2"):
        RlConfig(gae_lambda=2.0)
    with pytest.raises(ValueError, match="average must be below 1, not 1"):
        RlConfig(average=1.0)
    with pytest.raises(ValueError, match=r"games \(2\) must be at least workers \(3\)"):
        RlConfig(games=2, workers=3)
    with pytest.raises(ValueError, match="length must be one of east, hanchan, round, not 'hanchn'"):
        RlConfig(length="hanchn")
    with pytest.raises(ValueError, match="workers must be at least -1, not -2"):
        RlConfig(workers=-2)
    with pytest.raises(ValueError, match=r"start: weka is neither.*did you mean weak\?"):
        Reinforcement(RlConfig(start="weka"), tmp_path)
    with pytest.raises(ValueError, match="name the folder alone, runs/rl"):
        Reinforcement(RlConfig(start="suphx:runs/rl"), tmp_path)
    (tmp_path / "last").mkdir()
    with pytest.raises(ValueError, match=r"holds no checkpoint.*name one player, such as .*last"):
        Reinforcement(RlConfig(start=str(tmp_path)), tmp_path)
    with pytest.raises(ValueError, match="which this run writes to: choose another --out"):
        learner(player, player.parent)
    with pytest.raises(ValueError, match="is not a size"):
        learner(player, tmp_path, value_network="large")
    with pytest.raises(ValueError, match="needs a reward model"):
        learner(player, tmp_path, reward="global")


def test_strength_is_none_for_the_player_it_started_from(player, tmp_path):
    one = learner(player, tmp_path, iterations=1, walls=2)
    one.game._situations = np.array([[0, 0, 0, 25000, 25000, 25000, 25000]])
    found = one.validate(0)
    assert found is not None
    assert found.score == 0
