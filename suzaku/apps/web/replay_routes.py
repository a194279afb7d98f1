"""The routes of recorded games: stored ones and uploaded files."""

import asyncio
import sqlite3

import numpy as np
from fastapi import FastAPI, Request, Response

from suzaku.apps.web import protocol
from suzaku.apps.web.games import Games
from suzaku.apps.web.inference import Inference
from suzaku.apps.web.lobby import Lobby
from suzaku.apps.web.refusal import RefusalError, refusal_of
from suzaku.apps.web.replay import Replay, Replays
from suzaku.apps.web.requests import json_response, read_body, same_site
from suzaku.apps.web.uploads import Uploads
from suzaku.records.formats.write import ENDINGS, write_stored
from suzaku.review.compare import compare
from suzaku.review.rounds import Round


def add_replay_routes(
    app: FastAPI, lobby: Lobby, games: Games, inference: Inference, uploads: Uploads, private: bool
) -> None:
    """Let pages open games, step through them, ask agents about them, save and delete them.

    At a `private` server, which this machine alone reaches, every page may delete every game.
    """
    replays = Replays()

    async def opened(id: str) -> Replay:
        found = replays.get(id)
        if found is not None:
            return found
        if lobby.is_played(id):
            raise RefusalError("still_played")
        try:
            stored = await lobby.keeper.look(games.load, id)
            return replays.keep(id, await asyncio.to_thread(Replay, stored, stored.players))
        except sqlite3.Error as error:
            raise RefusalError("file_busy", reason=str(error)) from None
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
