"""The first start: parts are compiled in processes of their own, or here where that cannot be."""

import os
import re
import signal
import time

import pytest
from numba.core import event

from suzaku import kernel
from suzaku.cli import compile, compile_processes
from suzaku.cli import compile_parts as registry
from suzaku.cli.compile_parts import PARTS, SETS, Part, count_kernels, parts_of
from suzaku.kernel import cache


@pytest.fixture
def done(monkeypatch):
    """The names of two parts as they are compiled, which are all there are."""
    found = []
    parts = {name: Part(f"part {name}", (), lambda name=name: found.append(name)) for name in ("one", "two")}
    monkeypatch.setattr(registry, "PARTS", parts)
    monkeypatch.setattr(compile_processes, "PARTS", parts)
    monkeypatch.setattr(registry, "SETS", {"both": ("one", "two")})
    return found


def test_without_a_cache_folder_all_is_compiled_here(done, monkeypatch, capsys):
    monkeypatch.setattr(kernel, "CACHE", None)
    monkeypatch.setattr(cache, "CACHE", None)
    compile.prepare("both")
    said = capsys.readouterr().err
    assert done == ["one", "two"]
    assert compile.MESSAGE.format("10 seconds") in said
    assert "part one" in said
    assert "cannot be written" in said


def test_what_another_process_cannot_do_is_done_here(done, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(kernel, "CACHE", tmp_path)
    compile.prepare("both")  # other processes know nothing of these parts, and say so
    assert sorted(done) == ["one", "two"]
    assert "Ready." in capsys.readouterr().err
    compile.prepare("both")
    assert capsys.readouterr().err == ""
    assert len(done) == 2


def test_parts_are_compiled_in_other_processes(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(kernel, "CACHE", tmp_path)  # where it is marked what is ready; kernels stay where they are
    told = []
    with event.install_recorder("numba:compile") as here:
        compile.prepare("shanten", tell=told.append)
    assert not here.buffer
    assert told
    assert told == sorted(told)
    assert "Ready." in capsys.readouterr().err
    assert not compile.missing("shanten")


def test_stopping_leaves_what_is_not_done():
    work = compile_processes.Compiling(["moves", "outlook", "records"], 1)
    work.stop()
    assert not work.is_running
    assert sorted(work.left) == ["moves", "outlook", "records"]


def test_sets_are_made_of_parts():
    assert {part for parts in SETS.values() for part in parts} == set(PARTS)
    assert parts_of("records", "suphx:runs/mine", "no such agent") == ["moves", "channels", "suphx", "records", "layer"]
    assert all(f"suzaku.{name}" in cache.sources() for part in PARTS.values() for name in part.modules)
    assert count_kernels(["moves"]) < count_kernels(["moves", "outlook"]) < 1000


WITHOUT: set[str] = set()  # kernels that no command runs: for tests, benchmarks, people


def kernels_of(modules):
    """The modules with kernels among these, and among all that they import."""
    return {name for name in cache.imported_by(*modules) if b"\n@kernel" in cache.sources()[name]}


def compiled_by(sets):
    return kernels_of(f"suzaku.{module}" for part in parts_of(*sets) for module in PARTS[part].modules)


def test_every_kernel_has_a_part():
    everything = {name for name, text in cache.sources().items() if b"\n@kernel" in text}
    assert everything - compiled_by(SETS) == {f"suzaku.{name}" for name in WITHOUT}


@pytest.mark.parametrize("command", ["arena", "data", "features", "train"])
def test_a_command_prepares_all_the_kernels_that_it_imports(command):
    """Commands import in functions; those that name other commands or agents are left out here."""
    text = cache.sources()[f"suzaku.cli.{command}"].decode()
    sets = [name for name in re.findall(r'"([\w -]+)"', text) if name in SETS]
    assert sets
    found = re.findall(r"^ *from (suzaku[.\w]*) import (\([^)]*\)|.*)", text, re.MULTILINE)
    used = [name for base, what in found for name in (base, *(f"{base}.{one}" for one in re.findall(r"\w+", what)))]
    for_people = {"suzaku.riichi.evaluate"}  # its kernels score many hands at once, which no command does
    assert kernels_of(used) - for_people <= compiled_by(sets)


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGSTOP])
def test_a_compiler_that_is_killed_or_suspended_is_replaced(tmp_path, monkeypatch, sign):
    monkeypatch.setattr(kernel, "CACHE", tmp_path)
    monkeypatch.setattr("suzaku.workers.workers.SILENCE", 8.0)
    work = compile_processes.Compiling(["shanten"], 1)
    link = work._workers._seats[0].link
    while not link.where:
        time.sleep(0.01)
    os.kill(link.pid, sign)
    assert work.wait(100)
    assert work.left == []
    assert work._workers.replaced == 1
