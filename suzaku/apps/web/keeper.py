"""The one thread in which the server uses the file of games: nobody waits for the disk, and the order is kept."""

import asyncio
import queue
import sqlite3
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any, TypeVar

from suzaku.apps.web.games import Games

Write = Callable[[sqlite3.Connection], object]
Read = Callable[[], None]
Found = TypeVar("Found")

PAUSE = 1.0  # seconds before a write that failed is tried again
LAST = 10.0  # seconds that writes may still be tried when the server stops


class Keeper:
    """Writes in the order they were asked for, all that wait in one transaction; reads see every write before them."""

    def __init__(self, games: Games) -> None:
        self.games = games
        self._work: queue.SimpleQueue[Write | tuple[Read] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="keeper", daemon=True)
        self._ending = 0.0  # when the server was asked to stop
        self._thread.start()

    def write(self, run: Write) -> None:
        """Have a change made to the file; does not wait for it."""
        self._work.put(run)

    async def read(self, run: Callable[..., Found], *values: Any) -> Found:
        """What a function that reads the file returns, once all changes before it are made."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Found] = loop.create_future()

        def deliver(found: Any, error: Exception | None) -> None:
            if not answer.done():
                answer.set_result(found) if error is None else answer.set_exception(error)

        def work() -> None:
            try:
                found, failed = run(*values), None
            except Exception as error:
                found, failed = None, error
            if not loop.is_closed():
                loop.call_soon_threadsafe(deliver, found, failed)

        self._work.put((work,))
        return await answer

    def close(self) -> None:
        """End the thread once everything is written."""
        self._ending = time.monotonic()
        self._work.put(None)
        self._thread.join()

    def _run(self) -> None:
        with closing(self.games.open()) as base:
            writes: list[Write] = []
            while True:
                item = self._work.get()
                while callable(item):
                    writes.append(item)
                    if self._work.empty():
                        break
                    item = self._work.get()
                self._commit(base, writes)
                writes = []
                if isinstance(item, tuple):
                    item[0]()
                elif item is None:
                    return

    def _commit(self, base: sqlite3.Connection, writes: list[Write]) -> None:
        """Make changes in one transaction; a disk that is full or busy is tried again, so that nothing is lost."""
        told = False
        while writes:
            try:
                with base:
                    for run in writes:
                        _carry_out(run, base)
                return
            except sqlite3.OperationalError as error:
                if not told:
                    print(f"suzaku: {self.games.path} cannot be written now: {error}", file=sys.stderr)
                told = True
                if self._ending and time.monotonic() > self._ending + LAST:
                    print(f"suzaku: {len(writes)} changes of {self.games.path} are lost", file=sys.stderr)
                    return
                time.sleep(PAUSE)


def _carry_out(run: Write, base: sqlite3.Connection) -> None:
    try:
        run(base)
    except sqlite3.OperationalError:
        raise
    except Exception as error:  # trying again would not help, and the others must not suffer
        print(f"suzaku: a change of the games failed: {error!r}", file=sys.stderr)
