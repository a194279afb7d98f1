"""Whole runs of oracle guiding, small: the schedule, exact resume, what is refused, and an oracle critic."""

import numpy as np
import pytest
import torch

from suzaku.agents.make import make_agent
from suzaku.features.channels import SUPHX_CHANNELS
from suzaku.learning.loop import Run
from suzaku.networks import checkpoint
from suzaku.networks.info import read_info
from suzaku.networks.modules import build
from suzaku.riichi import resample_hidden
from suzaku.rl.config import RlConfig
from tests.rl.helpers import GUIDED, learner, prepared, run, same, weights


@pytest.fixture(scope="module")
def whole(player, tmp_path_factory):
    folder = tmp_path_factory.mktemp("guided")
    one = learner(player, folder, **GUIDED)
    return one, run(one, folder), folder


def test_the_run_goes_from_the_oracle_to_an_ordinary_player(whole, player):
    one, figures, folder = whole
    assert [found["gamma"] for found in figures] == [1, 1, 1, 0.5, 0]
    assert abs(figures[0]["kl_first"]) < 1e-2  # widened with zeros, it plays as the start
    assert figures[0]["effective"] == pytest.approx(1, abs=1e-3)
    assert ["rejected" in found for found in figures] == [False] * 4 + [True]
    assert one.update.optimiser.param_groups[0]["lr"] == pytest.approx(1e-4)
    assert one.modules["discard"].stem.weight.shape[1] == SUPHX_CHANNELS
    seen = checkpoint.load(folder / "oracle" / "discard")[0].stem.weight[:, SUPHX_CHANNELS:]
    assert seen.abs().max() > 0  # the oracle has learnt to look
    network = read_info(player / "discard")["network"]
    assert read_info(folder / "oracle" / "discard")["network"] == network.replace("suphx", "oracle")
    for name in ("last", "cut"):
        assert read_info(folder / name / "discard")["network"] == network
        make_agent(f"suphx:{folder / name}")
    cut = checkpoint.load(folder / "cut" / "discard")[0].state_dict()
    assert not same(cut, weights(one))  # it learnt on after gamma was 0


@pytest.mark.parametrize("steps", [3, 4])  # gamma falls; gamma is 0
def test_it_goes_on_to_the_same_weights(whole, player, tmp_path, steps):
    run(learner(player, tmp_path, **GUIDED), tmp_path, steps=steps)
    again = learner(player, tmp_path, **GUIDED)
    figures = run(again, tmp_path)
    assert figures[0]["gamma"] == whole[1][steps]["gamma"]
    assert again.played == whole[0].played
    assert same(weights(again), weights(whole[0]))


def test_a_resume_under_another_schedule_is_refused(whole, player, tmp_path):
    run(learner(player, tmp_path, **GUIDED), tmp_path, steps=1)
    for changed in {"oracle_fall": 1}, {"oracle_first": 1, "value_first": 0}, {"mask": "state"}:
        with pytest.raises(ValueError, match=f"other settings.*{next(iter(changed))}"):
            run(learner(player, tmp_path, **{**GUIDED, **changed}), tmp_path)


def test_what_holds_after_the_cut_may_be_changed_before_it(whole, player, tmp_path):
    after = {**GUIDED, "after_rate": 1.0, "after_reject": 0.0, "iterations": 6}
    run(learner(player, tmp_path, **GUIDED), tmp_path, steps=3)
    one = learner(player, tmp_path, **after)
    figures = run(one, tmp_path, steps=2)
    assert [found["gamma"] for found in figures] == [0.5, 0]
    assert "rejected" not in figures[-1]
    assert one.update.optimiser.param_groups[0]["lr"] == pytest.approx(1e-3)
    with pytest.raises(ValueError, match=r"other settings.*after_rate, after_reject"):
        Run(learner(player, whole[2], **after), whole[2])


def test_the_oracle_that_a_run_trained_can_start_another(whole, player, tmp_path):
    one = learner(player, tmp_path, **{**GUIDED, "oracle": str(whole[2] / "oracle")})
    trained = checkpoint.load(whole[2] / "oracle" / "discard")[0]
    assert torch.equal(one.modules["discard"].stem.weight, trained.stem.weight)


def test_what_is_no_oracle_or_of_another_size_is_refused(whole, player, tmp_path):
    with pytest.raises(ValueError, match=r"no model with the oracle channels.*--oracle widen"):
        learner(player, tmp_path, **{**GUIDED, "oracle": str(player)})
    checkpoint.save(
        tmp_path / "discard", build("oracle-b2c8", "discard"), {"network": "oracle-b2c8", "model": "discard"}
    )
    with pytest.raises(ValueError, match="is oracle-b2c8, of another size than the start's"):
        learner(player, tmp_path, **{**GUIDED, "oracle": str(tmp_path)})
    with pytest.raises(ValueError, match="no model with the oracle channels"):
        learner(player, tmp_path, **{**GUIDED, "oracle": str(whole[2] / "oracle"), "learn": "riichi"})
    with pytest.raises(ValueError, match="without the oracle channels"):
        learner(player, tmp_path, **{**GUIDED, "oracle": str(whole[2] / "oracle"), "learn": "discard+riichi"})
    blind = learner(player, tmp_path, iterations=1).player
    blind.lookahead = False  # as if all models of the start had been trained so
    blind.config = RlConfig(**{**GUIDED, "oracle": str(whole[2] / "oracle")})
    with pytest.raises(ValueError, match="trained with the look-ahead channels, and the start without them"):
        blind._oracles()
    with pytest.raises(ValueError, match="only `suzaku arena` seats it, as oracle:"):
        learner(whole[2] / "oracle", tmp_path, iterations=1)


def test_both_strengths_are_measured(player, tmp_path):
    one = learner(player, tmp_path, **GUIDED, walls=2)
    one.game._situations = np.array([[0, 0, 0, 25000, 25000, 25000, 25000]])
    found = one.validate(0)
    assert found.curve["gain"] == found.curve["oracle_gain"] == 0  # both are the start as yet
    assert found.curve["gamma"] == 1
    assert found.score == -np.inf  # it cannot be the best as long as it learns to see hidden tiles
    one.version = one.gammas.end
    assert one.validate(0).score == 0
    assert "points a round, of the oracle +0 ± 0" in one.say_gain(found.curve)


def exchanged(records):
    """The same decisions with all that the seat cannot see dealt anew."""
    out = records.copy()
    for seat in range(4):
        mine = np.flatnonzero(out["seat"] == seat)
        part = out[mine]
        resample_hidden(part, seat, 1)
        out[mine] = part
    return out


@pytest.mark.parametrize(("critic", "sees"), [("oracle", True), ("seat", False)])
def test_an_oracle_critic_sees_the_hidden_tiles(player, games, tmp_path, critic, sees):
    one = learner(player, tmp_path, critic=critic)
    flow, _ = prepared(one, games)
    records = flow.decisions.records
    first, second = (one.value.predict(one.value.planes(flow.planes, each)) for each in (records, exchanged(records)))
    assert np.array_equal(first, second) != sees


def test_all_models_masked_by_states_learn_and_go_on_to_the_same_weights(player, tmp_path):
    settings = {**GUIDED, "oracle_first": 0, "oracle_fall": 1, "iterations": 2, "value_first": 0,
                "learn": "discard+riichi+chow+pong+kong", "mask": "state", "advantage": "mean",
                "average": 0.5}  # fmt: skip
    one = learner(player, tmp_path / "whole", **settings)
    before = weights(one)
    run(one, tmp_path / "whole")
    assert not same({"blocks": before["blocks.0.conv1.weight"]}, {"blocks": weights(one)["blocks.0.conv1.weight"]})
    run(learner(player, tmp_path / "cut", **settings), tmp_path / "cut", steps=1)
    again = learner(player, tmp_path / "cut", **settings)
    run(again, tmp_path / "cut")
    assert same(weights(again), weights(one))


@pytest.mark.parametrize("part", ["deals", "oracle"])
def test_a_run_with_what_is_no_part_any_more_is_refused(whole, player, part):
    one = learner(player, whole[2], **GUIDED)
    with pytest.raises(ValueError, match="begun by an older version of Suzaku"):
        one.restore({**one.state(), part: {"modules": {}}}, whole[2])
