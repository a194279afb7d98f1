"""Learning from labels: they are kept and gone on with, the better answer is learnt, and what cannot be is told."""

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch
from msgspec.structs import asdict
from typer.testing import CliRunner

from suzaku.agents.suphx import SuphxAgent
from suzaku.cli.main import app
from suzaku.cli.train import roll_out
from suzaku.learning.loop import STATE, Run
from suzaku.learning.report import write_report
from suzaku.networks.bundled import bundled
from suzaku.records.store import INPUTS
from suzaku.rl import branch_labels as labels_module
from suzaku.rl.branch_config import BranchConfig
from suzaku.rl.branch_labels import labels_name, make_labels, read_labels, write_labels
from suzaku.rl.branch_learner import BranchLearner, branch_loss, judge
from suzaku.rl.branches import Positions
from tests.learning.helpers import Linear, LinearAdam, every_setting_has_a_test, flat

SMALL = {"positions": 18, "rollouts": 2, "rounds": 20, "steps": 6, "batch": 8, "eval_every": 3, "rate": 1e-2}


def settings(player, **more):
    return BranchConfig(start=str(player), **{**SMALL, **more})


@pytest.fixture(scope="module")
def agent(player, few_situations):
    return SuphxAgent(player)


@pytest.fixture(scope="module")
def made(player, agent, tmp_path_factory):
    folder = tmp_path_factory.mktemp("labels")
    make_labels(folder, settings(player), agent)
    return folder


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.parquet"))}


def test_labels_go_on_after_an_interrupt_and_come_out_the_same(made, player, agent, tmp_path):
    class StopHereError(Exception):
        pass

    def stop(found, rolled):
        raise StopHereError

    with pytest.raises(StopHereError):
        make_labels(tmp_path, settings(player), agent, tell=stop)
    assert (tmp_path / labels_name(0)).exists()
    with pytest.raises(ValueError, match="interrupted"):
        read_labels(tmp_path, settings(player), agent)
    told = []
    make_labels(tmp_path, settings(player), agent, tell=lambda found, rolled: told.append((found, rolled)))
    assert contents(tmp_path) == contents(made)
    assert told[0][1] == 0  # the part that stood there was not rolled out again
    assert told[-1][1] > 0
    found = read_labels(tmp_path, settings(player), agent)
    assert len(found) == 18
    assert found.differences.shape == (18, 2)
    assert sorted(np.concatenate([found.split(name) for name in ("train", "validation", "test")])) == [*range(18)]


def test_labels_of_something_else_are_refused(made, player, agent, tmp_path):
    with pytest.raises(ValueError, match="holds labels made with --set model=riichi: say so, or choose another"):
        read_labels(made, settings(player, model="pong"), agent)
    with pytest.raises(ValueError, match="holds labels made with --set rollouts=2 --set seed=1: say so"):
        make_labels(made, settings(player, rollouts=3, seed=2), agent)
    with pytest.raises(ValueError, match=f"holds labels of the player that {player} was: start from what made them"):
        read_labels(made, settings(player), SuphxAgent(bundled("weak")))
    with pytest.raises(ValueError, match=r"holds \d+ positions, and 999 are wanted"):
        read_labels(made, settings(player, positions=999), agent)
    for path in made.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / labels_name(1)).write_bytes(b"cut short")
    with pytest.raises(ValueError, match="delete it to roll its positions out again"):
        make_labels(tmp_path, settings(player), agent)


def test_labels_that_do_not_say_their_settings_are_refused_without_the_advice_to_delete_them(
    made, player, agent, tmp_path
):
    for path in made.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    table = pq.read_table(tmp_path / labels_name(0))
    older = {INPUTS: labels_module.labels_key(settings(player), agent)}
    pq.write_table(table.replace_schema_metadata(older), tmp_path / labels_name(0))
    assert len(read_labels(tmp_path, settings(player), agent)) == 18
    with pytest.raises(ValueError, match="of another player or of other settings") as refused:
        read_labels(tmp_path, settings(player, rollouts=3), agent)
    assert "delete" not in str(refused.value)


def test_settings_that_make_no_sense_are_refused(player, tmp_path):
    for wrong, said in (
        ({"model": "discard"}, "model must be one of riichi, chow, pong, kong, not 'discard'"),
        ({"redraw": "all"}, "redraw must be one of wall, hidden"),
        ({"rollouts": 1}, "rollouts must be at least 2"),
        ({"anchor": -1.0}, "anchor must be at least 0"),
    ):
        with pytest.raises(ValueError, match=said):
            BranchConfig(**wrong)
    with pytest.raises(ValueError, match="holds no checkpoint"):
        BranchLearner(BranchConfig(start=str(tmp_path)), tmp_path)
    said = CliRunner().invoke(app, ["train", "branches", "--model", "discard", "--out", str(tmp_path / "out")])
    assert said.exit_code == 2
    assert not (tmp_path / "out").exists()


def test_a_model_that_is_never_asked_is_told(player, agent, tmp_path, monkeypatch):
    def none(agent, games, model, seed):
        return Positions(np.zeros(0), np.zeros((0, 120)), np.zeros(0, int), np.zeros(0), [], np.zeros(0, int))

    monkeypatch.setattr(labels_module, "find_positions", none)
    monkeypatch.setattr(labels_module, "EMPTY", 1)
    with pytest.raises(ValueError, match="the kong model was never asked in 1 round: nothing"):
        make_labels(tmp_path, settings(player, model="kong", rounds=1), agent)


def learnt(player, made, folder, steps=6, **more):
    one = BranchLearner(settings(player, labels=str(made), steps=steps, **more), folder)
    run = Run(one, folder)
    run.run(lambda figures: None, every=1)
    return one, run


def test_a_run_goes_on_to_the_same_weights_and_reports(made, player, agent, tmp_path):
    one, run = learnt(player, made, tmp_path / "whole")
    learnt(player, made, tmp_path / "twice", steps=2)
    other, _ = learnt(player, made, tmp_path / "twice")
    for name, value in one.module.state_dict().items():
        assert torch.equal(value, other.module.state_dict()[name])
    assert any(not torch.equal(a, b) for a, b in zip(one.module.parameters(), one.first.parameters(), strict=True))
    path, results = write_report(run)
    assert results["positions"] == len(one.labels.split("test"))
    assert "Gain of the new answers" in path.read_text()
    player_after = SuphxAgent(tmp_path / "whole" / "best")
    assert player_after.models["riichi"].hash != agent.models["riichi"].hash
    assert player_after.models["discard"].hash == agent.models["discard"].hash
    with pytest.raises(ValueError, match="other settings"):
        learnt(player, made, tmp_path / "whole", anchor=0.5)


def test_the_command_tells_what_was_reached_once(made, player, agent, tmp_path, monkeypatch):
    monkeypatch.setattr("suzaku.cli.compile.prepare", lambda *parts: None)
    given = {**SMALL, "start": player, "labels": made, "model": "riichi"}
    words = [word for key, value in given.items() for word in ("--set", f"{key}={value}")]
    said = CliRunner().invoke(app, ["train", "branches", "--out", str(tmp_path / "run"), *words])
    assert said.exit_code == 0, said.stderr
    for line in ("Gain of the new answers", "Trained: ", "written: ", "Let it play: "):
        assert said.stdout.count(line) == 1


def test_the_command_learns_again_without_what_made_the_labels_being_repeated(
    made, player, agent, tmp_path, monkeypatch
):
    monkeypatch.setattr("suzaku.cli.compile.prepare", lambda *parts: None)
    words = ["train", "branches", "--set", f"labels={made}", "--set", "steps=1", "--set", "anchor=0.5"]
    said = CliRunner().invoke(app, [*words, "--out", str(tmp_path / "run")])
    assert said.exit_code == 0, said.stderr
    state = torch.load(tmp_path / "run" / STATE, weights_only=True)
    assert json.loads(state["config"]) == asdict(
        BranchConfig(start=str(player), positions=18, rollouts=2, rounds=20, labels=str(made), steps=1, anchor=0.5)
    )
    said = CliRunner().invoke(app, [*words, "--rollouts", "4", "--out", str(tmp_path / "other")])
    assert said.exit_code == 2
    assert f"{made} holds labels made with --set rollouts=2: say so" in said.stderr


@pytest.mark.parametrize("better", [1.0, -1.0])
def test_the_better_answer_is_learnt(made, player, agent, tmp_path, better):
    """Labels that always say the same, with noise: the answers follow, on positions that were not learnt from."""
    config = settings(player, steps=40, anchor=0.01, augment=False, batch=16)
    for path in made.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    rng = np.random.default_rng(1)
    for path in tmp_path.glob("labels-*"):
        rows = labels_module._read_part(path, config, agent)
        told = (better * 1000 + rng.normal(0, 500, (len(rows), 2))).astype(np.float32)
        columns = [rows[name].to_numpy() for name in ("action", "yes", "at")]
        blank = np.zeros(0)
        write_labels(
            path,
            Positions(blank, blank, columns[0], columns[1], rows["game"].to_pylist(), columns[2]),
            told,
            rows.schema.metadata,
        )
    one, _ = learnt(player, tmp_path, tmp_path / "run", **{**SMALL, "steps": 40, "anchor": 0.01, "augment": False})
    rows = one.labels.split("test")
    assert ((one.log_odds(one.module, rows) > 0) == (better > 0)).all()
    assert one.validate(40).score >= 0


def test_the_loss_has_its_best_where_the_formula_says():
    start, difference = torch.tensor([2.0, -1.0, 0.5]), torch.tensor([-1.0, 0.3, 0.0])
    logit = (start + difference / 0.5).requires_grad_()
    loss, kl = branch_loss(logit, start, difference, 0.5)
    loss.backward()
    assert logit.grad is not None
    assert logit.grad.abs().max() < 1e-6
    assert kl > 0
    assert float(branch_loss(start, start, difference, 0.5)[1]) == pytest.approx(0, abs=1e-7)


def test_figures_are_not_fooled_by_noise():
    """Labels of nothing but noise: no answers gain or lose, though the signs of the labels seem to say otherwise."""
    rng = np.random.default_rng(2)
    noise = rng.normal(0, 1000, (20_000, 4))
    before, after = rng.random(20_000) > 0.5, rng.random(20_000) > 0.5
    found = judge(noise, before, after)
    for mean, half in (found.gain, *found.lost):
        assert abs(mean) < 1.5 * half
    sure = judge(np.full((10, 4), 800.0), np.zeros(10, bool), np.ones(10, bool))
    assert sure.gain[0] == 800
    assert (sure.lost[0][0], sure.lost[1][0]) == (800, 0)
    assert (sure.agrees[0][0], sure.agrees[1][0], sure.clear) == (0, 1, 10)


@pytest.mark.parametrize("clear", [0, 1])
def test_figures_of_too_few_positions_are_left_out(clear):
    differences = np.array([[800.0, 800.0 if clear else -900.0], [-300.0, 400.0], [500.0, -700.0]])
    found = judge(differences, np.zeros(3, bool), np.ones(3, bool))
    assert found.clear == clear
    assert f"| the same where it is clear ({clear}) | – | – |" in found.lines()
    assert not any("inf" in line or "nan" in line for line in found.lines())


LEARNT = ({"rate": 0.02}, {"anchor": 2.0}, {"gradient": 0.02})
STEPS = {"rate": 0.05, "anchor": 0.5, "gradient": 100.0, "augment": False}


def by_hand(config, seen, difference, weight, bias):
    """The weights after three steps on the same positions, by the loss as it is written down."""
    adam = LinearAdam(weight, bias, config.gradient)
    start = seen @ (weight[1] - weight[0]) + bias[1] - bias[0]
    for _ in range(3):
        odds = seen @ (adam.weight[1] - adam.weight[0]) + adam.bias[1] - adam.bias[0]
        yes = 1 / (1 + np.exp(-odds))
        slope = yes * (1 - yes) * (config.anchor * (odds - start) - difference) / len(seen)
        adam.learn(config.rate, seen, np.stack([-slope, slope], 1))
    return adam.weights


@pytest.mark.parametrize("changed", LEARNT, ids=str)
def test_a_setting_does_what_the_loss_says(player, tmp_path, monkeypatch, changed):
    rng = np.random.default_rng(4)
    seen, difference = rng.integers(0, 3, size=(64, 6)).astype(np.uint8), rng.normal(size=64)
    weight, bias = rng.normal(size=(2, 6)), rng.normal(size=2)
    module, info = Linear(weight, bias), {"network": "linear"}
    monkeypatch.setattr("suzaku.rl.branch_learner.checkpoint.load", lambda path: (module, info))
    config = settings(player, **{**STEPS, **changed})
    one = BranchLearner(config, tmp_path)
    labels = SimpleNamespace(difference=difference.astype(np.float32))
    vars(one).update(labels=labels, _planes=seen, _unit=1.0)
    for step in range(3):
        one.learn(np.arange(64), step)
    usual, wanted = (by_hand(each, seen, difference, weight, bias) for each in (settings(player, **STEPS), config))
    assert np.abs(usual - wanted).max() > 2e-3
    np.testing.assert_allclose(flat(one.module), wanted, atol=2e-4, rtol=1e-4)


@pytest.mark.parametrize("changed", [{"augment": False}, {"batch": 4}, {"steps": 5}], ids=str)
def test_other_batches_learn_other_weights(player, made, tmp_path, changed):
    usual, other = (learnt(player, made, tmp_path / str(i), **more)[0] for i, more in enumerate(({}, changed)))
    assert not torch.equal(usual.module.stem.weight, other.module.stem.weight)


def test_rounds_are_played_as_the_settings_say(player, tmp_path, monkeypatch):
    class OpenedError(Exception):
        pass

    def opened(agent, seed, length, repeat):
        raise OpenedError(agent.temperature, seed, length)

    monkeypatch.setattr(labels_module, "RoundPlayer", opened)
    with pytest.raises(OpenedError) as found:
        roll_out(settings(player, temperature=0.3, length="east", seed=4), tmp_path)
    assert found.value.args == (0.3, 4, "east")


ELSEWHERE = {
    "model": "test_branches::test_branches_differ_by_the_one_answer",
    "start": "test_branch_learner::test_labels_of_something_else_are_refused",
    "positions": "test_branch_learner::test_labels_go_on_after_an_interrupt_and_come_out_the_same",
    "rollouts": "test_branch_learner::test_labels_go_on_after_an_interrupt_and_come_out_the_same",
    "redraw": "test_branches::test_tables_are_those_of_the_position_with_other_tiles",
    "reward": "test_branches::test_predicted_rewards_are_those_of_the_rounds",
    "reward_model": "test_learner::test_reward_models_are_found",
    "temperature": "test_branch_learner::test_rounds_are_played_as_the_settings_say",
    "length": "test_branch_learner::test_rounds_are_played_as_the_settings_say",
    "seed": "test_branch_learner::test_rounds_are_played_as_the_settings_say",
    "rounds": "test_branch_learner::test_a_model_that_is_never_asked_is_told",
    "labels": "test_branch_learner::test_the_command_learns_again_without_what_made_the_labels_being_repeated",
    "steps": "test_branch_learner::test_other_batches_learn_other_weights",
    "batch": "test_branch_learner::test_other_batches_learn_other_weights",
    "augment": "test_branch_learner::test_other_batches_learn_other_weights",
    "eval_every": "test_branch_learner::test_a_run_goes_on_to_the_same_weights_and_reports",
    "save_every": "test_branch_learner::test_a_run_goes_on_to_the_same_weights_and_reports",
}


def test_every_setting_has_a_test():
    every_setting_has_a_test(BranchConfig, {name for one in LEARNT for name in one}, ELSEWHERE, Path(__file__))
