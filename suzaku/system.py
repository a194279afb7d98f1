"""What the operating system gives: folders, whole files, locks, processes, and sentences on stderr.

- The folders of this user: what can be made again, and what the user made.
- Words for people: numbers and lists, and sentences on stderr.
- Files that are whole or not there: written under a temporary name, then renamed.
- Processes that work for this one.
- Locks between processes that end with their process, however that ends.
"""

import contextlib
import difflib
import errno
import math
import os
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO


def cache_root() -> Path:
    """The folder for everything that can be made again, compiled kernels and look-up tables; SUZAKU_CACHE moves it."""
    return _folder("SUZAKU_CACHE", "cache", "Library/Caches", "XDG_CACHE_HOME", ".cache")


def data_folder() -> Path:
    """Where what the user made is kept; SUZAKU_DATA moves it."""
    return _folder("SUZAKU_DATA", "data", "Library/Application Support", "XDG_DATA_HOME", ".local/share")


def _folder(moved: str, windows: str, mac: str, variable: str, usual: str) -> Path:
    """A folder of the user, by the habits of the system."""
    if moved in os.environ:
        return Path(os.environ[moved])
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local")) / "suzaku" / windows
    if sys.platform == "darwin":
        return Path.home() / mac / "suzaku"
    return Path(os.environ.get(variable, Path.home() / usual)) / "suzaku"


def amount(value: float, digits: int) -> str:
    """A number with so many digits after the point; a dash where there is none."""
    return "-" if math.isnan(value) else f"{value:,.{digits}f}"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """What to say of a name that nothing has: the one it is nearest to, or all there are."""
    known = list(known)
    near = difflib.get_close_matches(name, known, 1)
    return f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"


def no_rules(name: str, presets: Iterable[str]) -> str:
    """What to say of rules that no preset has."""
    return f"there are no rules {name!r}; {did_you_mean(name, presets)}"


def say(text: object) -> None:
    """Say a sentence on stderr."""
    print(f"suzaku: {text}", file=sys.stderr, flush=True)


def some(n: int, word: str) -> str:
    """A number of things in words: 1 game, 2 games."""
    return f"{n:,} {word}" + ("" if n == 1 else "s")


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


is_worker = False  # whether this process works for another one, which says what is to be said


def cores() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def out_of_reach() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach, not even while they import; here it waits until the end of the block.

    Where signals cannot be blocked, as on Windows, it reaches them.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # a process that is started begins with this
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


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
