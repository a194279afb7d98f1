"""The decorator of kernels and their cache."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

import suzaku
from suzaku.kernel import KEEP, _kernel_sources, kernel

PACKAGE = Path(suzaku.__file__).parent


@kernel
def _twice(x):
    return 2 * x


@kernel
def _uses(values):
    return _twice(values[0]) + _twice(3) + _twice(np.int64(4))


def test_calls_share_one_compiled_form():
    assert _uses(np.array([5], np.int8)) == 24
    assert len(_twice.signatures) == 1


def test_the_cache_knows_what_kernels_import_and_nothing_else():
    sources = _kernel_sources(PACKAGE)
    assert {"suzaku.tiles", "suzaku.riichi.state", "suzaku.riichi.rules", "suzaku.hand.tables"} <= set(sources)
    assert not [name for name in sources if name.startswith("suzaku.apps")]
    assert "suzaku.riichi.svg" not in sources


def test_a_program_is_told_once_that_kernels_are_compiled(tmp_path):
    code = "from suzaku.riichi import shanten; shanten('1234m', 3); shanten('11m', 4)"
    said = []
    for _ in range(2):
        run = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "SUZAKU_CACHE": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
            cwd=PACKAGE.parent,
        )
        said.append(run.stderr.count("compiling for this machine"))
    assert said == [1, 0]


def test_old_folders_are_deleted_and_a_hopeless_cache_is_no_error(tmp_path):
    for i in range(KEEP + 3):
        folder = tmp_path / "kernels" / f"old{i:02}"
        folder.mkdir(parents=True)
        os.utime(folder, (i, i))
    code = "import suzaku.kernel as k; print(k.CACHE)"
    for cache in (str(tmp_path), "/dev/null/nowhere"):
        run = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "SUZAKU_CACHE": cache},
            capture_output=True,
            text=True,
            check=True,
            cwd=PACKAGE.parent,
        )
        assert (run.stdout.strip() == "None") == (cache != str(tmp_path))
    left = sorted(folder.name for folder in (tmp_path / "kernels").iterdir() if folder.name.startswith("old"))
    assert left == [f"old{i:02}" for i in range(3, KEEP + 3)]
