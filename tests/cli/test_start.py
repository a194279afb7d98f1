"""The first start: parts are compiled in processes of their own, or here where that cannot be."""

import os
import re
import signal
import time

import pytest
from numba.core import event

from suzaku import kernel
from suzaku.agents.make import AGENTS_OF
from suzaku.cli import compile, compile_parts
from suzaku.cli.compile_parts import AGENTS, count_kernels, labels, modules_of, parts_of
from suzaku.cli.play import NEEDED
from suzaku.cli.train import USED as LEARNT
from suzaku.cli.train_rl import MCR, RIICHI
from suzaku.kernel import cache
from suzaku.table.game import GAMES


@pytest.fixture
def done(monkeypatch):
    """The names of two parts as they are compiled, which are all there are."""
    found = []
    monkeypatch.setattr(compile_parts, "labels", lambda: {"one": "part one", "two": "part two"})
    monkeypatch.setattr(compile_parts, "compile_here", found.append)
    return found


def test_without_a_cache_folder_all_is_compiled_here(done, monkeypatch, capsys):
    monkeypatch.setattr(kernel, "CACHE", None)
    monkeypatch.setattr(cache, "CACHE", None)
    compile.prepare("one", "two")
    said = capsys.readouterr().err
    assert done == ["one", "two"]
    assert compile.MESSAGE.format("10 seconds") in said
    assert "part one" in said
    assert "cannot be written" in said


def test_what_another_process_cannot_do_is_done_here(done, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(kernel, "CACHE", tmp_path)
    compile.prepare("one", "two")  # other processes know nothing of these parts, and say so
    assert sorted(done) == ["one", "two"]
    assert "Ready." in capsys.readouterr().err
    compile.prepare("one", "two")
    assert capsys.readouterr().err == ""
    assert len(done) == 2


def test_parts_are_compiled_in_other_processes(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(kernel, "CACHE", tmp_path)  # where it is marked what is ready; kernels stay where they are
    told = []
    with event.install_recorder("numba:compile") as here:
        compile.prepare("riichi shanten", tell=told.append)
    assert not here.buffer
    assert told
    assert told == sorted(told)
    assert "Ready." in capsys.readouterr().err
    assert not compile.missing("riichi shanten")


def test_stopping_leaves_what_is_not_done():
    work = compile_parts.Compiling(["riichi.game", "review.hints"], 1)
    work.stop()
    assert not work.is_running
    assert work.left == ["riichi.game", "review.hints"]


def test_what_is_compiled_follows_from_imports():
    assert parts_of("records.importing") == ["records.importing", "riichi.game"]
    assert parts_of("riichi mjai:program", "no such thing") == ["riichi.game"]
    suphx = ["riichi.game", "features.suphx", "networks.cpu_kernels", "riichi suphx"]
    assert parts_of("riichi suphx") == parts_of("riichi weak", "riichi suphx:runs/mine") == suphx
    assert set(parts_of("riichi oracle:runs/mine")) == {*suphx, "rl.oracle"}
    assert count_kernels(["riichi.game"]) < count_kernels(["riichi.game", "review.hints"]) < 1000


def test_every_agent_that_compiles_something_has_a_part():
    assert {module for modules in AGENTS.values() for module in modules} <= {
        name.removeprefix("suzaku.") for name in cache.sources()
    }
    programs = {"mjai", "mjai.app", "botzone", "python"}
    for game, agents in AGENTS_OF.items():
        assert all(len(parts_of(f"{game} {name}")) > 1 for name in agents.keys() - programs - {"random", "tsumogiri"})


def kernels_of(modules):
    """The modules with kernels among these, and among all that they import."""
    return {name for name in cache.imported_by(*modules) if b"\n@kernel" in cache.sources()[name]}


def compiled_by(names):
    return {name for part in parts_of(*names) for name in modules_of(part) if b"\n@kernel" in cache.sources()[name]}


def test_every_kernel_has_a_part():
    assert {name for name, text in cache.sources().items() if b"\n@kernel" in text} == compiled_by(labels())


USED = {  # by command: agents that it names otherwise than in its calls
    "arena": ["riichi shanten"],
    "data": [],
    "features": ["riichi shanten"],
    "train": ["riichi shanten", "riichi heuristic", *LEARNT["riichi"], *LEARNT["mcr"]],
}
PLAYED = {"riichi": RIICHI, "mcr": MCR}
NOT_RUN = {  # what it imports beside what it runs: a match reads no records, a store of games asks no agents
    "arena": {"suzaku.records.walls", "suzaku.records.replay_events"},
    "data": {"suzaku.agents.simple"},
}


@pytest.mark.parametrize("command", USED)
def test_a_command_prepares_all_the_kernels_that_it_imports(command):
    """Commands import in functions; those that name other commands or agents are left out here."""
    text = cache.sources()[f"suzaku.cli.{command}"].decode()
    calls = re.findall(r"(?:prepare|position)\(([^)]*)\)", text)
    assert calls
    names = [name for call in calls for name in re.findall(r'"([\w.]+|riichi \w+)"', call)]
    found = re.findall(r"^ *from (suzaku[.\w]*) import (\([^)]*\)|.*)", text, re.MULTILINE)
    used = [name for base, what in found for name in (base, *(f"{base}.{one}" for one in re.findall(r"\w+", what)))]
    assert kernels_of(used) - NOT_RUN.get(command, set()) <= compiled_by([*names, *USED[command]])


def test_commands_name_modules_games_and_agents_that_are_there():
    texts = [text.decode() for name, text in cache.sources().items() if name.startswith(("suzaku.cli.", "suzaku.web."))]
    calls = [call for text in texts for call in re.findall(r"(?:prepare|missing|position)\(([^)]*)\)", text)]
    named = {name for call in calls for name in re.findall(r'(?<!f)"([\w.]+(?: \w+)?)"', call)}
    assert len(named) > 10
    assert not [name for name in named if f"suzaku.{name}" not in cache.sources() and not parts_of(name)]
    assert all(len(parts_of(name)) for game in GAMES for name in (*NEEDED[game], *LEARNT[game], *PLAYED[game]))


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGSTOP])
def test_a_compiler_that_is_killed_or_suspended_is_replaced(tmp_path, monkeypatch, sign):
    monkeypatch.setattr(kernel, "CACHE", tmp_path)
    monkeypatch.setattr("suzaku.workers.workers.SILENCE", 8.0)
    work = compile_parts.Compiling(["riichi shanten"], 1)
    link = work._workers._seats[0].link
    while not link.where:
        time.sleep(0.01)
    os.kill(link.pid, sign)
    assert work.wait(100)
    assert work.left == []
    assert work._workers.replaced == 1
