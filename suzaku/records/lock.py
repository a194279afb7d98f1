"""One writer a folder: a lock that the system gives back when its process ends, however it ends."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from suzaku.records.game import RecordError

LOCK = ".lock"


@contextmanager
def writing(folder: Path, name: str = LOCK) -> Iterator[None]:
    """Be the only one who writes into a folder, or does there what the lock is named after."""
    path = folder / name
    with open(path, "a+b") as stream:
        if not _take(stream) or not path.exists() or path.stat().st_ino != os.fstat(stream.fileno()).st_ino:
            raise RecordError(f"another command is writing {folder}; wait for it, or choose another folder")
        try:
            yield
        finally:
            if sys.platform != "win32":  # where an open file cannot be removed
                path.unlink(missing_ok=True)
    if sys.platform == "win32":
        path.unlink(missing_ok=True)


def _take(stream: IO[bytes]) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
