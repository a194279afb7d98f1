"""Files that pages send: read in a process of its own, so that tables go on, and within limits.

A client has one file under way, and a file has so long to arrive, to wait for its turn and to be read.
"""

import asyncio
import contextlib
import os
import pickle
import threading
import time
from collections.abc import Callable, Iterator

from fastapi import Request

from suzaku.apps.compiling.start import missing
from suzaku.apps.web import protocol
from suzaku.apps.web.refusal import RefusalError
from suzaku.apps.web.replay import Replay, read_replays
from suzaku.apps.web.requests import client_of, read_body
from suzaku.records.game import RecordError, SkippedError
from suzaku.workers.processes import Process
from suzaku.workers.workers import GoneError

ARRIVAL = 60.0  # seconds that a file has to arrive
TURN = 30.0  # seconds that it may wait for others
SECONDS = 60.0  # that it may take to be read; usual is 0.3
SLOW = "the file takes longer than {} seconds to read"
COMPILING = "what reads files is still being compiled for this machine: try again in a minute"
MOST = 8  # clients that send files at the same time
BEHIND = 10  # how nice the process is

Found = list[tuple[str, Replay]]


class Reader:
    """In the process: reads files. What is wrong with one is its reply."""

    def __init__(self, read: Callable[[bytes, str], Found]) -> None:
        self.read = read

    def open(self) -> "Reader":
        """Step back behind those that answer tables."""
        with contextlib.suppress(AttributeError, OSError):
            os.nice(BEHIND)
        return self

    def work(self, job: tuple[bytes, str]) -> Found | str:
        """The games of a file, or a sentence."""
        try:
            return self.read(*job)
        except (RecordError, SkippedError) as error:
            return str(error)
        except Exception:  # a stranger's file: whatever it brings about is its fault
            return "a part of the record cannot be read"

    def close(self) -> None:
        """Nothing is held."""


class Uploads:
    """The files under way, and the process that reads one after the other; it is started for the first."""

    def __init__(self, read: Callable[[bytes, str], Found] = read_replays) -> None:
        self.read = read
        self._clients: set[str] = set()
        self._turn = asyncio.Lock()
        self._process: Process | None = None
        self._closed = False

    async def receive(self, request: Request, name: str) -> Found:
        """The games of the file that a request brings. A refusal or a RecordError says why not."""
        with self._place(client_of(request)):
            body = read_body(request, protocol.MOST_UPLOAD)
            try:
                text = await asyncio.wait_for(body, ARRIVAL)
            except asyncio.TimeoutError:
                raise RefusalError("upload_slow", seconds=round(ARRIVAL)) from None
            try:
                await asyncio.wait_for(self._turn.acquire(), TURN)
            except asyncio.TimeoutError:
                raise RefusalError("uploads_full") from None
            try:
                return await asyncio.to_thread(self._ask, text, name)
            finally:
                self._turn.release()

    @contextlib.contextmanager
    def _place(self, client: str) -> Iterator[None]:
        if client in self._clients:
            raise RefusalError("upload_busy")
        if len(self._clients) >= MOST:
            raise RefusalError("uploads_full")
        self._clients.add(client)
        try:
            yield
        finally:
            self._clients.discard(client)

    def _ask(self, text: bytes, name: str) -> Found:
        """Have a file read; a process that has ended meanwhile is replaced once."""
        end = time.monotonic() + SECONDS
        for _ in range(2):
            if self._closed:
                break
            try:
                reply = self._ask_process((text, name), end)
            except GoneError:
                self._let_go()
                if time.monotonic() >= end:
                    raise RecordError(COMPILING if missing("records") else SLOW.format(round(SECONDS))) from None
                continue
            if isinstance(reply, str):
                raise RecordError(reply)
            return reply
        raise RecordError("the process that reads the file ends before it is done")

    def _ask_process(self, job: tuple[bytes, str], end: float) -> Found | str:
        process, is_new = self._process, self._process is None
        if process is None:
            process = self._process = Process(pickle.dumps(Reader(self.read)), threads=1)
        limit = threading.Timer(end - time.monotonic(), process.kill)  # a frozen one does not even take the file
        limit.daemon = True
        limit.start()
        try:
            if is_new:
                process.start(lambda: None)
            return process.ask(job, lambda: None)
        finally:
            limit.cancel()

    def close(self) -> None:
        """End the process, for ever."""
        self._closed = True
        self._let_go()

    def _let_go(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
