"""Locks between processes that end with their process, however that ends."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from suzaku.words import say

if sys.platform == "win32":
    import msvcrt

    def _try(file: IO[bytes]) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _try(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


SAY = 30.0  # seconds of waiting before it is said for whom
LONGEST = 120.0  # seconds that anybody waits; after that two processes do the same work, which is slow but right
SUSPENDED = 5.0  # seconds that anybody waits for a process that is suspended
PAUSE = 0.02
LOCK = ".lock"


class Lock:
    """Held by one process at a time; others wait for it."""

    def __init__(self, path: Path, longest: float = LONGEST) -> None:
        self.path, self.longest = path, longest
        self._file: IO[bytes] | None = None

    def take(self) -> bool:
        """Wait for the lock. False if it is held here already, cannot be had on this disk, or is never left."""
        if self._file is not None:
            return False
        try:
            file = self.path.open("ab+")
        except OSError:
            return False
        began, said = time.monotonic(), False
        while True:
            try:
                _try(file)
            except (BlockingIOError, PermissionError):
                waited = time.monotonic() - began
                if waited > self.longest or (waited > SUSPENDED and is_suspended(_holder(file))):
                    break
                if waited > SAY and not said:
                    said = True
                    say(f"waiting for process {_holder(file) or '?'}, which has {self.path}")
                time.sleep(PAUSE)
            except OSError:
                break
            else:
                self._file = file
                with suppress(OSError):
                    os.truncate(file.fileno(), 0)
                    os.write(file.fileno(), str(os.getpid()).encode())  # unbuffered: on a full disk nothing is left
                return True
        file.close()
        return False

    def leave(self) -> None:
        """Let others have it. The file stays: whoever waits for it has it open."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _holder(file: IO[bytes]) -> int:
    """The process that holds the lock, as it has written there; 0 if that is not known."""
    try:
        file.seek(0)
        return int(file.read(20))
    except (OSError, ValueError):
        return 0


def is_suspended(process: int) -> bool:
    """Whether a process was stopped, as Ctrl-Z does. Only Linux tells."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "T"
    except OSError:
        return False


class HeldError(ValueError):
    """Another process has the lock."""


@contextmanager
def writing(folder: Path, name: str = LOCK) -> Iterator[None]:
    """Be the only one who writes into a folder, or does there what the lock is named after. HeldError if another is."""
    path = folder / name
    with open(path, "a+b") as stream:
        try:
            _try(stream)
            taken = path.exists() and path.stat().st_ino == os.fstat(stream.fileno()).st_ino
        except OSError:
            taken = False
        if not taken:
            raise HeldError(f"another command is writing {folder}; wait for it, or choose another folder")
        try:
            yield
        finally:
            if sys.platform != "win32":  # where an open file cannot be removed
                path.unlink(missing_ok=True)
    if sys.platform == "win32":
        path.unlink(missing_ok=True)
