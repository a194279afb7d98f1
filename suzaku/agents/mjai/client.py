"""A player of the original mjai server: the same events over TCP, with a greeting before them."""

import json
import socket
from collections.abc import Callable
from urllib.parse import urlsplit

from suzaku.agents.mjai.bot import Bot

PORT = 11600


def read_address(url: str) -> tuple[str, int, str]:
    """Host, port and room of an address such as mjsonp://localhost:11600/default."""
    wanted = "expected an address such as mjsonp://localhost:11600/default"
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port or PORT
    except ValueError:
        raise ValueError(f"{url!r}: {wanted}") from None
    if parts.scheme != "mjsonp" or not host:
        raise ValueError(f"{url!r}: {wanted}")
    return host, port, parts.path.strip("/") or "default"


def play_on_server(bot: Bot, url: str, name: str, told: Callable[[str], None]) -> None:
    """Join a room and play until the game is over; raises ValueError if the server refuses, OSError if it is away."""
    host, port, room = read_address(url)
    with socket.create_connection((host, port)) as line, line.makefile("rb") as lines:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for text in lines:
            type_ = _type_of(text)
            if type_ == "hello":
                answer: bytes | None = json.dumps({"type": "join", "name": name, "room": room}).encode()
                told(f"joining room {room} at {host}:{port}")
            elif type_ == "error":
                raise ValueError(f"the server says: {text.decode('utf-8', 'replace').strip()}")
            else:
                answer = bot.react(text)
            if answer is not None:
                line.sendall(answer + b"\n")
            if type_ == "end_game":
                return
    raise ValueError(f"the server at {host}:{port} closed the connection before the game was over")


def _type_of(text: bytes) -> str:
    try:
        message = json.loads(text)
    except ValueError:
        return ""
    return str(message.get("type", "")) if isinstance(message, dict) else ""
