"""The training loop: it learns, stops, goes on exactly, and refuses what does not fit."""

import itertools
import signal

import numpy as np
import pytest
from msgspec.structs import asdict, replace
from typer.testing import CliRunner

pytest.importorskip("torch", reason="needs the extra [train]")

import torch

from suzaku.cli.main import app
from suzaku.features.sparse import SparsePlanes
from suzaku.learning.config import Config
from suzaku.learning.loop import Run, defer_signals
from suzaku.learning.report import write_report
from suzaku.learning.samples import stream
from suzaku.learning.supervised import Supervised, learning_rate, move_average
from suzaku.networks import checkpoint
from suzaku.networks.bundled import bundled
from suzaku.networks.spec import ModelSpec, model_spec
from suzaku.records.importing import import_records
from tests.records.made import write_folder

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


def begun(config, store, folder):
    return Run(Supervised(config, store), folder)


def weights(run):
    return torch.cat([tensor.flatten().float() for tensor in run.learner.module.state_dict().values()])


def test_rate_rises_and_falls():
    rates = [learning_rate(SMALL, step) for step in range(SMALL.steps + 1)]
    assert rates[0] < rates[3] == pytest.approx(SMALL.rate)
    assert all(a >= b for a, b in itertools.pairwise(rates[4:]))
    assert rates[-1] == pytest.approx(0)


def test_learns_and_reports(store, tmp_path):
    said = []
    run = begun(SMALL, store, tmp_path / "run")
    run.run(said.append, every=6)
    assert said[-1]["loss"] < said[0]["loss"]
    assert [row["step"] for row in run.curve] == [12, 24]
    report = write_report(run)[0].read_text(encoding="utf-8")
    assert "the paper 76.7 %" in report
    module, info = checkpoint.load(tmp_path / "run" / "best")
    assert info["network"] == "suphx-b1c16"
    assert 0 < info["results"]["validation"]["accuracy"] < 1
    assert next(module.parameters()).dtype == torch.float32


def test_an_oracle_learns_from_records_and_only_from_walls_that_are_known(store, tmp_path, monkeypatch):
    config = replace(SMALL, network="oracle-b1c16", steps=12)
    run = begun(config, store, tmp_path / "run")
    before = run.learner.module.stem.weight.detach().clone()
    run.run(lambda _: None)
    learnt = (run.learner.module.stem.weight != before).any(dim=3).any(dim=0)[:, 0]
    assert learnt[838:].sum() > 60  # of the 93 channels of what the seat cannot see
    assert checkpoint.load(tmp_path / "run" / "best")[1]["features"]["table"] == "suphx+oracle"
    found = []
    monkeypatch.setattr("suzaku.learning.samples.decisions", lambda *args, **more: found.append(args[2]) or iter(()))
    for network in ("oracle-b1c16", "suphx-b1c16"):
        list(stream(store, model_spec(network, "discard"), 8, 0, again=False))
    assert [filters.walls for filters in found] == [True, False]


def test_an_interrupted_run_ends_like_a_whole_one(store, tmp_path):
    whole = begun(SMALL, store, tmp_path / "whole")
    whole.run(lambda _: None)

    def interrupt(figures):
        if figures["step"] == 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        begun(SMALL, store, tmp_path / "halves").run(interrupt, every=1)
    second = begun(SMALL, store, tmp_path / "halves")
    assert second.step == 10
    second.run(lambda _: None)
    assert torch.allclose(weights(whole), weights(second), atol=1e-5)
    assert [row["step"] for row in second.curve] == [12, 24]
    assert second.curve[-1]["loss"] == pytest.approx(whole.curve[-1]["loss"], abs=1e-5)
    report_of_pieces(second, [(0, 10), (10, 24)])


def report_of_pieces(run, expected):
    """All pieces of a run are kept and reported, and looking at a run that is done adds none."""
    begun(SMALL, run.learner.store, run.folder).run(lambda _: None)
    again = begun(SMALL, run.learner.store, run.folder)
    assert [(piece.first, piece.last) for piece in again.pieces] == expected
    assert [piece.samples for piece in again.pieces] == [64 * (last - first) for first, last in expected]
    assert all(piece.seconds > 0 and piece.precision == "float32" and piece.machine for piece in again.pieces)
    page = write_report(again)[0].read_text(encoding="utf-8")
    assert "Trained: 24 steps, 1,536 samples in " in page
    assert "in 2 pieces" in page
    assert "| 1 to 10 | 640 |" in page
    assert "| 11 to 24 | 896 |" in page
    kept = checkpoint.load(run.folder / "last")[1]["pieces"]
    assert kept == [piece.to_dict() for piece in again.pieces]


def test_a_run_from_before_pieces_were_kept_says_so(store, tmp_path):
    begun(replace(SMALL, steps=2, eval_every=2), store, tmp_path / "run").run(lambda _: None)
    state = torch.load(tmp_path / "run" / "last.state.pt")
    del state["pieces"], state["command"]
    torch.save(state, tmp_path / "run" / "last.state.pt")
    run = begun(replace(SMALL, steps=4, eval_every=2), store, tmp_path / "run")
    run.run(lambda _: None)
    page = write_report(run)[0].read_text(encoding="utf-8")
    assert "Trained: 4 steps, 256 samples in over " in page
    assert "| not recorded | 1 to 2 | 128 | not recorded |" in page


def test_a_run_on_other_samples_cannot_go_on(store, tmp_path):
    chow = replace(SMALL, model="chow", steps=1, eval_samples=50)
    begun(chow, store, tmp_path / "run").run(lambda _: None)
    state = torch.load(tmp_path / "run" / "last.state.pt")
    del state["samples"]  # as before every possible claim was a sample
    torch.save(state, tmp_path / "run" / "last.state.pt")
    with pytest.raises(ValueError, match="other samples of chow"):
        begun(chow, store, tmp_path / "run")


def test_sparse_planes_learn_what_dense_ones_do(store, tmp_path, monkeypatch):
    learnt = []
    for sparse in (True, False):
        monkeypatch.setattr(ModelSpec, "takes_sparse", lambda spec, device, sparse=sparse: sparse)
        run = begun(replace(SMALL, steps=8, eval_samples=50), store, tmp_path / str(sparse))
        seen: list[type] = []
        run.learner.module.register_forward_pre_hook(lambda module, planes, seen=seen: seen.append(type(planes[0])))
        told = []
        run.run(told.append, every=1)
        assert set(seen) == {SparsePlanes if sparse else torch.Tensor}
        learnt.append([[one["loss"] for one in told], run.curve[-1]["loss"]])
    np.testing.assert_allclose(learnt[0][0], learnt[1][0], rtol=1e-3)
    np.testing.assert_allclose(learnt[0][1], learnt[1][1], rtol=1e-3)


@pytest.mark.parametrize(("has", "expected"), [(True, torch.bfloat16), (False, torch.float32)])
def test_bfloat16_is_for_machines_that_have_it(has, expected, store, tmp_path, monkeypatch):
    monkeypatch.setattr("suzaku.learning.supervised.has_bfloat16", lambda device: has)
    run = begun(replace(SMALL, steps=1, bfloat16=True, eval_samples=50), store, tmp_path / "run")
    seen = set()
    run.learner.module.register_forward_hook(lambda module, planes, logits: seen.add((module.training, logits.dtype)))
    run.run(lambda _: None)
    assert seen == {(True, expected), (False, expected)}, "while it learns, and while it is looked at"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_waits_for_the_end_of_the_step(number):
    before = signal.signal(number, signal.default_int_handler)
    done = []

    def interrupted_step():
        with defer_signals():
            signal.raise_signal(number)
            done.append("the rest of the step")

    try:
        with pytest.raises(KeyboardInterrupt):
            interrupted_step()
        assert signal.getsignal(number) is signal.default_int_handler
    finally:
        signal.signal(number, before)
    assert done


def test_an_interrupted_look_is_made_up_for(store, tmp_path, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    config = replace(SMALL, steps=2, eval_every=2)
    with monkeypatch.context() as patch:
        patch.setattr("suzaku.learning.supervised.evaluate_model", interrupt)
        with pytest.raises(KeyboardInterrupt):
            begun(config, store, tmp_path / "run").run(lambda _: None)
    again = begun(config, store, tmp_path / "run")
    assert again.step == 2
    again.run(lambda _: None)
    assert [row["step"] for row in again.curve] == [2]
    checkpoint.load(tmp_path / "run" / "best")


def test_a_run_that_diverges_keeps_its_last_good_state(store, tmp_path):
    begun(replace(SMALL, rate=1e30), store, tmp_path / "run").save()
    kept = (tmp_path / "run" / "last.state.pt").read_bytes()
    with pytest.raises(ValueError, match="try a lower rate"):
        begun(replace(SMALL, rate=1e30), store, tmp_path / "run").run(lambda _: None)
    assert (tmp_path / "run" / "last.state.pt").read_bytes() == kept


def test_a_damaged_state_is_named(store, tmp_path):
    begun(SMALL, store, tmp_path / "run").save()
    state = tmp_path / "run" / "last.state.pt"
    whole = state.read_bytes()
    for damaged in (b"", whole[: len(whole) // 2], b"not a state at all" * 100):
        state.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"last\.state\.pt is damaged"):
            begun(SMALL, store, tmp_path / "run")


@pytest.mark.parametrize("gone", [False, True])
@pytest.mark.parametrize("suffix", ["safetensors", "json"])
def test_a_damaged_checkpoint_of_a_finished_run_is_said_and_written_again(store, tmp_path, capsys, suffix, gone):
    begun(replace(SMALL, steps=2), store, tmp_path / "run").run(lambda _: None)
    capsys.readouterr()
    damaged = tmp_path / "run" / f"last.{suffix}"
    whole = damaged.read_bytes()
    if gone:
        damaged.unlink()
    else:
        damaged.write_bytes(whole[:-40])
    begun(replace(SMALL, steps=2), store, tmp_path / "run").run(lambda _: None)
    said = capsys.readouterr().err
    assert str(tmp_path / "run" / "last") in said
    assert "it is written again from last.state.pt" in said
    checkpoint.load(tmp_path / "run" / "last")


def test_other_games_do_not_go_on(store, tmp_path):
    begun(SMALL, store, tmp_path / "run").save()
    write_folder(tmp_path / "in", range(60, 63))
    import_records([str(tmp_path / "in")], tmp_path / "other")
    with pytest.raises(ValueError, match=r"holds a run on 12 games, .* has 3"):
        begun(SMALL, tmp_path / "other", tmp_path / "run")


def test_a_store_without_validation_games_is_refused_at_once(tmp_path):
    write_folder(tmp_path / "in", [60])
    import_records([str(tmp_path / "in")], tmp_path / "store")
    with pytest.raises(ValueError, match="no discard decisions for validation"):
        begun(SMALL, tmp_path / "store", tmp_path / "run").run(lambda _: None)


def test_other_settings_do_not_go_on(store, tmp_path):
    begun(SMALL, store, tmp_path / "run").save()
    with pytest.raises(ValueError, match=r"other settings \(rate\)"):
        begun(replace(SMALL, rate=1e-4), store, tmp_path / "run")


@pytest.mark.parametrize(("network", "model"), [("gao-86", "discard"), ("gao-86", "chow"), ("suphx-b1c16", "pong")])
def test_other_models_train(store, tmp_path, network, model):
    config = Config(
        **{**asdict(SMALL), "network": network, "model": model, "steps": 2, "eval_every": 2, "balance": 1.0}
    )
    run = begun(config, store, tmp_path / "run")
    run.run(lambda _: None)
    assert run.curve[-1]["accuracy"] > 0


def test_a_run_may_start_from_a_checkpoint(store, tmp_path):
    first = begun(SMALL, store, tmp_path / "first")
    first.save()
    start = {**asdict(SMALL), "start": str(tmp_path / "first" / "last")}
    assert torch.equal(weights(begun(Config(**start), store, tmp_path / "second")), weights(first))
    with pytest.raises(ValueError, match="is suphx-b1c16: it cannot start suphx-b2c8"):
        begun(Config(**{**start, "network": "suphx-b2c8"}), store, tmp_path / "third")
    (tmp_path / "first").rename(tmp_path / "discard")
    for end in ("safetensors", "json"):
        (tmp_path / "discard" / f"last.{end}").rename(tmp_path / "discard" / f"best.{end}")
    folder = replace(SMALL, start=str(tmp_path))
    assert torch.equal(weights(begun(folder, store, tmp_path / "fourth")), weights(first))


@pytest.mark.parametrize("network", ["suphx-b3c16", "suphx-b1c24", "suphx-b2c40"])
def test_a_larger_network_begins_with_the_answers_of_a_smaller_one(store, tmp_path, network):
    first = begun(SMALL, store, tmp_path / "first")
    first.run(lambda _: None)
    config = replace(SMALL, network=network, start=str(tmp_path / "first" / "last"), seed=2)
    second = begun(config, store, tmp_path / "second")
    given, taken = first.learner.module.eval(), second.learner.module.eval()
    planes = torch.randint(0, 256, (4, given.stem.weight.shape[1], 34), dtype=torch.uint8)
    before = given(planes).detach()
    torch.testing.assert_close(taken(planes).detach(), before)
    second.run(lambda _: None)
    assert (taken.eval()(planes).detach() - before).abs().max() > 1e-3


@pytest.mark.parametrize("model", ["riichi", "chow"])
def test_another_models_weights_are_carried_over(store, tmp_path, model):
    first = begun(SMALL, store, tmp_path / "first")
    first.save()
    config = replace(SMALL, model=model, start=str(tmp_path / "first" / "last"), seed=2)
    given, taken = first.learner.module, begun(config, store, tmp_path / "second").learner.module
    both = given.stem.weight.shape[1]
    assert torch.equal(taken.stem.weight[:, :both], given.stem.weight)
    assert not taken.stem.weight[:, both:].any()
    assert torch.equal(taken.blocks[0].conv2.weight, given.blocks[0].conv2.weight)
    assert taken.head.last.weight.shape == (2, 256)


def test_all_models_are_those_of_the_network(store, tmp_path):
    words = ["train", "supervised", "--model", "all", "--network", "gao-86", "--data", str(store)]
    quick = ["steps=1", "batch=8", "eval_samples=50", "bfloat16=false", "select=all"]
    sets = [word for setting in quick for word in ("--set", setting)]
    done = CliRunner().invoke(app, [*words, "--out", str(tmp_path / "runs"), *sets])
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[-1] == f"Let it play: suzaku arena gao:{tmp_path / 'runs'} shanten --games 200"
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == ["chow", "discard", "pong", "riichi"]
    page = (tmp_path / "runs" / "chow" / "report.md").read_text(encoding="utf-8")
    assert "| | guessed none | lowest | middle | highest | precision | recall | F1 |" in page
    assert "| stated probability | right | samples |" in page


def test_averaged_weights_are_kept_looked_at_and_resumed(store, tmp_path):
    config = replace(SMALL, average=0.9, steps=12, eval_every=6, eval_samples=50)
    whole = begun(config, store, tmp_path / "whole")
    whole.run(lambda _: None)
    learner = whole.learner
    plain, kept = learner.module.state_dict(), checkpoint.load(tmp_path / "whole" / "last")[0].state_dict()
    for name, tensor in learner.player.state_dict().items():
        assert torch.equal(tensor, kept[name])
    assert not torch.equal(plain["stem.weight"], kept["stem.weight"])
    assert torch.equal(plain["norm.num_batches_tracked"], kept["norm.num_batches_tracked"])

    def interrupt(figures):
        if figures["step"] == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        begun(config, store, tmp_path / "halves").run(interrupt, every=1)
    second = begun(config, store, tmp_path / "halves")
    second.run(lambda _: None)
    for name, tensor in second.learner.player.state_dict().items():
        torch.testing.assert_close(tensor, kept[name], atol=1e-5, rtol=1e-5)


def test_the_average_is_that_of_the_last_weights():
    one, average = torch.nn.Linear(1, 1), torch.nn.Linear(1, 1)
    expected = average.weight.item()
    for step in range(40):
        torch.nn.init.constant_(one.weight, step)
        move_average(average, one, 0.8, step)
        keep = min(0.8, (step + 1) / (step + 10))
        expected = keep * expected + (1 - keep) * step
    assert average.weight.item() == pytest.approx(expected)
    assert 34 < expected < 36, "some five steps behind"


def test_a_bundled_player_may_be_the_start(store, tmp_path):
    config = replace(SMALL, network="suphx-b2c32", start="weak", model="riichi")
    bundled_one, _ = checkpoint.load(bundled("weak") / "riichi")
    assert torch.equal(begun(config, store, tmp_path / "run").learner.module.stem.weight, bundled_one.stem.weight)


def test_two_stores_and_some_players_teach(store, tmp_path):
    write_folder(tmp_path / "in", [60, 61])
    import_records([str(tmp_path / "in")], tmp_path / "other")
    names = ",".join(f"player 1 of {seed}" for seed in [*range(40, 52), 60])
    words = ["train", "supervised", "--model", "discard", "--network", "suphx-b1c8", "--data", str(store)]
    words += ["--data", str(tmp_path / "other"), "--players", names, "--set", "lookahead=false"]
    words += ["--set", "steps=1", "--set", "batch=8", "--set", "eval_samples=50", "--out", str(tmp_path / "run")]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    info = checkpoint.load(tmp_path / "run" / "best")[1]
    assert info["data"] == {"store": "store + other", "games": 14}
    assert info["training"]["players"] == names
    words[words.index("--players") + 1] = "Nobody"
    refused = CliRunner().invoke(app, [*words[:-1], str(tmp_path / "none")])
    assert refused.exit_code == 2
    assert "no game has a player 'Nobody'" in refused.output


def test_an_auxiliary_head_learns_and_stays_out_of_the_player(store, tmp_path):
    config = replace(SMALL, auxiliary=1.0, steps=16, eval_every=16, eval_samples=50)
    told = []
    whole = begun(config, store, tmp_path / "whole")
    whole.run(told.append, every=4)
    assert told[-1]["auxiliary_loss"] < 0.9 * told[0]["auxiliary_loss"]
    assert checkpoint.load(tmp_path / "whole" / "last")[1]["network"] == "suphx-b1c16"

    def interrupt(figures):
        if figures["step"] == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        begun(config, store, tmp_path / "halves").run(interrupt, every=1)
    second = begun(config, store, tmp_path / "halves")
    second.run(lambda _: None)
    for name, tensor in second.learner.taught.state_dict().items():
        torch.testing.assert_close(tensor, whole.learner.taught.state_dict()[name], atol=1e-5, rtol=1e-5)
    plain = begun(replace(config, auxiliary=0.0), store, tmp_path / "plain")
    plain.run(lambda _: None)
    assert not torch.equal(weights(plain), weights(whole)), "the network learns from both losses"
