"""Processes that work for this one."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

is_worker = False  # whether this process works for another one, which says what is to be said


def cores() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def out_of_reach() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach, not even while they import; here it waits until the end of the block.

    Where signals cannot be blocked, as on Windows, it reaches them.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # a process that is started begins with this
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
