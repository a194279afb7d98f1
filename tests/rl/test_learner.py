"""Whole runs, small: what is learnt, exact resume, workers that are killed."""

import os
import shutil
import signal
import time
from itertools import pairwise

import numpy as np
import pytest
import torch

from suzaku.agents.suphx import SuphxAgent
from suzaku.learning.loop import Run
from suzaku.networks.checkpoint import load
from suzaku.rl.config import RlConfig
from suzaku.rl.learner import Reinforcement
from suzaku.rl.pool import Pool

SMALL = {"games": 2, "tables": 3, "length": "east", "batch": 64, "value_network": "b1c8", "value_first": 1,
         "save_every": 1, "temperature": 0.7, "bfloat16": False}  # fmt: skip


def learner(player, folder, predictor=None, process=None, **more):
    return Reinforcement(RlConfig(start=str(player), **{**SMALL, **more}), folder, predictor, process=process)


def weights(one):
    return {name: value.clone() for name, value in one.modules["discard"].state_dict().items()}


def same(a, b):
    return all(torch.equal(a[name], b[name]) for name in a)


def run(one, folder, steps=None):
    """Let it learn; with `steps`, an interrupt comes after so many."""
    going = Run(one, folder)
    figures = []

    def tell(found):
        figures.append(found)
        if steps is not None and len(figures) == steps:
            raise KeyboardInterrupt

    try:
        going.run(tell, every=1)
    except KeyboardInterrupt:
        assert steps is not None
    return figures


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


def test_workers_of_their_own_and_one_that_is_killed(player, tmp_path):
    """The games are those of an undisturbed run: the worker is made again from its snapshot."""
    found = []
    for name, kill in (("quiet", False), ("killed", True)):
        one = learner(player, tmp_path / name, iterations=3, workers=2)
        going = Run(one, tmp_path / name)

        def tell(figures, kill=kill, one=one):
            if kill and figures["step"] == 2:
                assert isinstance(one.self_play._pool, Pool)
                process = next(iter(one.self_play._pool._actors[0]._processes.values()))
                os.kill(process.pid, signal.SIGKILL)
                time.sleep(0.5)

        going.run(tell, every=1)
        found.append((weights(one), one.played))
        assert (going.step, one.version) == (3, 3)
    assert found[0][1] == found[1][1]
    assert same(found[0][0], found[1][0])


def test_what_cannot_be_started_is_told(player, tmp_path):
    with pytest.raises(ValueError, match="there is no model 'tile'; there are discard"):
        RlConfig(learn="discard+tile")
    with pytest.raises(ValueError, match="learn: riichi is named twice"):
        RlConfig(learn="riichi+discard+riichi")
    with pytest.raises(ValueError, match="gae_lambda must be at most 1, not 2"):
        RlConfig(gae_lambda=2.0)
    with pytest.raises(ValueError, match="average must be at least 0 and below 1"):
        RlConfig(average=1.0)
    with pytest.raises(ValueError, match="holds no checkpoint"):
        Reinforcement(RlConfig(start=str(tmp_path)), tmp_path)
    with pytest.raises(ValueError, match="is no size"):
        learner(player, tmp_path, value_network="large")
    with pytest.raises(ValueError, match="needs a reward model"):
        learner(player, tmp_path, reward="global")


def test_strength_is_none_for_the_player_it_started_from(player, tmp_path):
    one = learner(player, tmp_path, iterations=1, walls=2)
    one.game._situations = np.array([[0, 0, 0, 25000, 25000, 25000, 25000]])
    found = one.validate(0)
    assert found is not None
    assert found.score == 0
