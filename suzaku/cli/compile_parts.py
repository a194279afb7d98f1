"""What can be compiled apart, and how it is: parts, in processes that end, several at a time.

- A module whose kernels can be compiled apart says how: `def warm_up() -> None` does a little of what its users do.
  Its docstring is what the screen says meanwhile. An agent needs none: it plays a little.
- What is compiled for a command follows from what the modules and agents it names import (`suzaku/kernel/cache.py`).
- Parts share much of what they need. Whichever comes first compiles it, and others wait for it.
- The compiler takes some hundred megabytes that are never given back, so nobody who stays should compile.
"""

import importlib
import os
import re
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from numba.core import event

from suzaku import kernel
from suzaku.kernel.cache import KernelCache, imported_by, sources
from suzaku.networks.bundled import BASES
from suzaku.system import cores, say
from suzaku.table.game import GAMES
from suzaku.workers import LostError, Workers
from suzaku.workers.processes import note, processes
from suzaku.workers.workers import GoneError

AGENTS = {  # by game and name: the modules with their kernels, also those that they load by name
    "riichi shanten": ("agents.simple",),
    "riichi heuristic": ("agents.heuristic.agent",),
    "riichi efr": ("agents.efr",),
    "riichi suphx": ("agents.suphx", "features.claims", "networks.cpu_kernels"),
    "riichi gao": ("agents.suphx", "features.gao"),
    "mcr shanten": ("agents.mcr_heuristic",),
    "mcr heuristic": ("agents.mcr_heuristic",),
    "mcr mcr": ("agents.mcr_network", "networks.cpu_kernels"),
}
WARM_UP = re.compile(r'def warm_up\(\) -> None:\s+"""(.+?)\."""((?:\s*\n(?: .*)?)*)')
LIKE_SUPHX = ("weak", "oracle", *BASES)  # the same player with other weights
DECISIONS = 200  # that an agent takes to warm up: as far as the end of a round, discards and claims
KERNEL, FULL = "kernel", "full"  # notes: one more kernel is compiled, the cache cannot be written; else a part begins


@cache
def labels() -> dict[str, str]:
    """All parts there are, modules and agents, and what each is called on the screen."""
    found = {}
    for module, text in sorted(sources().items()):
        if told := _warm_up(text):
            label = told[1]
            found[module.removeprefix("suzaku.")] = label[0].lower() + label[1:]
    agents = (agent.split() for agent in AGENTS)
    return found | {f"{game} {name}": f"the {name} player of {game}" for game, name in agents}


def _warm_up(text: bytes) -> re.Match[str] | None:
    """How a module is warmed up: what that is called, and the lines of the function."""
    start = text.find(b"def warm_up() -> None:")
    return WARM_UP.match(text[start:].decode()) if start >= 0 else None


@cache
def modules_of(name: str) -> set[str]:
    """The modules that a part or another module imports, itself included, and those that it imports to warm up."""
    modules = [f"suzaku.{module}" for module in AGENTS.get(name, (name,))]
    for module in modules[:]:
        told = _warm_up(sources().get(module, b""))
        for where, what in re.findall(r"^    from (suzaku[.\w]*) import (.*)", told[2] if told else "", re.M):
            modules += [where, *(f"{where}.{one}" for one in re.findall(r"\w+", what))]
    return imported_by(*modules)


def parts_of(*names: str) -> list[str]:
    """What to compile for modules, games ("riichi") and agents ("riichi suphx:runs/mine"), each once."""
    found: dict[str, None] = {}
    for name in names:
        game, _, agent = name.partition(" ")
        if game in GAMES:
            agent, _, settings = agent.partition(":")
            own = [GAMES[game].removeprefix("suzaku.")]
            if agent == "oracle":
                own.append("rl.oracle")
            if any(part.startswith("adapt") and "=" in part for part in settings.split(",")):
                own.append("rl.adapt_agent")
            own.append(f"{game} {'suphx' if agent in LIKE_SUPHX else agent}")
        else:
            own = [name]
        for one in own:
            imported = modules_of(one)
            found.update(dict.fromkeys(part for part in labels() if f"suzaku.{part}" in imported or part == one))
    return list(found)


def compile_here(part: str) -> None:
    """Compile a part in this process."""
    if part in AGENTS:
        from suzaku.agents.agent import try_out
        from suzaku.agents.make import make_agent

        game, name = part.split()
        try_out(make_agent(name, game), DECISIONS)
    else:
        importlib.import_module(f"suzaku.{part}").warm_up()


def count_kernels(parts: Iterable[str]) -> int:
    """About how many kernels some parts have in all."""
    modules = set().union(*map(modules_of, parts))
    return sum(sources()[module].count(b"@kernel") for module in modules)


@dataclass(frozen=True)
class Compiler:
    """A worker that compiles the parts it is given."""

    aside: bool  # let everything else on the machine go first

    def open(self) -> "Compiler":
        """Get ready in a process of its own."""
        if self.aside and hasattr(os, "nice"):
            os.nice(10)
        kernel.be_quiet()
        event.register("numba:compile", _Note())
        return self

    def work(self, part: str) -> None:
        """Compile a part."""
        note(part)
        compile_here(part)

    def close(self) -> None:
        """Nothing is held."""


class _Note(event.Listener):
    """Says that one more kernel is compiled."""

    def on_start(self, event: Any) -> None:
        pass

    def on_end(self, event: Any) -> None:
        if event.data["dispatcher"].py_func.__module__.startswith("suzaku."):
            note(KERNEL)
        if not KernelCache.kept:
            note(FULL)


class Compiling:
    """Parts on their way to the cache."""

    def __init__(self, parts: Iterable[str], count: int | None = None, aside: bool = False) -> None:
        """Start; `aside` lets everything else on the machine go first."""
        self.left = list(parts)  # what is not compiled yet; once this ends, whoever needs it compiles it
        self._kernels = 0
        self._expected = max(1, count_kernels(self.left))
        self._doing: dict[str, None] = {}
        self.count = min(count or cores(), len(self.left))
        self._workers: Workers[str, None] = processes(Compiler(aside), self.count, patience=0.0, noted=self._hear)
        for part in self.left:
            self._workers.give(part)
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def _follow(self) -> None:
        """Note what is done, until all is or something goes wrong."""
        try:
            while self.left:
                _, part, _ = self._workers.next()
                kernel.set_warm(part)
                self.left.remove(part)
                self._doing.pop(part, None)
        except (GoneError, LostError):
            pass  # stopped, or no worker lives
        except Exception as problem:
            say(f"compiling {', '.join(self._doing)} in another process: {type(problem).__name__}: {problem}")
        finally:
            self._workers.close()

    def _hear(self, what: str) -> None:
        if what == KERNEL:
            self._kernels += 1
        elif what == FULL:
            self._workers.stop()  # all would be in vain
        else:
            self._doing[what] = None

    @property
    def progress(self) -> float:
        """How much is compiled, from 0 to 1, by the number of kernels."""
        return min(0.99, self._kernels / self._expected) if self.is_running else 1.0

    @property
    def label(self) -> str:
        """What is being compiled now."""
        return ", ".join(labels()[part] for part in sorted(self._doing))

    @property
    def is_running(self) -> bool:
        """Whether there is anything that may still be compiled."""
        return self._thread.is_alive()

    def wait(self, seconds: float) -> bool:
        """Wait so long at most. False if the work is not at an end then."""
        self._thread.join(seconds)
        return not self.is_running

    def stop(self) -> None:
        """End the processes; what they have compiled is kept."""
        self._workers.stop()
        self._thread.join()
