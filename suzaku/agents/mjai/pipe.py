"""A program that is spoken to line by line, with time limits, and that ends when we do.

- A small process that ends the programs we started if we end without doing so: killed, or by a second Ctrl-C.
- A program that is spoken to line by line, with time limits.
"""

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time

# A program that waits for its input ends with us by itself; one that hangs would stay for ever.

# reads +PID and -PID; when its input ends we have ended, and what is left is ended too
WATCH = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGINT, signal.SIG_IGN)  # without sessions, as on Windows, Ctrl-C reaches it too
left = set()
for line in sys.stdin:
    (left.add if line[0] == "+" else left.discard)(int(line[1:]))
if left:
    time.sleep(1)  # for those that end by themselves
for pid in left:
    try:
        (os.killpg if hasattr(os, "killpg") else os.kill)(pid, getattr(signal, "SIGKILL", signal.SIGTERM))
    except OSError:
        pass
"""

_lock = threading.Lock()
_guard: "subprocess.Popen[bytes] | None" = None


def watch(process: "subprocess.Popen[bytes]") -> None:
    """Let a process that leads a session of its own end with us, and all that it has started."""
    _tell(f"+{process.pid}\n")


def forget(process: "subprocess.Popen[bytes]") -> None:
    """A process has ended."""
    _tell(f"-{process.pid}\n")


def end(process: "subprocess.Popen[bytes]") -> None:
    """End a process that leads a session of its own, and all that it has started."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _tell(text: str) -> None:
    global _guard
    with _lock, contextlib.suppress(OSError):
        if _guard is None:
            _guard = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", WATCH],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is not for it
            )
        assert _guard.stdin is not None
        _guard.stdin.write(text.encode())
        _guard.stdin.flush()


PATIENCE = 1.0  # seconds a program has to end by itself
LONGEST_LINE = 1 << 20  # bytes; a program that never ends its line would fill the memory
MOST_LINES = 1000  # of a program that talks without being asked: no more are read


class Pipe:
    """A process; writing to it never waits, reading waits as long as told."""

    def __init__(self, command: list[str]) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for us: the program ends when its input does
            )
        except OSError as error:
            raise ValueError(f"{command[0]} cannot be started: {error.strerror}") from None
        watch(self._process)
        self._stopped = threading.Lock()  # taken for good by who ends it: later its number may be another's
        self._code: int | None = None
        self._lines: queue.Queue[bytes | None] = queue.Queue(MOST_LINES)  # None: it has ended
        self._texts: queue.Queue[bytes | None] = queue.Queue()
        for work in (self._read, self._write):
            threading.Thread(target=work, daemon=True).start()

    @property
    def running(self) -> bool:
        """Whether the program has not ended yet."""
        return self._process.poll() is None

    def send(self, text: bytes) -> None:
        """Hand text to the program; one that has ended is seen when it is read from."""
        self._texts.put(text)

    def read(self, seconds: float) -> bytes:
        """The next line that is not blank; TimeoutError if there is none in time, EOFError if there will be none."""
        try:
            line = self._lines.get(timeout=max(0.0, seconds))
        except queue.Empty:
            raise TimeoutError from None
        if line is None:
            self._lines.put(None)
            raise EOFError
        return line

    def skip(self) -> None:
        """Forget the lines that are there already."""
        with contextlib.suppress(TimeoutError, EOFError):
            while True:
                self.read(0)

    def finish(self) -> None:
        """End the program's input: most end by themselves then."""
        self._texts.put(None)

    def stop(self, patience: float = PATIENCE) -> int | None:
        """End the program and all it has started; the code it ended with by itself, or None if it had to be ended."""
        self.finish()
        if not self._stopped.acquire(blocking=False):
            self._process.wait()
            return self._code
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._code = self._process.wait(max(0.0, patience))
        end(self._process)
        self._process.wait()
        forget(self._process)
        return self._code

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout:
            while line := self._process.stdout.readline(LONGEST_LINE):
                if line.strip():
                    self._lines.put(line)
                if len(line) == LONGEST_LINE:
                    break  # what it has said is no answer, and its output is closed
        self._lines.put(None)

    def _write(self) -> None:
        """Runs in a thread, since a program may not read what it is told."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError), self._process.stdin:
            while (text := self._texts.get()) is not None:
                self._process.stdin.write(text)
                self._process.stdin.flush()


def stop_all(pipes: list[Pipe]) -> None:
    """End programs, which have together the time that one alone would have."""
    for pipe in pipes:
        pipe.finish()
    deadline = time.monotonic() + PATIENCE
    for pipe in pipes:
        pipe.stop(deadline - time.monotonic())
