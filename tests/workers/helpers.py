"""Workers that are killed, suspended or wrong when the tests want it; here, so that their processes import little."""

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from suzaku.workers.processes import note

LARGE = bytes(5_000_000)  # more than a pipe holds


@dataclass(frozen=True)
class Trouble:
    """A worker that counts its jobs, and may end itself in any way."""

    at_start: str = ""
    once: str = ""  # a file that is there after the first trouble
    load: object = None

    def open(self):
        trouble(self.at_start, self.once)
        return Counting()


@dataclass
class Counting:
    done: int = 0

    def work(self, job):
        what, once = job if isinstance(job, tuple) else (job, "")
        if what == "sleep":
            time.sleep(0.2)
        if what == "note":
            note("on the way")
        trouble(what, once)
        self.done += 1
        return what, self.done, os.getpid()

    def close(self):
        pass


def trouble(what, once):
    if once and Path(once).exists():
        return
    if what in ("killed", "suspended", "exit", "wrong"):
        if once:
            Path(once).touch()
        if what == "wrong":
            raise ValueError("this job is wrong")
        if what == "exit":
            os._exit(3)
        os.kill(os.getpid(), signal.SIGKILL if what == "killed" else signal.SIGSTOP)
