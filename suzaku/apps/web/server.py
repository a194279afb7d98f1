"""The web server: pages, tables over websockets, games and replays over plain requests."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import msgspec
import numpy as np
from fastapi import FastAPI, HTTPException, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.staticfiles import StaticFiles

from suzaku.agents.agent import Agent
from suzaku.agents.mjai_bot import warm_up
from suzaku.apps.web import protocol
from suzaku.apps.web.games import Games
from suzaku.apps.web.lobby import Lobby
from suzaku.apps.web.replay import Replay, Replays, Round, compare
from suzaku.apps.web.room import Room
from suzaku.apps.web.seats import Connection
from suzaku.apps.web.thinker import DEFAULT, Thinker, label
from suzaku.apps.web.wish import PRESETS, SWITCHES
from suzaku.records.tell import tell
from suzaku.records.write import WRITERS, write_game
from suzaku.riichi.rules import LENGTHS, Rules

STATIC = Path(__file__).parent / "static"
SUFFIX = {"mjai": "mjson", "tenhou6": "json", "mjlog": "mjlog"}
POLICY = (
    "default-src 'self'; connect-src 'self' ws: wss:; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "frame-ancestors 'none'"
)


def _json(data: Any) -> Response:
    return Response(msgspec.json.encode(data), media_type="application/json")


def _refuse(error: ValueError, code: int = 400) -> HTTPException:
    return HTTPException(code, str(error))


async def _body(request: Request, most: int) -> bytes:
    """The body of a request, read no further than allowed."""
    text = b""
    async for part in request.stream():
        text += part
        if len(text) > most:
            raise HTTPException(413, f"at most {most:,} bytes can be sent")
    return text


def make_app(games: Games, agents: list[str]) -> FastAPI:
    """The server with its routes; `agents` are the opponents that pages may choose, the usual one always among them."""
    agents = list(dict.fromkeys([*agents, DEFAULT]))
    thinker = Thinker()
    lobby = Lobby(thinker, games, agents)
    replays = Replays()

    @contextlib.asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        tidying = asyncio.create_task(lobby.tidy_up())
        waking = asyncio.create_task(asyncio.to_thread(lambda: warm_up(thinker.agent(DEFAULT))))
        yield
        await waking
        tidying.cancel()
        await lobby.close()
        thinker.close()

    app = FastAPI(title="Suzaku", lifespan=life, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.lobby = lobby
    app.add_middleware(GZipMiddleware, minimum_size=2000)

    @app.middleware("http")
    async def add_headers(request: Request, call_next: Any) -> Response:
        response: Response = await call_next(request)
        response.headers["Content-Security-Policy"] = POLICY
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cache-Control"] = "no-cache"
        return response

    @app.get("/api/options")
    async def options() -> Response:
        usual = Rules()
        switches = {name: getattr(usual, name) for name in SWITCHES}
        return _json(
            {
                "agents": agents,
                "advisers": lobby.advisers,
                "agent": DEFAULT,
                "labels": {name: label(name) for name in agents},
                "rules": list(PRESETS),
                "lengths": list(LENGTHS),
                "switches": switches,
                "formats": list(WRITERS),
            }
        )

    @app.get("/api/tables")
    async def tables() -> Response:
        return _json(lobby.waiting())

    @app.post("/api/tables")
    async def new_table(request: Request) -> Response:
        _same_site(request)
        try:
            wish = protocol.read_new_table(await _body(request, protocol.MOST_MESSAGE))
            room = await asyncio.to_thread(lobby.create, wish)  # an agent may have to be loaded
        except ValueError as error:
            raise _refuse(error) from None
        return _json({"id": room.id})

    @app.get("/api/games")
    async def list_games() -> Response:
        return _json([game for game in games.latest() if not lobby.is_played(game["id"])])

    async def opened(id: str) -> Replay:
        found = replays.get(id)
        if found is not None:
            return found
        if lobby.is_played(id):
            raise HTTPException(403, "this game is still being played")
        try:
            stored = await asyncio.to_thread(games.load, id)
            return replays.keep(id, await asyncio.to_thread(Replay, stored, stored.players))
        except ValueError as error:
            raise _refuse(error, 404) from None

    def round_of(replay: Replay, number: int) -> Round:
        if not 0 <= number < len(replay.rounds):
            raise HTTPException(404, "the game has no such round")
        return replay.rounds[number]

    @app.get("/api/replays/{id}")
    async def open_replay(id: str) -> Response:
        return _json((await opened(id)).summary(id))

    @app.get("/api/replays/{id}/rounds/{number}")
    async def frames(id: str, number: int) -> Response:
        replay = await opened(id)
        round_of(replay, number)
        return _json(await asyncio.to_thread(replay.frames, number))

    async def chosen(agent: str) -> Agent:
        if agent not in lobby.advisers:
            raise HTTPException(404, f"there is no agent {agent!r} here that gives opinions")
        return await asyncio.to_thread(thinker.agent, agent)

    @app.get("/api/replays/{id}/rounds/{number}/opinions")
    async def opinions(id: str, number: int, agent: str) -> Response:
        one = round_of(await opened(id), number)
        if not len(one.actions):
            return _json([])
        answers = await thinker.ask(await chosen(agent), one.records[:-1], one.legal)
        return _json(compare(one, answers))

    @app.get("/api/replays/{id}/rounds/{number}/steps/{step}/hint")
    async def hint(id: str, number: int, step: int, agent: str) -> Response:
        one = round_of(await opened(id), number)
        if not 0 <= step < len(one.actions):
            raise HTTPException(404, "the round has no such step")
        record, legal = one.records[step : step + 1].copy(), one.legal[step : step + 1]
        await chosen(agent)
        return _json(await lobby.hints.work_out(agent, np.ascontiguousarray(record), legal))

    @app.get("/api/replays/{id}/record")
    async def record(id: str, format: str = "mjai") -> Response:
        if format not in WRITERS:
            raise HTTPException(404, f"there is no format {format!r}")
        replay = await opened(id)
        try:
            game = await asyncio.to_thread(tell, replay.stored)
            text = write_game(game, format)
        except ValueError as error:
            raise _refuse(error) from None
        headers = {"Content-Disposition": f'attachment; filename="{id}.{SUFFIX[format]}"'}
        return Response(text, media_type="application/octet-stream", headers=headers)

    @app.post("/api/replays")
    async def upload(request: Request, name: str = "") -> Response:
        _same_site(request)
        text = await _body(request, protocol.MOST_UPLOAD)
        try:
            found = await asyncio.to_thread(replays.read, text, name[:200])
        except ValueError as error:
            raise _refuse(error) from None
        return _json([replay.summary(id) for id, replay in found])

    @app.websocket("/ws/{id}")
    async def talk(socket: WebSocket, id: str) -> None:
        if not _is_same_site(socket.headers.get("origin"), socket.headers.get("host")):
            await socket.close(1008)
            return
        await socket.accept()
        room = lobby.rooms.get(id)
        if room is None:
            await socket.send_text(protocol.write({"type": "closed", "reason": "gone"}))
            await socket.close()
            return
        await _serve(socket, room)

    app.mount("/", StaticFiles(directory=STATIC, html=True))
    return app


def _is_same_site(origin: str | None, host: str | None) -> bool:
    """Whether a request comes from our own page, or from no page at all."""
    return origin is None or urlparse(origin).netloc == host


def _same_site(request: Request) -> None:
    if not _is_same_site(request.headers.get("origin"), request.headers.get("host")):
        raise HTTPException(403, "another site may not ask this")


async def _serve(socket: WebSocket, room: Room) -> None:
    """Pass messages between a page and its table until one of them ends."""
    connection = Connection()
    sending = asyncio.create_task(_send(socket, connection))
    receiving = asyncio.create_task(_receive(socket, room, connection))
    try:
        await asyncio.wait({sending, receiving}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        room.part(connection)
        for task in (sending, receiving):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await task
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.close()


async def _send(socket: WebSocket, connection: Connection) -> None:
    while (text := await connection.outgoing.get()) is not None:
        await socket.send_text(text)


async def _receive(socket: WebSocket, room: Room, connection: Connection) -> None:
    bad = 0
    second, count = 0.0, 0
    while bad < protocol.MOST_BAD:
        packet = await socket.receive()
        if packet["type"] == "websocket.disconnect":
            return
        if time.monotonic() - second > 1:
            second, count = time.monotonic(), 0
        count += 1
        if count > protocol.MOST_A_SECOND:
            break
        try:
            message = protocol.read_message(packet.get("text") or packet.get("bytes") or b"")
            if connection.seat is not None:
                room.handle(connection, message)
            elif isinstance(message, protocol.Join):
                room.join(connection, message)
            else:
                raise ValueError("sit down first")
        except ValueError as error:
            bad += 1
            connection.send({"type": "error", "text": str(error)})
    connection.post(None)
    await asyncio.sleep(0.2)  # what was said so far still goes out
