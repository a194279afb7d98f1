"""Compile parts in processes that end, several at a time.

The compiler takes some hundred megabytes that are never given back, so nobody who stays should compile.
"""

import os
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from numba.core import event

from suzaku import kernel
from suzaku.cli.compile_parts import PARTS, count_kernels
from suzaku.kernel.cache import KernelCache
from suzaku.system import cores, say
from suzaku.workers import LostError, Workers
from suzaku.workers.processes import note, processes
from suzaku.workers.workers import GoneError

KERNEL, FULL = "kernel", "full"  # notes: one more kernel is compiled, the cache cannot be written; else a part begins


@dataclass(frozen=True)
class Compiler:
    """A worker that compiles the parts it is given."""

    aside: bool  # let everything else on the machine go first

    def open(self) -> "Compiler":
        """Get ready in a process of its own."""
        if self.aside and hasattr(os, "nice"):
            os.nice(10)
        kernel.be_quiet()
        event.register("numba:compile", _Tell())
        return self

    def work(self, part: str) -> None:
        """Compile a part."""
        note(part)
        PARTS[part].run()

    def close(self) -> None:
        """Nothing is held."""


class _Tell(event.Listener):
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
        return ", ".join(PARTS[part].label for part in sorted(self._doing))

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
