"""A process that compiles parts and ends: it reads their names and says what it has done, a line each.

The compiler takes some hundred megabytes that are never given back, so nobody who stays should compile.
"""

import os
import queue
import signal
import sys
import threading
from typing import Any

from numba.core import event

from suzaku import kernel
from suzaku.apps.compiling.parts import PARTS
from suzaku.kernel_cache import KernelCache


def main() -> None:
    """Compile what is named on stdin until it ends; at its end the process ends at once, for its parent has."""
    if "aside" in sys.argv and hasattr(os, "nice"):
        os.nice(10)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    sys.stdout = sys.stderr  # what a part may print is no answer
    kernel.be_quiet()
    event.register("numba:compile", _Tell())
    names: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(names,), daemon=True).start()
    while True:
        name = names.get()
        try:
            PARTS[name].run()
        except Exception as problem:
            print(f"suzaku: compiling {name}: {problem}", file=sys.stderr)
            break
        _say("done")


class _Tell(event.Listener):
    """Says that one more kernel is compiled."""

    def on_start(self, event: Any) -> None:
        pass

    def on_end(self, event: Any) -> None:
        if event.data["dispatcher"].py_func.__module__.startswith("suzaku."):
            _say("kernel")
        if not KernelCache.kept:  # a full disk: all would be in vain
            os._exit(1)


def _read(names: "queue.SimpleQueue[str]") -> None:
    for line in sys.stdin:
        names.put(line.strip())
    os._exit(0)


def _say(word: str) -> None:
    try:
        print(word, file=sys.__stdout__, flush=True)
    except OSError:
        os._exit(1)


if __name__ == "__main__":
    main()
