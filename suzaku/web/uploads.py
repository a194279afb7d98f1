"""Files that pages send, read in a process of its own within limits, and the routes of recorded games.

- What all plain requests have in common.
- Files that pages send: read in a process of its own, so that tables go on, and within limits.
- The routes of recorded games: stored ones and uploaded files.
"""

import asyncio
import contextlib
import os
import pickle
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any
from urllib.parse import urlparse

import msgspec
import numpy as np
from fastapi import FastAPI, Request, Response

from suzaku.cli.compile import missing
from suzaku.records.formats import ENDINGS, write_stored
from suzaku.records.library import Library, RefusedError
from suzaku.records.types import RecordError, SkippedError
from suzaku.review.agreement import compare
from suzaku.review.opinion import Round
from suzaku.web import protocol
from suzaku.web.inference import Inference
from suzaku.web.lobby import Lobby
from suzaku.web.protocol import RefusalError, refusal_of
from suzaku.web.replay import Replay, Replays, read_replays
from suzaku.workers.processes import Process
from suzaku.workers.workers import GoneError


def json_response(data: Any) -> Response:
    """Data as the page reads it."""
    return Response(msgspec.json.encode(data), media_type="application/json")


async def read_body(request: Request, most: int) -> bytes:
    """The body of a request, read no further than allowed."""
    text = bytearray()
    async for part in request.stream():
        text += part
        if len(text) > most:
            raise RefusalError("too_large", most=most)
    return bytes(text)


def client_of(request: Request) -> str:
    """The address a request comes from. Of IPv6 the network of 64 bits, which is what one household has."""
    host = request.client.host if request.client else ""
    try:
        at = ip_address(host)
    except ValueError:
        return host
    if not isinstance(at, IPv6Address):
        return host
    return str(at.ipv4_mapped or IPv6Network((int(at) >> 64 << 64, 64)))


def is_same_site(origin: str | None, host: str | None) -> bool:
    """Whether a request comes from our own page, or from no page at all."""
    return origin is None or urlparse(origin).netloc == host


def same_site(request: Request) -> None:
    """Refuse what the page of another site asks for."""
    if not is_same_site(request.headers.get("origin"), request.headers.get("host")):
        raise RefusalError("other_site")


async def refuse(request: Request, error: Exception) -> Response:
    """A refusal as the answer to a request."""
    assert isinstance(error, RefusalError)
    return Response(msgspec.json.encode(error.body()), error.status, media_type="application/json")


# A client has one file under way, and a file has so long to arrive, to wait for its turn and to be read.

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
    """The files under way, and the process that reads one after the other. It is started for the first."""

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
        """Have a file read. A process that has ended meanwhile is replaced once."""
        end = time.monotonic() + SECONDS
        for _ in range(2):
            if self._closed:
                break
            try:
                reply = self._ask_process((text, name), end)
            except GoneError:
                self._let_go()
                if time.monotonic() >= end:
                    why = COMPILING if missing("records.importing") else SLOW.format(round(SECONDS))
                    raise RecordError(why) from None
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


def add_replay_routes(
    app: FastAPI, lobby: Lobby, games: Library, inference: Inference, uploads: Uploads, private: bool
) -> None:
    """Let pages open games, step through them, ask agents about them, save and delete them.

    At a `private` server, which this machine alone reaches, every page may open the games of all sources, and delete
    every game of the page.
    """
    replays = Replays()

    async def opened(id: str) -> Replay:
        found = replays.get(id)
        if found is not None:
            return found
        if lobby.is_played(id):
            raise RefusalError("still_played")
        try:
            stored = await lobby.look(games.load, id, not private)
            return replays.keep(id, await asyncio.to_thread(Replay, stored, stored.players))
        except ValueError as error:
            raise refusal_of(error, "bad_record") from None

    def round_of(replay: Replay, number: int) -> Round:
        if not 0 <= number < len(replay.rounds):
            raise RefusalError("no_round")
        return replay.rounds[number]

    @app.delete("/api/games/{id}")
    async def delete(request: Request, id: str) -> Response:
        same_site(request)
        try:
            wanted = protocol.read_delete(await read_body(request, protocol.MOST_MESSAGE))
        except ValueError as error:
            raise refusal_of(error, "bad_message") from None
        if lobby.is_played(id):
            raise RefusalError("still_played")
        try:
            await lobby.keeper.read(games.delete, id, wanted.owner, private)
        except RefusedError as error:
            raise refusal_of(error, error.code) from None
        except sqlite3.Error as error:
            raise RefusalError("file_busy", reason=str(error)) from None
        replays.forget(id)
        return json_response({"id": id})

    @app.get("/api/replays/{id}")
    async def open_replay(id: str) -> Response:
        return json_response((await opened(id)).summary(id))

    @app.get("/api/replays/{id}/forecast")
    async def forecast(id: str) -> Response:
        replay = await opened(id)
        return json_response(await asyncio.to_thread(replay.forecast))

    @app.get("/api/replays/{id}/rounds/{number}")
    async def frames(id: str, number: int) -> Response:
        replay = await opened(id)
        round_of(replay, number)
        return json_response(await asyncio.to_thread(replay.frames, number))

    @app.get("/api/replays/{id}/rounds/{number}/opinions")
    async def opinions(id: str, number: int, agent: str) -> Response:
        replay = await opened(id)
        one = round_of(replay, number)
        if not len(one.actions):
            return json_response([])
        adviser = await lobby.house.adviser(agent, replay.game)
        adviser = getattr(adviser, "offline", adviser)  # to adapt to each decision of a round would take minutes
        answers = await inference.ask(adviser, one.records[:-1], one.legal)
        return json_response(compare(replay.game, one, answers))

    @app.get("/api/replays/{id}/rounds/{number}/steps/{step}/hint")
    async def hint(id: str, number: int, step: int, agent: str) -> Response:
        replay = await opened(id)
        one = round_of(replay, number)
        if not 0 <= step < len(one.actions):
            raise RefusalError("no_step")
        record, legal = one.records[step : step + 1].copy(), one.legal[step : step + 1]
        adviser = await lobby.house.adviser(agent, replay.game)
        return json_response(await lobby.hints.work_out(agent, adviser, np.ascontiguousarray(record), legal))

    @app.get("/api/replays/{id}/record")
    async def record(id: str, format: str = "mjai") -> Response:
        if format not in ENDINGS:
            raise RefusalError("no_format", name=format)
        replay = await opened(id)
        try:
            text = await asyncio.to_thread(write_stored, replay.stored, format)
        except ValueError as error:
            raise refusal_of(error, "bad_record") from None
        headers = {"Content-Disposition": f'attachment; filename="{id}.{ENDINGS[format]}"'}
        return Response(text, media_type="application/octet-stream", headers=headers)

    @app.post("/api/replays")
    async def upload(request: Request, name: str = "") -> Response:
        same_site(request)
        try:
            found = await uploads.receive(request, name[:200])
        except ValueError as error:
            raise refusal_of(error, "bad_record") from None
        for id, replay in found:
            replays.keep(id, replay)
        return json_response([replay.summary(id) for id, replay in found])
