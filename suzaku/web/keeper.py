"""The one thread in which the server uses the file of games: nobody waits for the disk, and the order is kept."""

import asyncio
import queue
import sqlite3
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any, NamedTuple, TypeVar

from suzaku.web.games import Games

Write = Callable[[sqlite3.Connection], object]
Found = TypeVar("Found")

PAUSE = 1.0  # seconds before a write that failed is tried again
BUSY = 500  # milliseconds that one try waits for a locked file: reads wait for it too
LAST = 10.0  # seconds that writes may still be tried when the server stops


class Read(NamedTuple):
    """A question to the file: runs in the thread, and is told of an error with which the changes before it failed."""

    run: Callable[[sqlite3.Error | None], None]


class Keeper:
    """Writes in the order they were asked for, all that wait in one transaction, and reads after them.

    Changes that cannot be written now, as on a full disk, are tried again and again. Meanwhile `look` still sees the
    file as it is. `read`, which must see every change before it, fails.
    """

    def __init__(self, games: Games) -> None:
        self.games = games
        self._work: queue.SimpleQueue[Write | Read | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="keeper", daemon=True)
        self._ending = 0.0  # when the server was asked to stop
        self._thread.start()

    def write(self, run: Write) -> None:
        """Have a change made to the file. This does not wait for it."""
        self._work.put(run)

    async def read(self, run: Callable[..., Found], *values: Any) -> Found:
        """The result of a function that reads the file, once all changes before it are made, or sqlite3.Error."""
        return await self._ask(run, values, True)

    async def look(self, run: Callable[..., Found], *values: Any) -> Found:
        """The result of a function that reads the file. The last changes lack while it cannot be written."""
        return await self._ask(run, values, False)

    async def _ask(self, run: Callable[..., Found], values: tuple[Any, ...], strict: bool) -> Found:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Found] = loop.create_future()

        def deliver(found: Any, error: Exception | None) -> None:
            if not answer.done():
                answer.set_result(found) if error is None else answer.set_exception(error)

        def work(failure: sqlite3.Error | None) -> None:
            found: Any = None
            failed: Exception | None = failure if strict else None
            try:
                if failed is None:
                    found = run(*values)
            except Exception as error:
                failed = error
            if not loop.is_closed():
                loop.call_soon_threadsafe(deliver, found, failed)

        self._work.put(Read(work))
        return await answer

    def close(self) -> None:
        """End the thread once everything is written."""
        self._ending = time.monotonic()
        self._work.put(None)
        self._thread.join()

    def _run(self) -> None:
        with closing(self.games.open()) as base:
            base.execute(f"PRAGMA busy_timeout={BUSY}")  # a locked file is tried again here, and others wait meanwhile
            writes: list[Write] = []
            failure: sqlite3.Error | None = None
            tried = 0.0
            ending = False
            while not (ending and not writes):
                reads: list[Read] = []
                wait = None if failure is None else max(0.0, tried + PAUSE - time.monotonic())
                for item in self._take(wait):
                    if item is None:
                        ending = True
                    elif isinstance(item, Read):
                        reads.append(item)
                    else:
                        writes.append(item)
                if failure is None or time.monotonic() >= tried + PAUSE:
                    failure = self._try(base, writes, failure is None)
                    tried = time.monotonic()
                for one in reads:
                    one.run(failure)
                if ending and failure is not None and tried > self._ending + LAST:
                    print(f"suzaku: {len(writes)} changes of {self.games.path} are lost", file=sys.stderr)
                    return

    def _take(self, seconds: float | None) -> list[Write | Read | None]:
        """All that waits to be done. If that is nothing, what comes first within some time."""
        try:
            found = [self._work.get(timeout=seconds)]
        except queue.Empty:
            return []
        while not self._work.empty():
            found.append(self._work.get())
        return found

    def _try(self, base: sqlite3.Connection, writes: list[Write], first: bool) -> sqlite3.Error | None:
        """Make the changes in one transaction, and cross them off. Returns the error if the disk is full or busy."""
        if not writes:
            return None
        try:
            with base:
                for run in writes:
                    _carry_out(run, base)
        except sqlite3.Error as error:
            if first:
                print(f"suzaku: {self.games.path} cannot be written now: {error}", file=sys.stderr)
            return error
        writes.clear()
        return None


def _carry_out(run: Write, base: sqlite3.Connection) -> None:
    try:
        run(base)
    except sqlite3.OperationalError:
        raise
    except Exception as error:  # trying again would not help, and the others must not suffer
        print(f"suzaku: a change of the games failed: {error!r}", file=sys.stderr)
