"""Workers in processes of this machine: each reads jobs from its standard input and writes replies to its output.

- A process is started with nothing but a line of code; the setup follows over the pipe. So starting never blocks,
  however large the setup is, and a process that is killed at any moment is noticed at once.
- While it works it gives a sign of life every few seconds. A process that was suspended gives none.
- It ends by itself when its parent does, even if that was killed: its standard input ends.
- Ctrl-C is the parent's business: the signal is blocked before the process exists.
"""

import contextlib
import os
import pickle
import queue
import signal
import struct
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import suzaku
from suzaku import system as state
from suzaku.system import out_of_reach
from suzaku.workers.workers import GoneError, Link, Remote, Setup

BEAT = 3.0  # seconds between two signs of life
CODE = "import sys; sys.path.insert(0, {!r}); from suzaku.workers.processes import main; main()"
CLOSE = b""  # in place of a job
LENGTH = struct.Struct("<Q")


def processes(setup: Setup, count: int, threads: int = 1, **about: Any) -> Remote[Any, Any]:
    """Workers in so many processes, each with so many threads; `about` is what `Remote` takes."""
    data = pickle.dumps(setup)
    noted = about.pop("noted", None)
    return Remote([Process(data, threads, noted) for _ in range(count)], **about)


class Process(Link):
    """A worker in a process."""

    def __init__(self, setup: bytes, threads: int, noted: Callable[[Any], None] | None = None) -> None:
        self._setup, self._threads, self._noted = setup, threads, noted or (lambda note: None)
        self._process: subprocess.Popen[bytes] | None = None
        self._change = threading.Lock()

    @property
    def pid(self) -> int:
        """Of the process."""
        assert self._process is not None
        return self._process.pid

    def start(self, alive: Callable[[], None]) -> None:
        """Start the process, send the setup."""
        code = CODE.format(str(Path(suzaku.__file__).parent.parent))
        environment = {"OMP_NUM_THREADS": str(self._threads), **os.environ}
        with self._change, out_of_reach():
            self._process = subprocess.Popen(
                [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
            )
        self.where = f"process {self._process.pid}"
        self._send(pickle.dumps(sys.path))
        self._send(self._setup)
        self._receive(alive)

    def ask(self, job: Any, alive: Callable[[], None]) -> Any:
        """Send the job, wait for the reply."""
        self._send(pickle.dumps(job))
        return self._receive(alive)

    def end(self, patience: float) -> None:
        """Ask the process to close."""
        with contextlib.suppress(GoneError, subprocess.TimeoutExpired):
            self._send(CLOSE)
            assert self._process is not None
            self._process.wait(patience)
        self.kill()

    def kill(self) -> None:
        """End the process, also one that is suspended."""
        with self._change:
            if self._process is not None:
                self._process.kill()
                self._process.wait()

    def _send(self, data: bytes) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            _write(self._process.stdin, data)
        except OSError:
            raise GoneError(self._how()) from None

    def _receive(self, alive: Callable[[], None]) -> Any:
        assert self._process is not None
        assert self._process.stdout is not None
        while True:
            data = _read(self._process.stdout)
            if data is None:
                raise GoneError(self._how())
            alive()
            what, value = pickle.loads(data)
            if what == "reply":
                return value
            if what == "error":
                error, text = value
                raise error from RemoteTracebackError(text)
            if what == "note":
                self._noted(value)

    def _how(self) -> str:
        """How the process ended."""
        assert self._process is not None
        try:
            code = self._process.wait(5)
        except subprocess.TimeoutExpired:
            return "closed its end of the connection"
        if code >= 0:
            return f"ended by itself, with exit code {code}"
        with contextlib.suppress(ValueError):
            name = signal.Signals(-code).name
            return f"was ended from outside by {name}" + (" (out of memory?)" if name == "SIGKILL" else "")
        return f"was ended from outside by signal {-code}"


class RemoteTracebackError(Exception):
    """Where in a worker an error was raised, as its traceback tells."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


def _write(stream: IO[bytes], data: bytes) -> None:
    stream.write(LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def _read(stream: IO[bytes]) -> bytes | None:
    """What the other side wrote; nothing once it has ended."""
    try:
        head = stream.read(LENGTH.size)
        if len(head) < LENGTH.size:
            return None
        (length,) = LENGTH.unpack(head)
        data = stream.read(length)
    except (OSError, ValueError):  # closed
        return None
    return data if len(data) == length else None


# in the process of a worker


class _Channel:
    """The connection to the parent."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._change = threading.Lock()
        self.busy = threading.Event()

    def send(self, what: str, value: Any = None) -> None:
        """Send a message; the process ends if nobody reads it."""
        data = pickle.dumps((what, value))
        try:
            with self._change:
                _write(self._stream, data)
        except OSError:
            os._exit(1)

    def beat(self) -> None:
        """Give signs of life while there is work."""
        waiting = threading.Event()
        while True:
            self.busy.wait()
            self.send("beat")
            waiting.wait(BEAT)


_channel: _Channel | None = None


def note(value: Any) -> None:
    """From within a job: tell the parent something on the way. Elsewhere nobody hears it."""
    if _channel is not None:
        _channel.send("note", value)


def main() -> None:
    """The life of the process."""
    global _channel
    state.is_worker = True
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)  # a program that a worker starts must not read jobs
    os.dup2(2, 1)  # what is printed is not a reply
    _channel = _Channel(outgoing)
    _channel.busy.set()
    threading.Thread(target=_channel.beat, daemon=True).start()
    jobs: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(incoming, jobs), daemon=True).start()
    sys.path[:] = pickle.loads(jobs.get())
    worker = None
    try:
        worker = pickle.loads(jobs.get()).open()
        _channel.send("reply")
        while True:
            _channel.busy.clear()
            data = jobs.get()
            if data == CLOSE:
                break
            _channel.busy.set()
            _channel.send("reply", worker.work(pickle.loads(data)))
    except Exception as error:
        _channel.send("error", (_sendable(error), traceback.format_exc()))
    finally:
        if worker is not None:
            worker.close()
    sys.stdout.flush()
    os._exit(0)  # threads of a library may be waiting for nobody


def _listen(stream: IO[bytes], jobs: "queue.SimpleQueue[bytes]") -> None:
    while (data := _read(stream)) is not None:
        jobs.put(data)
    os._exit(1)  # the parent has ended


def _sendable(error: Exception) -> Exception:
    """The error, or one that says the same where it cannot be sent."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
