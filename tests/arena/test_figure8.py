"""Fig. 8 is drawn from the places that are kept beside its script."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

SCRIPT = Path(__file__).parents[2] / "reproduce" / "figure8.py"


def figure8(*words):
    done = subprocess.run([sys.executable, SCRIPT, *words], check=False, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr.strip()


def test_it_is_drawn_from_what_is_kept(tmp_path):
    pytest.importorskip("matplotlib")
    code, out, _ = figure8("draw", "--times", "50", "--png", str(tmp_path / "figure8.png"))
    assert code == 0
    assert "| RL-basic | 10,000 | 2.470 ± 0.021 | 5.47 |" in out
    assert "| SL-weak | 10,000 | 2.500 ± 0.000 | 5.00 |" in out  # once in each place on every deal
    assert "| RL-2 - RL-1 | +0.015 ± 0.028 |" in out
    assert (tmp_path / "figure8.png").stat().st_size > 1000


def test_a_folder_without_matches_is_told(tmp_path):
    code, _, said = figure8("draw", "--out", str(tmp_path))
    assert code == 1
    assert said == f"{tmp_path} holds no match: run `play` first"


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPT.parent))
    spec = importlib.util.spec_from_file_location("figure8", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "figure8", module)
    spec.loader.exec_module(module)
    return module


def test_what_is_kept_stays_in_the_papers_order_and_on_the_same_deals(script, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(script, "KEPT", tmp_path / "kept.json")

    def keep(**players):
        stored = script.Stored("weak", 8, {name: np.full((deals, 4), 1) for name, deals in players.items()})
        monkeypatch.setattr(script, "read_all", lambda out: stored)
        script.keep(type("Options", (), {"out": Path("runs/figure8")}))

    keep(SL=3, other=3)
    keep(**{"SL-weak": 3, "RL-1": 3})
    names = list(json.loads((tmp_path / "kept.json").read_text())["places"])
    assert names == ["SL-weak", "SL", "RL-1", "other"]
    before = (tmp_path / "kept.json").read_bytes()
    with pytest.raises(SystemExit, match="3 deals of seed 8 against three of weak, and runs/figure8 4 deals"):
        keep(**{"RL-2": 4})
    assert (tmp_path / "kept.json").read_bytes() == before
