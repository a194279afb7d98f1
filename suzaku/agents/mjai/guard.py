"""A small process that ends the programs we started if we end without doing so: killed, or by a second Ctrl-C.

A program that waits for its input ends with us by itself; one that hangs would stay for ever.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading

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
