"""All tests run the kernels with bounds checks: an index out of range is otherwise a silent wrong write.

They are optimised less than usual, since here compiling takes longer than running.
"""

import os
import sys
import tempfile
from pathlib import Path

import pytest

assert "numba" not in sys.modules, "bounds checks must be asked for before Numba is imported"
os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")
os.environ.setdefault("NUMBA_OPT", "1")
DATA = tempfile.TemporaryDirectory(prefix="suzaku-tests-")
os.environ["SUZAKU_DATA"] = DATA.name  # the library of whoever runs the tests stays as it is
pytest_plugins = ["tests.time_limit"]


def pytest_sessionstart(session):
    """Before the tests are given to several processes: compile what most of them need, on all processors, once."""
    config, options = session.config, session.config.option
    if getattr(options, "numprocesses", None) and not hasattr(config, "workerinput") and not options.collectonly:
        from suzaku.cli.compile import prepare
        from suzaku.cli.compile_parts import labels

        prepare(*labels())


@pytest.fixture(scope="module")
def only_cluster():
    """Be the only ones with a Ray cluster on this machine: others would find it, and join."""
    from suzaku.system import Lock

    lock = Lock(Path(tempfile.gettempdir()) / "suzaku-ray-tests.lock", longest=600.0)
    assert lock.take()
    yield
    lock.leave()
