"""The reward predictor: it learns, goes on exactly, sees every seat alike, and refuses what does not fit."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs
from typer.testing import CliRunner

pytest.importorskip("torch", reason="needs the extra [train]")

import torch

from suzaku.cli.main import app
from suzaku.learning.config import RewardConfig
from suzaku.learning.loop import Run
from suzaku.learning.reward import RewardModel, bundled_reward, encode_rounds, pad, place_probabilities, rewards_of
from suzaku.learning.reward_learner import Played, RewardLearner, batches, by_place, linear, places_now, read_played
from suzaku.learning.reward_report import evaluate, write_report
from suzaku.networks import checkpoint
from suzaku.networks.bundled import bundled
from suzaku.networks.layers import reward
from suzaku.networks.modules import Network
from suzaku.networks.numpy_network import folded, matrices
from suzaku.records.importing import import_records
from suzaku.records.stored import round_table
from tests.learning.helpers import Adam, every_setting_has_a_test, flat, rate_at
from tests.records.made import made_game, write_folder

SMALL = RewardConfig(
    network="reward-h8", length="east", steps=30, batch=4, warm_up=3, rate=2e-2, eval_every=10, save_every=10
)


def begun(config, store, folder):
    return Run(RewardLearner(config, store), folder)


@pytest.fixture(scope="module")
def trained(store, tmp_path_factory):
    """The folder of a small run."""
    folder = tmp_path_factory.mktemp("reward") / "run"
    run = begun(SMALL, store, folder)
    said = []
    run.run(said.append, every=10)
    assert said[-1]["squared_error"] < said[0]["squared_error"]
    write_report(run, None)
    return folder


def test_numpy_predicts_what_torch_does():
    torch.manual_seed(3)
    layers = reward(21, 4, 24)
    module = Network(layers).eval()
    rows = torch.randn(6, 9, 21)
    weights = {name: value.numpy() for name, value in module.state_dict().items()}
    with torch.inference_mode():
        expected = module(rows).softmax(-1).numpy()
        packed = module(rows, torch.tensor([9, 1, 4, 9, 2, 7])).softmax(-1).numpy()
    found = place_probabilities(matrices(folded(layers, weights)), rows.numpy())
    np.testing.assert_allclose(found, expected, atol=2e-6)
    np.testing.assert_allclose(packed[2, :4], expected[2, :4], atol=2e-6)
    np.testing.assert_allclose(packed[1, :1], expected[1, :1], atol=2e-6)


def test_the_last_row_of_a_finished_game_is_its_true_reward(trained):
    model = RewardModel.load(trained)
    games = [made_game(seed) for seed in (1, 2, 3)]
    found = model.of_games(games)
    for stored, phi in zip(games, found, strict=True):
        assert phi.shape == (len(stored.walls) + 1, 4)
        assert phi.dtype == np.float32
        assert phi[-1].tolist() == [model.rewards[rank] for rank in stored.ranks]
    cut = replace(games[0], actions=games[0].actions[:-3], finished=False)
    assert np.allclose(model.of_games([cut])[0], found[0][:-1], atol=1e-4)
    assert model.unit == pytest.approx(np.std(model.rewards))
    assert model.of_games([]) == []


def test_a_prefix_is_predicted_without_what_comes_later(trained):
    model = RewardModel.load(trained)
    table = round_table(made_game(2))
    whole = model.places([table])[0]
    np.testing.assert_allclose(whole.sum(-1), 1, atol=1e-5)
    for rows in range(1, len(table)):  # one row is the empty prefix
        np.testing.assert_allclose(model.places([table[:rows]])[0], whole[:rows], atol=1e-5)
    both = model.places([table[:2], table])
    np.testing.assert_allclose(both[0], whole[:2], atol=1e-5)


def test_seats_are_seen_alike(trained):
    model = RewardModel.load(trained)
    table = round_table(made_game(3))
    turned = table.copy()
    turned["scores"] = np.roll(table["scores"], 1, axis=1)
    turned["dealer"] = (table["dealer"] + 1) % 4
    expected = np.roll(model.places([table])[0], 1, axis=1)
    np.testing.assert_allclose(model.places([turned])[0], expected, atol=1e-5)
    np.testing.assert_allclose(encode_rounds(turned)[1], encode_rounds(table)[0])


def test_an_interrupted_run_ends_like_a_whole_one(store, tmp_path):
    whole = begun(SMALL, store, tmp_path / "whole")
    whole.run(lambda _: None)

    def interrupt(figures):
        if figures["step"] == 13:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        begun(SMALL, store, tmp_path / "halves").run(interrupt, every=1)
    second = begun(SMALL, store, tmp_path / "halves")
    assert second.step == 13
    second.run(lambda _: None)
    for name, value in whole.learner.module.state_dict().items():
        assert torch.equal(value, second.learner.module.state_dict()[name]), name
    assert second.curve == whole.curve
    with pytest.raises(ValueError, match=r"other settings \(target\)"):
        begun(structs.replace(SMALL, target="uma"), store, tmp_path / "whole")


def test_every_prefix_counts_as_equation_4_says(store):
    learner = RewardLearner(structs.replace(SMALL, places=0.0), store)
    games = learner.train
    squared, _ = learner._losses(games.at(np.arange(len(games))))
    worth = learner.rewards / learner.unit
    expected = []
    for table, ranks in zip(games.tables, games.ranks, strict=True):
        rows = torch.from_numpy(encode_rounds(table))
        with torch.inference_mode():
            phi = learner.module(rows).softmax(-1).numpy() @ worth
        expected.append(((phi - worth[ranks][:, None]) ** 2).mean())
    assert float(squared.detach()) == pytest.approx(np.mean(expected), rel=1e-4)


def test_games_may_seem_to_begin_later(store):
    learner = RewardLearner(structs.replace(SMALL, later=1.0), store)
    learner.begin(0)
    rows, counts, _ = learner.next_batch()
    assert (counts >= 2).all()
    assert (rows["round_no"][:, 0] > 0).any()
    assert np.allclose(encode_rounds(rows)[:, :, 0, :4], 0), "no round was played before"
    learner = RewardLearner(structs.replace(SMALL, later=0.0), store)
    learner.begin(0)
    assert (learner.next_batch()[0]["round_no"][:, 0] == 0).all()


def test_batches_follow_from_the_step():
    ahead = batches(10, 3, 7, 0)
    found = [next(ahead) for _ in range(7)]
    assert sorted(np.concatenate([games for _, games in found[:3]])) != sorted(range(10))  # one is left over
    assert len({*np.concatenate([games for _, games in found[:3]])}) == 9
    step, games = next(batches(10, 3, 7, 5))
    assert step == 5
    assert games.tolist() == found[5][1].tolist()


def test_the_naive_predictors_learn_what_they_can():
    tables = [round_table(made_game(seed)) for seed in range(1, 13)]
    ranks = np.array([made_game(seed).ranks for seed in range(1, 13)])
    games, rewards = Played(tables, ranks), rewards_of("uma", "east")
    assert places_now(np.array([25_000, 30_000, 25_000, 20_000])).tolist() == [1, 0, 2, 3]
    naive = {"place": by_place(games, rewards), "linear": linear(games, rewards)}
    found = {name: [predict(table) for table in tables] for name, predict in naive.items()}
    found["oracle"] = [
        np.broadcast_to(rewards[rank], (len(table), 4)) for table, rank in zip(tables, ranks, strict=True)
    ]
    results = evaluate({"oracle": found.pop("oracle"), **found}, games, rewards)
    errors = {name: error for name, (error, _) in results["squared_errors"].items()}
    assert errors["oracle"] == 0
    assert 0 < errors["place"] < results["variance"]
    assert 0 < errors["linear"] < results["variance"]
    assert results["gains"]["place"][0] == pytest.approx(errors["place"])
    assert all(said == pytest.approx(true) for said, true, _, _ in results["calibration"])


def test_padding_repeats_the_last_row():
    tables = [round_table(made_game(1))[:2], round_table(made_game(1))[:4]]
    rows = pad(tables)
    assert rows.shape == (2, 4)
    assert (rows[0, 1:] == tables[0][-1]).all()


def test_the_report_compares_with_naive_predictors(trained):
    page = (trained / "report.md").read_text(encoding="utf-8")
    assert "| mean by place and round |" in page
    assert "| linear in points |" in page
    assert "| predicted | came | difference | situations |" in page
    assert "Places are worth +60, +30, +0, -90." in page
    info = checkpoint.load(trained / "best")[1]
    assert (info["game"], info["length"], info["model"]) == ("riichi", "east", "tenhou")


def refused(path, sentence, **wanted):
    with pytest.raises(ValueError, match=sentence) as error:
        RewardModel.load(path, **wanted)
    assert "\n" not in str(error.value)


def test_what_does_not_fit_is_refused_in_a_sentence(trained, tmp_path):
    refused(trained, "predicts east games, not hanchan", length="hanchan")
    refused(trained, "predicts games of riichi, not of mcr", game="mcr")
    refused(bundled("suphx") / "discard", "not a reward predictor")
    refused(tmp_path, "holds no reward predictor")
    refused(bundled("reward"), "holds several reward predictors: name one of")
    data, text = (trained / "best.safetensors").read_bytes(), (trained / "best.json").read_text()
    (tmp_path / "best.json").write_text(text)
    for damaged, sentence in (
        (data[:-9], "not a whole safetensors"),
        (b"", "not a whole"),
        (data[:-4] + b"\1\1\1\1", "other"),
    ):
        (tmp_path / "best.safetensors").write_bytes(damaged)
        refused(tmp_path, sentence)
    (tmp_path / "best.safetensors").write_bytes(data)
    info = json.loads(text)
    (tmp_path / "best.json").write_text(json.dumps({**info, "network": "reward-h16"}))
    refused(tmp_path, "lacks a part of the network")
    model = RewardModel.load(trained)
    with pytest.raises(ValueError, match="is hanchan; this reward predictor was trained on east games"):
        model.of_games([made_game(1, "hanchan")])
    with pytest.raises(ValueError, match="is of mcr; this reward predictor knows games of riichi"):
        model.of_games([replace(made_game(1), game="mcr")])


def test_a_store_without_such_games_is_refused(store, tmp_path):
    with pytest.raises(
        ValueError, match="hanchan games of riichi for training: it has east games, so say --set length=east"
    ):
        begun(structs.replace(SMALL, length="hanchan"), store, tmp_path / "run").run(lambda _: None)
    write_folder(tmp_path / "in", [60])
    import_records([str(tmp_path / "in")], tmp_path / "one")
    with pytest.raises(ValueError, match="for validation: it needs more games"):
        begun(SMALL, tmp_path / "one", tmp_path / "other").run(lambda _: None)
    assert len(read_played(store, "east")) == 12
    for wrong, sentence in (
        ({"target": "dan"}, "target must be one of"),
        ({"network": "suphx-b1c16"}, "not a reward predictor"),
        ({"later": 1.5}, "later must be at most 1, not 1.5"),
        ({"length": "long"}, "length must be one of"),
    ):
        with pytest.raises(ValueError, match=sentence):
            structs.replace(SMALL, **wrong)


def test_the_command_trains_and_tells(store, tmp_path):
    words = ["train", "reward", "--data", str(store), "--out", str(tmp_path / "run")]
    quick = ["network=reward-h8", "length=east", "steps=2", "batch=4", "target=uma"]
    done = CliRunner().invoke(app, [*words, *(word for setting in quick for word in ("--set", setting))])
    assert done.exit_code == 0, done.output
    assert "linear in points: mean squared error" in done.stdout
    assert RewardModel.load(tmp_path / "run").rewards.tolist() == [20, 10, -10, -20]


@pytest.mark.parametrize("target", ["tenhou", "expert", "uma"])
def test_the_bundled_ones_say_what_a_player_would(target):
    model = bundled_reward(target)
    assert model.length == "hanchan"
    stored = made_game(2, "hanchan")
    assert model.of_games([stored])[0][-1].tolist() == [model.rewards[rank] for rank in stored.ranks]
    row = round_table(stored)[:1].copy()
    start = model.places([row])[0] @ model.rewards
    assert np.abs(start - model.rewards.mean()).max() < 0.1 * model.unit, "a new game is nobody's"
    row["round_no"], row["dealer"], row["scores"] = 7, 3, [[45_000, 30_000, 20_000, 5_000]]
    (phi,) = model.places([row])[0] @ model.rewards
    assert phi[0] > 0.8 * model.rewards[0]
    assert phi[3] < 0.8 * model.rewards[3]
    assert phi[0] > phi[1] > phi[2] > phi[3]


LEARNT = ({"steps": 6}, {"rate": 5e-3}, {"warm_up": 0}, {"decay": 1.0}, {"clip": 0.01}, {"places": 1.0})


def by_hand(config, store):
    """The weights after four steps; the gradient of the loss is torch's, what is made of it is not."""
    one = RewardLearner(config, store)
    batch, adam = one.train.at(np.arange(4)), Adam(flat(one.module), config.clip, config.decay)
    for step in range(4):
        squared, entropy = one._losses(batch)
        found = torch.autograd.grad(squared + config.places * entropy, list(one.module.parameters()))
        adam.step(rate_at(config, step), torch.cat([part.flatten() for part in found]).numpy())
        torch.nn.utils.vector_to_parameters(torch.from_numpy(adam.weights).float(), one.module.parameters())
    return adam.weights


@pytest.mark.parametrize("changed", LEARNT, ids=str)
def test_a_setting_does_what_it_says(store, changed):
    base = structs.replace(SMALL, clip=100.0, warm_up=1)
    config = structs.replace(base, **changed)
    one = RewardLearner(config, store)
    for step in range(4):
        one.learn(one.train.at(np.arange(4)), step)
    wanted = by_hand(config, store)
    assert np.abs(wanted - by_hand(base, store)).max() > 1e-3
    np.testing.assert_allclose(flat(one.module), wanted, atol=2e-4, rtol=1e-4)


@pytest.mark.parametrize("changed", [{"batch": 3}, {"seed": 2}], ids=str)
def test_other_batches_are_drawn(store, changed):
    found = []
    for config in (SMALL, structs.replace(SMALL, **changed)):
        one = RewardLearner(config, store)
        one.begin(0)
        found.append(one.next_batch()[0].tobytes())
    assert found[0] != found[1]


ELSEWHERE = {
    "network": "test_reward::test_a_store_without_such_games_is_refused",
    "target": "test_reward::test_the_bundled_ones_say_what_a_player_would",
    "length": "test_reward::test_a_store_without_such_games_is_refused",
    "later": "test_reward::test_games_may_seem_to_begin_later",
    "batch": "test_reward::test_other_batches_are_drawn",
    "seed": "test_reward::test_other_batches_are_drawn",
    "eval_every": "test_reward::test_an_interrupted_run_ends_like_a_whole_one",
    "save_every": "test_loop::test_a_killed_run_ends_with_the_same_bits",
}


def test_every_setting_has_a_test():
    every_setting_has_a_test(RewardConfig, {name for one in LEARNT for name in one}, ELSEWHERE, Path(__file__))
