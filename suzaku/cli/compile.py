"""The first start: compile what a command needs, on all processors, and say so.

A command names the modules it uses and the agents that play, such as "records.importing" and "riichi suphx". Nothing
here loads Numba before that is asked for: what is wrong with a command is said at once.
"""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from suzaku.system import cache_root, cores

if TYPE_CHECKING:
    from rich.console import Console

MESSAGE = "First use: compiling for this machine what this command needs, about {}, and only once."
STOPPED = "Stopped while compiling. What is compiled so far is kept."
NOT_KEPT = "Ready, but the cache folder {} cannot be written: the next start will compile again."
A_KERNEL = 0.35  # seconds of one processor, measured on a server of 2.8 GHz

Tell = Callable[[float], None]  # hears how much is compiled, from 0 to 1


def missing(*names: str) -> list[str]:
    """The parts of some modules and agents that are not in the cache yet."""
    from suzaku import kernel
    from suzaku.cli.compile_parts import parts_of

    return [part for part in parts_of(*names) if not kernel.is_warm(part)]


def prepare(*names: str, tell: Tell | None = None) -> None:
    """Compile what some modules and agents need if it is not in the cache yet, with a progress bar on stderr."""
    todo = missing(*names)
    if not todo:
        return
    from rich.console import Console

    from suzaku import kernel
    from suzaku.cli.compile_parts import compile_here, count_kernels, labels
    from suzaku.kernel.cache import CACHE, KernelCache

    console = Console(stderr=True)
    kernel.be_quiet()
    seconds = A_KERNEL * count_kernels(todo) / min(cores(), len(todo))
    console.print(MESSAGE.format(_about(seconds)), soft_wrap=True)
    with _bar(console, tell or (lambda part: None)) as show:
        if CACHE is not None:
            todo = _compile_apart(todo, console, show)
        for part in todo:  # nothing can be written, or a process failed: where, an error shows here
            show(labels()[part], todo.index(part) / len(todo))
            with _ends_at_once(console):
                compile_here(part)
            kernel.set_warm(part)
    kept = CACHE is not None and KernelCache.kept
    console.print("Ready." if kept else NOT_KEPT.format(cache_root()), soft_wrap=True)


@contextmanager
def compile_aside(*names: str) -> Iterator[None]:
    """Compile what some modules and agents need in the background; what is not ready at the end is left."""
    from suzaku.cli.compile_parts import Compiling
    from suzaku.kernel.cache import CACHE, KernelCache

    todo = missing(*names) if CACHE is not None and KernelCache.kept else []
    compiling = Compiling(todo, max(1, cores() - 1), aside=True) if todo else None
    try:
        yield
    finally:
        if compiling is not None:
            compiling.stop()


def _compile_apart(todo: list[str], console: "Console", show: Callable[[str, float], None]) -> list[str]:
    """Compile in other processes; what they could not."""
    from suzaku.cli.compile_parts import Compiling

    compiling = Compiling(todo)
    try:
        while not compiling.wait(0.2):
            show(compiling.label, compiling.progress)
    except KeyboardInterrupt:
        compiling.stop()
        console.print(STOPPED)
        raise SystemExit(130) from None
    return compiling.left


def _about(seconds: float) -> str:
    if seconds < 90:
        return f"{max(10, round(seconds, -1)):.0f} seconds"
    return f"{seconds / 60:.0f} minutes"


@contextmanager
def _bar(console: "Console", tell: Tell) -> Iterator[Callable[[str, float], None]]:
    """A bar in a terminal, or a line for whatever is new; the function given shows what is done and how far it is."""
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    spinner = SpinnerColumn("line" if console.options.ascii_only else "dots")
    columns = (spinner, TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    progress = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    task = progress.add_task("starting", total=1.0)
    said: set[str] = set()

    def show(label: str, done: float) -> None:
        tell(done)
        progress.update(task, description=label, completed=done)
        for one in label.split(", "):
            if one and one not in said and not console.is_terminal:
                said.add(one)
                console.print(f"  {one}")

    with progress:
        yield show


@contextmanager
def _ends_at_once(console: "Console") -> Iterator[None]:
    """Let Ctrl-C end the process while compiling: an exception raised in the compiler's callbacks would be lost."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        console.print(STOPPED)
        os._exit(130)

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
