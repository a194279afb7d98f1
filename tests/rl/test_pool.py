"""Actors that start: Ctrl-C is their parent's business from the first moment, and leaves none of them behind."""

import signal
import time
from pathlib import Path

import pytest

from suzaku.rl.pool import Pool, Processes


def blocked(pid):
    """The signals that a process has blocked, as /proc tells them."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    mask = int(next(line for line in lines if line.startswith("SigBlk")).split()[1], 16)
    return {number for number in signal.Signals if mask >> (number - 1) & 1}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux tells what a process has blocked")
def test_ctrl_c_does_not_reach_a_worker_that_starts():
    backend = Processes()
    actor = backend.make(None, None)  # ended before it looks at this
    (process,) = actor._processes.values()
    try:
        assert signal.SIGINT in blocked(process.pid)
        assert signal.SIGTERM not in blocked(process.pid)
        assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    finally:
        backend.end(actor)
    process.join(20)
    assert process.exitcode is not None


class Interrupted:
    """A backend with which Ctrl-C comes while the second actor is made."""

    def __init__(self):
        self.made, self.ended, self.closed = [], [], False

    def make(self, setup, snapshot):
        if self.made:
            signal.raise_signal(signal.SIGINT)
            time.sleep(0.01)
        self.made.append(object())
        return self.made[-1]

    def end(self, actor):
        self.ended.append(actor)

    def close(self):
        self.closed = True


def test_an_interrupt_while_actors_are_made_leaves_none():
    backend = Interrupted()
    with pytest.raises(KeyboardInterrupt):
        Pool(backend, None, 3, None, "here")
    assert len(backend.made) == 2
    assert backend.ended == backend.made
    assert backend.closed
