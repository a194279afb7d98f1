"""One open page: messages between its websocket and the table, within limits."""

import asyncio
import contextlib
import time

from fastapi import WebSocket, WebSocketDisconnect

from suzaku.apps.web import protocol
from suzaku.apps.web.refusal import RefusalError, refusal_of
from suzaku.apps.web.room import Room
from suzaku.apps.web.seats import Connection


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
