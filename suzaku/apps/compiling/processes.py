"""Compile parts in processes that end, several at a time."""

import subprocess
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import suzaku
from suzaku import kernel
from suzaku.apps.compiling.parts import PARTS, count_kernels
from suzaku.processes import cores


class Compiling:
    """Parts on their way to the cache."""

    def __init__(self, parts: Iterable[str], processes: int | None = None, aside: bool = False) -> None:
        """Start; `aside` lets everything else on the machine go first."""
        self._todo = list(parts)
        self._doing: dict[int, str] = {}  # by the id of a process
        self._failed: list[str] = []
        self._kernels = 0
        self._expected = max(1, count_kernels(self._todo))
        self._change = threading.RLock()
        self.processes = min(processes or cores(), len(self._todo))
        self._workers = [self._start(aside) for _ in range(self.processes)]
        self._threads = [threading.Thread(target=self._follow, args=(one,), daemon=True) for one in self._workers]
        for thread in self._threads:
            thread.start()

    @staticmethod
    def _start(aside: bool) -> "subprocess.Popen[str]":
        package = Path(suzaku.__file__).parent.parent  # wherever this process was started
        code = (
            f"import sys; sys.path.insert(0, {str(package)!r}); from suzaku.apps.compiling.worker import main; main()"
        )
        command = [sys.executable, "-c", code, *(["aside"] if aside else [])]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def _follow(self, worker: "subprocess.Popen[str]") -> None:
        """Hand parts to a worker until there are none, or it has ended before its time."""
        assert worker.stdin is not None
        assert worker.stdout is not None
        with suppress(OSError):
            self._give(worker)
            for line in worker.stdout:
                with self._change:
                    if line == "kernel\n":
                        self._kernels += 1
                    elif line == "done\n":
                        kernel.set_warm(self._doing.pop(worker.pid))
                        self._give(worker)
        with self._change:
            if worker.pid in self._doing:
                self._failed.append(self._doing.pop(worker.pid))
        worker.wait()

    def _give(self, worker: "subprocess.Popen[str]") -> None:
        """The next part for a worker; it ends if there is none."""
        assert worker.stdin is not None
        with self._change:
            if not self._todo:
                worker.stdin.close()
                return
            part = self._todo.pop(0)
            self._doing[worker.pid] = part
        worker.stdin.write(part + "\n")
        worker.stdin.flush()

    @property
    def left(self) -> list[str]:
        """What must be compiled by whoever needs it, once the work is at an end."""
        return self._failed + self._todo

    @property
    def progress(self) -> float:
        """How much is compiled, from 0 to 1, by the number of kernels."""
        return min(0.99, self._kernels / self._expected) if self.is_running else 1.0

    @property
    def label(self) -> str:
        """What is being compiled now."""
        with self._change:
            return ", ".join(PARTS[part].label for part in sorted(self._doing.values()))

    @property
    def is_running(self) -> bool:
        """Whether there is anything that may still be compiled."""
        return any(thread.is_alive() for thread in self._threads)

    def wait(self, seconds: float) -> bool:
        """Wait so long at most. False if the work is not at an end then."""
        for thread in self._threads:
            thread.join(seconds / len(self._threads))
        return not self.is_running

    def stop(self) -> None:
        """End the processes; what they have compiled is kept."""
        with self._change:
            self._failed += self._todo
            self._todo = []
        for worker in self._workers:
            worker.kill()
        for thread in self._threads:
            thread.join()
