"""Files that are whole or not there: written under a temporary name, then renamed."""

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO


def write_whole(path: Path, data: bytes) -> None:
    """Write a file, whole or not at all."""
    with writing_whole(path) as file:
        file.write(data)


def write_together(contents: dict[Path, bytes]) -> None:
    """Write some files that belong together: all are on the disk before the first of them is in place."""
    with contextlib.ExitStack() as stack:
        for path in reversed(contents):  # they are put in place from the last one entered to the first
            file = stack.enter_context(writing_whole(path))
            file.write(contents[path])
            file.flush()
            os.fsync(file.fileno())


@contextlib.contextmanager
def writing_whole(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to, in place at the end; if anything goes wrong, what was there before stays."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(temporary, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename in (None, str(temporary), temporary):
            error.filename, error.filename2 = str(path), None  # the temporary name says nothing to anybody
        raise


def why_not(error: OSError) -> str:
    """What the system says, in words."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "no space left on the device"
    text = error.strerror or "it cannot be read or written"
    return text[:1].lower() + text[1:]
