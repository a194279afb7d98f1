"""All tables of the server: new ones, the open ones, and the end of those that nobody uses."""

import asyncio
import secrets
import time
from typing import Any

from suzaku.apps.web import protocol
from suzaku.apps.web.games import Games
from suzaku.apps.web.hints import Hints
from suzaku.apps.web.room import Room
from suzaku.apps.web.thinker import Thinker, gives_hints

UNUSED = 1800.0  # seconds without any page after which a table is closed
OVER = 300.0  # the same once its game is over, or before it has begun
TIDY = 30.0  # seconds between two looks for such tables


class Lobby:
    """The tables by id."""

    def __init__(self, thinker: Thinker, games: Games, agents: list[str]) -> None:
        self.thinker = thinker
        self.games = games
        self.hints = Hints(thinker)
        self.agents = agents  # what pages may choose; nothing else is ever started for them
        self.advisers = [name for name in agents if gives_hints(name)]
        self.rooms: dict[str, Room] = {}

    def create(self, wish: protocol.NewTable) -> Room:
        """A new table. ValueError says why not."""
        if len(self.rooms) >= protocol.MOST_TABLES:
            raise ValueError("the server has no room for another table")
        for name in wish.opponents:
            if name not in self.agents:
                raise ValueError(f"there is no opponent {name!r} here")
        id = secrets.token_urlsafe(9)
        room = Room(id, wish, self.thinker, self.games, self.hints, self.advisers)
        self.rooms[id] = room
        return room

    def waiting(self) -> list[dict[str, Any]]:
        """The tables at which a person can still sit down, and those of agents that can be watched."""
        found = []
        for room in self.rooms.values():
            free = sum(place.free for place in room.seats)
            watched = room.wish.people == 0 and not room.table.game_over
            if (room.task is None and free and room.wish.people > 1) or watched:
                names = [place.shown()["name"] for place in room.seats if not place.free]
                found.append({"id": room.id, "names": names, "free": free, "watch": watched})
        return found

    def is_played(self, id: str) -> bool:
        """Whether a game goes on, so that its tiles are still secret."""
        return id in self.rooms and not self.rooms[id].table.game_over

    async def tidy_up(self) -> None:
        """Close tables that nobody uses, for ever."""
        while True:
            await asyncio.sleep(TIDY)
            for id, room in list(self.rooms.items()):
                unused = 0.0 if room.is_used() else time.monotonic() - room.used
                played = room.task is not None and not room.table.game_over
                if unused > (UNUSED if played else OVER):
                    del self.rooms[id]
                    await room.close()

    async def close(self) -> None:
        """Close all tables; their games are kept."""
        for room in list(self.rooms.values()):
            await room.close()
        self.rooms.clear()
        self.hints.close()
