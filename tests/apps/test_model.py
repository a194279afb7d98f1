"""`suzaku model`: what a checkpoint is, its export, and clear errors."""

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from suzaku.apps.main import app

run = CliRunner(env={"COLUMNS": "200"}).invoke

WITHOUT = "import sys; sys.modules |= dict.fromkeys({names}); from suzaku.apps.main import app; app({words})"


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    torch = pytest.importorskip("torch", reason="checkpoints are written by torch: pip install 'suzaku[train]'")
    from suzaku.networks.build import build
    from suzaku.networks.checkpoint import save

    torch.manual_seed(1)
    where = tmp_path_factory.mktemp("model") / "best"
    info = {"network": "suphx-b1c8", "model": "riichi", "data": {"games": 12}, "results": {"accuracy": 0.857}}
    save(where, build("suphx-b1c8", "riichi"), info)
    return where


def test_info(path):
    result = run(app, ["model", "info", str(path)])
    assert result.exit_code == 0, result.output
    for word in ("suphx-b1c8", "riichi", "parameters", "fits", "yes", "data.games", "12", "results.accuracy", "0.857"):
        assert word in result.output


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
    assert result.output.startswith(f"{tmp_path / 'none'}.json is missing")
    assert result.output.count("\n") == 1


def test_export(path, tmp_path):
    pytest.importorskip("onnx", reason="the export needs onnx: pip install 'suzaku[train]'")
    out = tmp_path / "riichi.onnx"
    result = run(app, ["model", "export", str(path), "--format", "onnx", "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert "differs from torch by at most" in result.output
    assert out.exists()
    assert run(app, ["model", "export", str(path), "--format", "tflite", "--out", str(out)]).exit_code == 2


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
        "import sys, suzaku.apps.main; sys.exit(any(name in sys.modules for name in ('torch', 'onnx', 'safetensors')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
