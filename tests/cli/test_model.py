"""`suzaku model`: what a checkpoint is, its export, and clear errors."""

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from suzaku.cli.main import app
from suzaku.networks.bundled import bundled
from suzaku.networks.info import read_info
from suzaku.networks.spec import SUPHX

run = CliRunner(env={"COLUMNS": "200"}).invoke

WITHOUT = "import sys; sys.modules |= dict.fromkeys({names}); from suzaku.cli.main import app; app({words})"


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    torch = pytest.importorskip("torch", reason="checkpoints are written by torch: pip install 'suzaku[train]'")
    from suzaku.networks.checkpoint import save
    from suzaku.networks.modules import build

    torch.manual_seed(1)
    where = tmp_path_factory.mktemp("model") / "best"
    piece = {"began": "2024-05-01 12:00", "machine": "a machine", "precision": "float32"}
    pieces = [
        piece | {"first": 0, "last": 8, "samples": 512, "seconds": 3600.0},
        piece | {"first": 8, "last": 20, "samples": 768, "seconds": 900.0},
    ]
    figures = {"samples": 5000, "accuracy": 0.857, "interval": 0.0097, "majority": 0.6, "loss": 0.35}
    classes = {"confusion": [[5, 1], [1, 3]], "precision": [0.8, 0.75], "recall": [0.7, 0.65], "f1": [0.9, 0.123]}
    info = {
        "network": "suphx-b1c8",
        "model": "riichi",
        "data": {"store": "games", "games": 12345},
        "training": {"batch": 64, "rate": 0.002, "workers": 3},
        "step": 20,
        "pieces": pieces,
        "results": {"test": figures | {"classes": classes, "by_shanten": {"0": [0.5, 100], "1": [0.25, 1000]}}},
    }
    save(where, build("suphx-b1c8", "riichi"), info)
    return where


def lines_of(output):
    """The rows of tables, with single spaces between the cells."""
    return [" ".join(line.split()) for line in output.splitlines()]


def test_info_is_laid_out_for_people(path):
    result = run(app, ["model", "info", str(path)])
    assert result.exit_code == 0, result.output
    lines = lines_of(result.output)
    assert "riichi, suphx-b1c8" in lines
    assert "fits this Suzaku yes" in lines
    assert "trained on 12,345 games (store games), 1,280 samples" in lines
    assert "time 20 steps, 1,280 samples in 1 h 15 min, in 2 pieces, on a machine" in lines
    assert "settings batch 64, rate 0.002" in lines
    assert "test 5,000 85.70 ± 0.97 60.00 0.350 0.750 0.650 0.123" in lines
    assert "tenpai 1-shanten" in lines
    assert "right, % 50.00 25.00" in lines
    assert any(line.startswith("parameters ") and line.endswith("MB, single precision)") for line in lines)
    assert len(lines) < 40, "it fits on a screen"


def test_info_tells_what_is_right_without_the_legal_mask():
    result = run(app, ["model", "info", str(bundled("gao") / "discard")])
    assert result.exit_code == 0, result.output
    assert "test 57,538 68.17 ± 0.38 4.99 0.890 68.04 99.82 93.39" in lines_of(result.output)


def test_info_for_programs(path):
    result = run(app, ["model", "info", str(path), "--json"])
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    written = json.loads(path.with_suffix(".json").read_text())
    assert {key: told[key] for key in written} == written
    assert told["fits"] is True
    assert told["misfit"] is None
    assert told["bytes"] == path.with_suffix(".safetensors").stat().st_size
    assert told["parameters"] > 200_000


def test_info_of_a_folder_has_a_row_a_model(path):
    result = run(app, ["model", "info", str(bundled("suphx"))])
    assert result.exit_code == 0, result.output
    rows = [line.split()[:3] for line in lines_of(result.output)]
    for model in SUPHX.models:
        told = read_info(bundled("suphx") / model)
        assert [model, told["network"], told["features"]["table"]] in rows
    run_folder = run(app, ["model", "info", str(path.parent)])
    assert "riichi, suphx-b1c8" in run_folder.output, "the folder of a run is its best model"
    told = json.loads(run(app, ["model", "info", str(bundled("gao")), "--json"]).stdout)
    assert {model["model"] for model in told} == {"discard", "riichi", "chow", "pong"}


def test_info_of_a_bare_or_odd_description(path, tmp_path):
    told = json.loads(path.with_suffix(".json").read_text())
    (tmp_path / "odd.safetensors").write_bytes(path.with_suffix(".safetensors").read_bytes())
    odd = {"data": 5, "training": "yes", "step": "7", "pieces": [{"a": 1}], "results": {"test": {"accuracy": [1]}}}
    for change in (dict.fromkeys(odd), odd, {"results": {"accuracy": 0.857}}):
        (tmp_path / "odd.json").write_text(json.dumps({**told, **change}))
        result = run(app, ["model", "info", str(tmp_path / "odd")])
        assert result.exit_code == 0, (change, result.output, result.exception)
        assert "fits this Suzaku" in result.output
    assert "85.70" in result.output


def test_info_says_that_features_do_not_fit(path, tmp_path):
    told = json.loads(path.with_suffix(".json").read_text())
    told["features"]["hash"] = "0123456789abcdef"
    (tmp_path / "old.json").write_text(json.dumps(told))
    (tmp_path / "old.safetensors").write_bytes(path.with_suffix(".safetensors").read_bytes())
    result = run(app, ["model", "info", str(tmp_path / "old")])
    assert result.exit_code == 0
    assert "no: it was trained on" in result.output
    assert "0123456789abcdef" in result.output
    result = run(app, ["model", "export", str(tmp_path / "old"), "--out", str(tmp_path / "old.onnx")])
    assert result.exit_code == 2
    assert "does not fit" in result.output
    assert not (tmp_path / "old.onnx").exists()


@pytest.mark.parametrize("command", [["info"], ["export", "--out", "never.onnx"]])
def test_a_missing_checkpoint_is_one_sentence(command, tmp_path):
    if command[0] == "export":
        pytest.importorskip("torch", reason="the export needs torch: pip install 'suzaku[train]'")
    result = run(app, ["model", command[0], str(tmp_path / "none"), *command[1:]])
    assert result.exit_code == 2
    assert result.output.startswith(f"suzaku: {tmp_path / 'none'}.json is missing")
    assert result.output.count("\n") == 1


def test_export(path, tmp_path):
    pytest.importorskip("onnx", reason="the export needs onnx: pip install 'suzaku[train]'")
    out = tmp_path / "riichi.onnx"
    result = run(app, ["model", "export", str(path), "--format", "onnx", "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert "differs from torch by at most" in result.output
    assert out.exists()
    assert run(app, ["model", "export", str(path), "--format", "tflite", "--out", str(out)]).exit_code == 2


def test_bundled_models_are_exported_by_name(tmp_path, monkeypatch):
    pytest.importorskip("onnx", reason="the export needs onnx: pip install 'suzaku[train]'")
    monkeypatch.chdir(tmp_path)
    one = run(app, ["model", "export", "weak/riichi", "--out", "riichi.onnx"])
    assert one.exit_code == 0, one.output
    every = run(app, ["model", "export", "weak", "--out", "weak-onnx"])
    assert every.exit_code == 0, every.output
    assert sorted(path.stem for path in (tmp_path / "weak-onnx").iterdir()) == sorted(SUPHX.models)
    assert (tmp_path / "weak-onnx" / "riichi.onnx").read_bytes() == (tmp_path / "riichi.onnx").read_bytes()
    refused = run(app, ["model", "export", "weak", "--out", "weak.onnx"])
    assert refused.exit_code == 2
    assert "weak has the models discard, riichi, chow, pong, kong: give a folder with --out" in refused.stderr
    assert not (tmp_path / "weak.onnx").exists()


def test_without_torch_info_works_and_export_says_what_to_install(path, tmp_path):
    names = ["torch"]
    code = WITHOUT.format(names=names, words=["model", "info", str(path)])
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "suphx-b1c8" in done.stdout
    code = WITHOUT.format(names=names, words=["model", "export", str(path), "--out", str(tmp_path / "no.onnx")])
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert "pip install 'suzaku[train]'" in done.stderr
    assert done.stderr.count("\n") == 1


def test_help_does_not_import_torch():
    code = (
        "import sys, suzaku.cli.main; sys.exit(any(name in sys.modules for name in ('torch', 'onnx', 'safetensors')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_an_agent_stands_for_its_bundled_models(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    named = run(app, ["model", "info", "suphx", "--json"])
    assert named.exit_code == 0, named.output
    assert [model["model"] for model in json.loads(named.stdout)] == ["discard", "riichi", "chow", "pong", "kong"]
    (tmp_path / "suphx").mkdir()  # what is there goes first
    assert run(app, ["model", "info", "suphx"]).exit_code == 2


def test_of_a_player_that_learnt_from_itself_games_and_a_match_are_told():
    told = " ".join(run(app, ["model", "info", str(bundled("rl-basic") / "discard")]).stdout.split())
    assert "33,629 games against itself, 11,621,252 decisions" in told
    assert "average rank 2.470 ± 0.021 against three weak, 10,000 hanchan" in told


def test_the_mean_of_checkpoints(path, tmp_path):
    torch = pytest.importorskip("torch", reason="needs the extra [train]")
    from suzaku.networks.checkpoint import load, save
    from suzaku.networks.modules import build

    torch.manual_seed(2)
    first, other, stranger, blind = (tmp_path / name for name in ("first", "other", "stranger", "blind"))
    for where, start in ((first, "a"), (other, "a"), (stranger, "b"), (blind, "a")):
        about = {"network": "suphx-b1c8", "model": "riichi", "played": 5, "started": {"weights": {"sha256": start}}}
        save(where, build("suphx-b1c8", "riichi"), {**about, "training": {"lookahead": where != blind}})
    result = run(app, ["model", "average", str(first), str(other), "--out", str(tmp_path / "mean")])
    assert result.exit_code == 0, result.output
    one, two, mean = (load(where)[0].state_dict() for where in (first, other, tmp_path / "mean"))
    for name in ("stem.weight", "head.last.bias", "norm.running_var"):
        assert torch.allclose(mean[name], (one[name] + two[name]) / 2)
    assert len(read_info(tmp_path / "mean")["mean_of"]) == 2
    shown = run(app, ["model", "info", str(tmp_path / "mean")]).output
    assert f"mean of {first}, {other}" in " ".join(shown.split())
    for one, two, why in (
        (first, bundled("weak") / "discard", "only networks of one form have a mean"),
        (first, stranger, f"{stranger} and {first} began with other weights"),
        (first, blind, f"{blind} and {first} learnt from other features"),
        (path, path, f"{path} does not say what it began with"),
        (first, path, f"{path} does not say what it began with"),
        (path, first, f"{path} does not say what it began with"),
    ):
        refused = run(app, ["model", "average", str(one), str(two), "--out", str(tmp_path / "x")])
        assert refused.exit_code == 2
        assert why in " ".join(refused.output.split())
    assert run(app, ["model", "average", str(path), "--out", str(tmp_path / "x")]).exit_code == 2
    assert not (tmp_path / "x.json").exists()
