"""Ctrl-C and kill at the right moment: a step that has begun is ended first, so that a run can go on exactly."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from suzaku.words import say

SIGNALS = (signal.SIGINT, signal.SIGTERM)
SOON = 2.0  # seconds after which it is said what is still going on


@contextmanager
def defer_signals(what: str = "") -> Iterator[None]:
    """Let these signals wait until the end of the block.

    A block that may take long says `what` it is, in a sentence that tells what a second signal does: it comes at once.
    """
    if threading.current_thread() is not threading.main_thread():  # signals come to the main thread only
        yield
        return
    came: list[int] = []
    told = threading.Timer(SOON, say, (what,))
    told.daemon = True

    def note(number: int, _: object) -> None:
        came.append(number)
        if what and len(came) == 1:
            told.start()
        elif what:
            restore()
            signal.raise_signal(number)

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    before = {number: signal.signal(number, note) for number in SIGNALS}
    try:
        yield
    finally:
        told.cancel()
        restore()
        if len(came) == 1 or (came and not what):
            signal.raise_signal(came[0])
