"""The first start: compile the kernels that every Riichi command needs, and say so."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

Step = tuple[str, float, Callable[[], object]]  # what is compiled, its share of the time, and the call that does it

MESSAGE = "First use: compiling for this machine what this command needs ({}). It takes a minute or two, and only once."
STOPPED = "Stopped while compiling. What is compiled so far is kept."
NOT_KEPT = "Ready, but the cache folder {} cannot be written: the next start will compile again."


def riichi_steps() -> list[Step]:
    """The warm-up of the Riichi rules: a table is played a little, each part compiling what it needs."""
    from suzaku.agents.efficiency import choose
    from suzaku.hand.tables import tables
    from suzaku.riichi.settle import advance
    from suzaku.riichi.table import Table

    table: list[Table] = []
    return [
        ("suit tables", 2, tables),
        ("dealing", 2, lambda: table.append(Table())),
        ("legal actions and scoring", 8, lambda: table[0].legal_actions()),
        ("simple players", 3, lambda: choose(tables(), table[0].record, table[0].legal_mask())),
        ("discards, calls and settlement", 22, lambda: table[0].act(table[0].legal_actions()[0])),
        ("the next round", 1, lambda: advance(table[0].copy().record)),
        ("what a seat sees", 1, lambda: table[0].view(0)),
    ]


def prepare(steps: Callable[[], list[Step]] = riichi_steps, name: str = "riichi") -> None:
    """Compile the kernels called `name` if they are not in the cache yet, with a progress bar on stderr."""
    from suzaku import kernel

    if kernel.is_warm(name):
        return
    console = Console(stderr=True)
    kernel.be_quiet()
    console.print(MESSAGE.format(name), soft_wrap=True)
    work = steps()
    spinner = SpinnerColumn("line" if console.options.ascii_only else "dots")
    columns = (spinner, TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    progress = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    with _ends_at_once(console, progress), progress:
        task = progress.add_task("starting", total=sum(share for _, share, _ in work))
        for label, share, run in work:
            progress.update(task, description=label)
            if not console.is_terminal:
                console.print(f"  {label}")
            run()
            progress.advance(task, share)
    kernel.set_warm(name)
    console.print("Ready." if kernel.CACHE is not None else NOT_KEPT.format(kernel.cache_root()), soft_wrap=True)


@contextmanager
def _ends_at_once(console: Console, progress: Progress) -> Iterator[None]:
    """Let Ctrl-C end the process while compiling: an exception raised in the compiler's callbacks would be lost."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        progress.stop()
        console.print(STOPPED)
        os._exit(130)

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
