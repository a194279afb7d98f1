"""The web server: pages, tables over websockets, games and replays over plain requests.

- One open page: messages between its websocket and the table, within limits.
- The web server: pages, tables over websockets, games and replays over plain requests.
"""

import asyncio
import contextlib
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.staticfiles import StaticFiles

from suzaku.agents.agent import try_out
from suzaku.agents.make import plays, short_name
from suzaku.records.formats import formats_of
from suzaku.records.library import PAGE, Library
from suzaku.table.game import GAMES, game_named
from suzaku.web import protocol
from suzaku.web.hosts import OwnHosts, is_private, own_names
from suzaku.web.inference import Inference, gives_hints
from suzaku.web.lobby import Lobby
from suzaku.web.protocol import RefusalError, offered, refusal_of, usual_lengths
from suzaku.web.room import Room
from suzaku.web.room_state import Connection
from suzaku.web.uploads import (
    Uploads,
    add_replay_routes,
    client_of,
    is_same_site,
    json_response,
    read_body,
    refuse,
    same_site,
)


async def serve(socket: WebSocket, room: Room) -> None:
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
                raise RefusalError("not_seated")
        except ValueError as error:
            bad += 1
            connection.send(refusal_of(error, "bad_message").message())
    connection.post(None)
    await asyncio.sleep(0.2)  # what was said so far still goes out


MOST_LISTED = 200  # games
STATIC = Path(__file__).parent / "static"
POLICY = (
    "default-src 'self'; connect-src 'self' ws: wss:; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "frame-ancestors 'none'"
)


def make_app(
    games: Library,
    agents: list[str],
    names: set[str] | None = None,
    addresses: list[str] | None = None,
    first: str = "riichi",
) -> FastAPI:
    """The server with its routes.

    `agents` are the opponents that pages may choose, beside the usual one of each game. `names` are those it answers to
    (see `hosts.py`), `addresses` those under which others reach it. The game `first` is what a page offers first.
    """
    names, addresses = names or own_names("localhost"), addresses or []
    private = is_private(names, addresses)
    inference = Inference()
    lobby = Lobby(inference, games, agents, addresses)
    uploads = Uploads()

    @contextlib.asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        tidying = asyncio.create_task(lobby.tidy_up())
        waking = asyncio.create_task(asyncio.to_thread(_wake, inference, first))
        yield
        await waking
        tidying.cancel()
        try:
            await lobby.close()
        finally:
            await asyncio.to_thread(uploads.close)
            await asyncio.to_thread(inference.close)

    app = FastAPI(title="Suzaku", lifespan=life, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.lobby, app.state.uploads = lobby, uploads
    app.add_exception_handler(RefusalError, refuse)
    app.add_middleware(GZipMiddleware, minimum_size=2000)

    @app.middleware("http")
    async def add_headers(request: Request, call_next: Any) -> Response:
        response: Response = await call_next(request)
        response.headers["Content-Security-Policy"] = POLICY
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cache-Control"] = "no-cache"
        return response

    app.add_middleware(OwnHosts, names=names)  # the last one added is asked first

    @app.get("/api/options")
    async def options(game: str = first) -> Response:
        try:
            played = game_named(game)
        except ValueError as error:
            raise refusal_of(error, "bad_table") from None
        fitting = [name for name in dict.fromkeys([*agents, played.usual_agent]) if plays(name, game)]
        return json_response(
            {
                "game": game,
                "games": list(GAMES),
                "agents": fitting,
                "advisers": [name for name in fitting if gives_hints(name)],
                "agent": played.usual_agent,
                "labels": {name: short_name(name) for name in fitting},
                "rules": offered(played),
                "lengths": list(played.lengths),
                "usual_length": usual_lengths(played),
                "formats": formats_of(game),
            }
        )

    @app.get("/api/tables")
    async def tables() -> Response:
        return json_response(lobby.waiting())

    @app.post("/api/tables")
    async def new_table(request: Request) -> Response:
        same_site(request)
        try:
            table_request = protocol.read_new_table(await read_body(request, protocol.MOST_MESSAGE))
            room = await lobby.create(table_request, client_of(request))
        except ValueError as error:
            raise refusal_of(error, "bad_table") from None
        return json_response({"id": room.id, "owner": room.owner})

    @app.post("/api/mine")
    async def mine(request: Request) -> Response:
        same_site(request)
        try:
            table_request = protocol.read_mine(await read_body(request, protocol.MOST_MINE))
        except ValueError as error:
            raise refusal_of(error, "bad_message") from None
        return json_response(lobby.mine(table_request.seats))

    @app.get("/api/games")
    async def list_games(source: str = PAGE, player: str = "") -> Response:
        latest = await lobby.look(games.latest, MOST_LISTED, source if private else PAGE, player)
        found = [game for game in latest if not lobby.is_played(game["id"])]
        for game in found:
            game["agents"] = [name and short_name(name) for name in game["agents"]]
            own = game["source"] == PAGE
            game["deletable"] = private and own  # at any other server, for who holds the secret of the owner
        return json_response(found)

    @app.get("/api/sources")
    async def sources() -> Response:
        found = await lobby.look(games.sources)
        return json_response([row for row in found if private or row[0] == PAGE])

    add_replay_routes(app, lobby, games, inference, uploads, private)

    @app.websocket("/ws/{id}")
    async def talk(socket: WebSocket, id: str) -> None:
        if not is_same_site(socket.headers.get("origin"), socket.headers.get("host")):
            await socket.close(1008)
            return
        await socket.accept()
        room = await lobby.find(id)
        if room is None:
            reason = "closed" if id in lobby.kept else "gone"
            await socket.send_text(protocol.write({"type": "closed", "reason": reason}))
            await socket.close()
            return
        await serve(socket, room)

    app.mount("/", StaticFiles(directory=STATIC, html=True))
    return app


def _wake(inference: Inference, game: str) -> None:
    """Have the usual agent of a game ready before the first question."""
    name = game_named(game).usual_agent
    try:
        try_out(inference.agent(name, game))
    except Exception as error:  # whoever asks it is told then
        print(f"suzaku: {name} is not ready: {error!r}", file=sys.stderr)
