"""Locks: one process at a time, and nobody waits long for one that hangs."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from suzaku import system
from suzaku.system import Lock, is_suspended

HOLD = """
import sys, time
from pathlib import Path
from suzaku.system import Lock
lock = Lock(Path(sys.argv[1]))
assert lock.take()
print("held", flush=True)
time.sleep(100)
"""


@pytest.fixture
def holder(tmp_path):
    """Another process that has the lock."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    command = [sys.executable, "-c", HOLD, str(tmp_path / "lock")]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.wait()


def test_who_waits_says_for_whom_and_gives_up(holder, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(system, "SAY", 0.2)
    lock = Lock(tmp_path / "lock", longest=0.6)
    began = time.monotonic()
    assert not lock.take()
    assert 0.6 <= time.monotonic() - began < 20
    assert f"waiting for process {holder.pid}, which has {tmp_path / 'lock'}" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="Linux tells that a process is suspended")
def test_a_suspended_process_is_not_waited_for(holder, tmp_path, monkeypatch):
    monkeypatch.setattr(system, "SUSPENDED", 0.3)
    assert not is_suspended(holder.pid)
    holder.send_signal(signal.SIGSTOP)
    assert not Lock(tmp_path / "lock").take()
    assert is_suspended(holder.pid)


def test_a_lock_ends_with_its_process(holder, tmp_path):
    holder.kill()
    lock = Lock(tmp_path / "lock", longest=20.0)
    assert lock.take()
    assert (tmp_path / "lock").read_text() == str(os.getpid())
    lock.leave()
    assert Lock(tmp_path / "lock").take()
