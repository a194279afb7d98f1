"""A test that hangs ends at its limit, with the stacks of all threads on the terminal."""

import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parents[1]
HANGING = """
import threading

def wait_aside():
    threading.Event().wait()

def test_that_hangs():
    threading.Thread(target=wait_aside, daemon=True).start()
    threading.Event().wait()

def test_after_it():
    pass
"""


@pytest.mark.parametrize("processes", [(), ("-n", "1")], ids=["here", "in a worker"])
def test_a_test_that_hangs_ends_with_the_stacks_of_all_threads(processes, tmp_path):
    (tmp_path / "test_hanging.py").write_text(HANGING)
    options = ["-p", "tests.time_limit", "-p", "no:cacheprovider", "--dist", "worksteal", *processes]
    limit = ["-o", "timeout=1", "-o", "timeout_method=thread", "--rootdir", str(tmp_path), str(tmp_path)]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *limit], cwd=TOP, capture_output=True, text=True, timeout=100
    )
    said = run.stdout + run.stderr
    assert run.returncode == 1
    assert said.count("in test_that_hangs") == 1
    assert said.count("in wait_aside") == 1
    if processes:
        assert "crashed while running 'test_hanging.py::test_that_hangs'" in said
        assert "1 failed, 1 passed" in said
