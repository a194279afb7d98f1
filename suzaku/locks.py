"""A lock between processes that ends with its process, however that ends."""

import sys
import time
from pathlib import Path
from typing import IO

if sys.platform == "win32":
    import msvcrt

    def _try(file: IO[bytes]) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _try(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


LONGEST = 600.0  # seconds that anybody waits; after that two processes do the same work, which is slow but right
PAUSE = 0.02


class Lock:
    """Held by one process at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: IO[bytes] | None = None

    def take(self) -> bool:
        """Wait for the lock. False if it is held here already, cannot be had on this disk, or is never left."""
        if self._file is not None:
            return False
        try:
            file = self.path.open("wb")
        except OSError:
            return False
        end = time.monotonic() + LONGEST
        while True:
            try:
                _try(file)
            except (BlockingIOError, PermissionError):
                if time.monotonic() > end:
                    break
                time.sleep(PAUSE)
            except OSError:
                break
            else:
                self._file = file
                return True
        file.close()
        return False

    def leave(self) -> None:
        """Let others have it. The file stays: whoever waits for it has it open."""
        if self._file is not None:
            self._file.close()
            self._file = None
