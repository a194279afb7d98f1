"""A test that is skipped says why, where everybody reads it."""

import re
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).parents[1]
SKIPPED = """
import pytest

def test_that_is_skipped():
    pytest.skip("the moon is not full")
"""


def test_the_reason_of_a_skip_is_printed(tmp_path):
    (tmp_path / "test_skipped.py").write_text(SKIPPED)
    options = ["-c", str(TOP / "pyproject.toml"), "--rootdir", str(tmp_path), "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *options, str(tmp_path)]
    run = subprocess.run(command, cwd=TOP, capture_output=True, text=True, timeout=100)
    assert "the moon is not full" in run.stdout


def test_every_package_that_is_asked_for_has_a_reason():
    asked = [
        line for path in TOP.glob("tests/**/*.py") for line in re.findall(r"importorskip\(\"[^)]*", path.read_text())
    ]
    assert asked
    assert [line for line in asked if "reason=" not in line] == []
