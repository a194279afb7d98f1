"""The decorator of kernels and their cache."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import suzaku
from suzaku.kernel import KEEP, imported_by, kernel, source_hash

PACKAGE = Path(suzaku.__file__).parent


@kernel
def _twice(x):
    return 2 * x


@kernel
def _uses(values):
    return _twice(values[0]) + _twice(3) + _twice(np.int64(4))


def test_calls_share_one_compiled_form():
    assert _uses(np.array([5], np.int8)) == 24
    _uses.recompile()  # where it came from the cache, nothing that it calls was looked at
    assert len(_twice.signatures) == 1


def test_the_cache_knows_what_a_module_imports_and_nothing_else():
    found = imported_by("suzaku.riichi.step")
    assert {"suzaku.tiles", "suzaku.riichi.state", "suzaku.riichi.rules", "suzaku.hand.tables"} <= found
    assert not [name for name in found if name.startswith(("suzaku.apps", "suzaku.features"))]
    assert "suzaku.riichi.svg" not in found
    assert source_hash("suzaku.riichi.step") != source_hash("suzaku.riichi.legal")


def test_a_change_reaches_the_kernels_that_depend_on_it_and_no_others(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "suzaku", ignore=shutil.ignore_patterns("__pycache__"))

    def hashes():
        code = "from suzaku.kernel import source_hash as h; print(h('suzaku.hand.shanten'), h('suzaku.riichi.step'))"
        return subprocess.check_output([sys.executable, "-c", code], cwd=tmp_path, text=True).split()

    before = hashes()
    with (tmp_path / "suzaku" / "riichi" / "settle.py").open("a") as file:
        file.write("# changed")
    after = hashes()
    assert before[0] == after[0]
    assert before[1] != after[1]


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
    for name, age in (("old", KEEP + 100), ("young", KEEP - 100)):
        folder = tmp_path / "kernels" / name
        folder.mkdir(parents=True)
        os.utime(folder, (time.time() - age,) * 2)
    code = "import suzaku.kernel as k; print(k.CACHE)"
    for place in (str(tmp_path), "/dev/null/nowhere"):
        run = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "SUZAKU_CACHE": place},
            capture_output=True,
            text=True,
            check=True,
            cwd=PACKAGE.parent,
        )
        assert (run.stdout.strip() == "None") == (place != str(tmp_path))
    assert [folder.name for folder in (tmp_path / "kernels").iterdir()] == ["young"]


def test_another_clone_finds_what_one_clone_compiled(tmp_path):
    code = (
        "import numpy as np; from suzaku.riichi.deal import mix;"
        "mix(np.uint64(1)); print(sum(mix.stats.cache_hits.values()))"
    )
    hits = []
    for clone in ("one", "two"):
        shutil.copytree(PACKAGE, tmp_path / clone / "suzaku", ignore=shutil.ignore_patterns("__pycache__", "models"))
        env = {**os.environ, "SUZAKU_CACHE": str(tmp_path / "cache"), "PYTHONPATH": ""}
        hits.append(subprocess.check_output([sys.executable, "-c", code], cwd=tmp_path / clone, env=env, text=True))
    assert [int(hit) for hit in hits] == [0, 1]
