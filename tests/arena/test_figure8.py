"""Fig. 8 is drawn from the places that are kept beside its script."""

import subprocess
import sys
from pathlib import Path

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
    assert "| RL-2 - RL-1 | +0.015 ± 0.028 |" in out
    assert (tmp_path / "figure8.png").stat().st_size > 1000


def test_a_folder_without_matches_is_told(tmp_path):
    code, _, said = figure8("draw", "--out", str(tmp_path))
    assert code == 1
    assert said == f"{tmp_path} holds no match: run `play` first"
