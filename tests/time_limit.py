"""A test that reaches its time limit says where every thread stood, also in the processes of pytest-xdist.

pytest-timeout writes the stacks to its terminal and ends the process. A worker's terminal is read by nobody, so there
the stacks go to the standard error that it shares with the parent. xdist names the test.
"""

import faulthandler
import os

import pytest

STDERR = pytest.StashKey[int]()


def pytest_configure(config):
    """Before anything is captured, keep the way to the terminal."""
    if hasattr(config, "workerinput"):
        config.stash[STDERR] = os.dup(2)


def pytest_timeout_set_timer(item, settings):
    """The limit begins. None leaves it to pytest-timeout."""
    if STDERR not in item.config.stash:
        return None
    faulthandler.dump_traceback_later(settings.timeout, exit=True, file=item.config.stash[STDERR])
    return True


def pytest_timeout_cancel_timer(item):
    """The test has ended in time."""
    if STDERR not in item.config.stash:
        return None
    faulthandler.cancel_dump_traceback_later()
    return True
