"""The decorator of kernels and their cache."""

import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import suzaku
from suzaku.kernel import kernel
from suzaku.kernel.cache import KEEP, imported_by, source_hash
from suzaku.seeds import mix
from suzaku.system import Lock

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
    assert "suzaku.riichi.render" not in found
    assert source_hash("suzaku.riichi.step") != source_hash("suzaku.riichi.legal")


def test_a_change_reaches_the_kernels_that_depend_on_it_and_no_others(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "suzaku", ignore=shutil.ignore_patterns("__pycache__"))

    def hashes():
        code = (
            "from suzaku.kernel.cache import source_hash as h; print(h('suzaku.hand.shanten'), h('suzaku.riichi.step'))"
        )
        return subprocess.check_output([sys.executable, "-c", code], cwd=tmp_path, text=True).split()

    before = hashes()
    with (tmp_path / "suzaku" / "riichi" / "settle.py").open("a") as file:
        file.write("# changed")
    after = hashes()
    assert before[0] == after[0]
    assert before[1] != after[1]


def test_a_program_is_told_once_that_kernels_are_compiled(tmp_path):
    code = "import numpy as np; from suzaku.seeds import mix; mix(np.uint64(1)); mix(1)"
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
    code = "import suzaku.kernel.cache as k; print(k.CACHE)"
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
        "import numpy as np; from suzaku.seeds import mix;mix(np.uint64(1)); print(sum(mix.stats.cache_hits.values()))"
    )
    hits = []
    for clone in ("one", "two"):
        shutil.copytree(PACKAGE, tmp_path / clone / "suzaku", ignore=shutil.ignore_patterns("__pycache__", "models"))
        env = {**os.environ, "SUZAKU_CACHE": str(tmp_path / "cache"), "PYTHONPATH": ""}
        hits.append(subprocess.check_output([sys.executable, "-c", code], cwd=tmp_path / clone, env=env, text=True))
    assert [int(hit) for hit in hits] == [0, 1]


CALLER = """
import sys
import numba, numpy as np
import suzaku.kernel.links
suzaku.kernel.links.BIG = 0
from suzaku.kernel import kernel
from suzaku.seeds import mix
@kernel
def ours(x):
    return mix(x) + np.uint64(1)
@numba.njit(cache=True)
def theirs(x):
    return mix(x)
def main():
    one = np.uint64(1)
    links = lambda: [form[1] for form in ours.overloads[ours.signatures[0]].library.links.calls.values()]
    print(ours(one) - one == theirs(one) == mix(one), *links(), sum(ours.stats.cache_hits.values()))
"""


def test_a_big_kernel_is_called_by_name_and_loaded_with_its_callers(tmp_path):
    (tmp_path / "caller.py").write_text(CALLER)
    env = {
        **os.environ,
        "SUZAKU_CACHE": str(tmp_path / "cache"),
        "PYTHONPATH": f"{tmp_path}{os.pathsep}{PACKAGE.parent}",
    }
    run = [sys.executable, "-W", "ignore", "-c", "import caller; caller.main()"]
    assert [subprocess.check_output(run, env=env, text=True).split() for _ in range(2)] == [
        ["True", "mix", "0"],
        ["True", "mix", "1"],
    ]


def test_another_version_of_numba_copies_and_works(tmp_path):
    code = (
        "import numba; numba.__version__ = '9.9.9'; import numpy as np; from suzaku.hand.tables import POW5;"
        "from suzaku.riichi.deal import shuffle_wall; from suzaku.seeds import below, mix;"
        "from suzaku.riichi.state import STATE;"
        "s = np.zeros(1, STATE)[0]; shuffle_wall(s); print(s.wall[:9].tolist(), shuffle_wall.stats.cache_hits)"
    )
    env = {**os.environ, "SUZAKU_CACHE": str(tmp_path), "PYTHONPATH": str(PACKAGE.parent)}
    first, again = (subprocess.check_output([sys.executable, "-c", code], env=env, text=True) for _ in range(2))
    assert first.split("]")[0] == again.split("]")[0]
    assert "1" not in first.split("]")[1]
    assert "1" in again.split("]")[1]


def test_processes_that_start_together_compile_a_kernel_once(tmp_path):
    code = (
        "import numpy as np; from suzaku.seeds import mix;mix(np.uint64(1)); print(sum(mix.stats.cache_hits.values()))"
    )
    env = {**os.environ, "SUZAKU_CACHE": str(tmp_path)}
    run = [sys.executable, "-c", code]
    both = [subprocess.Popen(run, env=env, cwd=PACKAGE.parent, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert sorted(int(one.communicate()[0]) for one in both) == [0, 1]


def test_a_lock_is_held_by_one_at_a_time(tmp_path):
    one, two = Lock(tmp_path / "lock"), Lock(tmp_path / "lock")
    taken = []
    assert one.take()
    assert not one.take()
    waiting = threading.Thread(target=lambda: taken.append(two.take()))
    waiting.start()
    waiting.join(0.2)
    assert not taken
    one.leave()
    waiting.join()
    assert taken == [True]
    two.leave()
    assert not Lock(tmp_path / "no folder" / "lock").take()


def test_damaged_files_are_compiled_anew(tmp_path):
    code = (
        "import numpy as np; from suzaku.seeds import mix;print(mix(np.uint64(1)), sum(mix.stats.cache_hits.values()))"
    )
    env = {**os.environ, "SUZAKU_CACHE": str(tmp_path)}
    told = []
    for ending, size in (("none", 0), ("nbi", 0), ("nbc", 100), ("none", 0)):
        for file in tmp_path.rglob(f"*.{ending}"):
            os.truncate(file, size)
        run = [sys.executable, "-c", code]
        told.append(subprocess.check_output(run, env=env, cwd=PACKAGE.parent, text=True).split())
    assert told == [[str(mix(np.uint64(1))), hits] for hits in "0001"]


@pytest.mark.skipif(os.name == "nt", reason="needs limits of POSIX")
def test_a_full_disk_is_no_error(tmp_path):
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0));"
        "import numpy as np; from suzaku.seeds import mix; from suzaku import kernel;"
        "print(mix(np.uint64(1))); kernel.set_warm('x'); print(kernel.is_warm('x'))"
    )
    env = {**os.environ, "SUZAKU_CACHE": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True, cwd=PACKAGE.parent
    )
    assert run.stdout.split() == [str(mix(np.uint64(1))), "False"]
