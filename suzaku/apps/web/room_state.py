"""A table's state: who and what is there, what every page is shown of it, and what is kept of it."""

import asyncio
import secrets
import time
from dataclasses import dataclass
from typing import Any

from suzaku.apps.web import protocol, running
from suzaku.apps.web.games import insert
from suzaku.apps.web.house import House
from suzaku.apps.web.running import Kept, KeptSeat
from suzaku.apps.web.seats import Connection, Seat
from suzaku.apps.web.table_request import new_table
from suzaku.game import game_named
from suzaku.review.looks import looks_at

Data = dict[str, Any]


@dataclass
class Question:
    """What a person is being asked."""

    seat: int
    legal: list[int]
    then: list[int]  # the actions that may be sent along with one that announces them, such as riichi
    deadline: float  # 0: none
    answer: "asyncio.Future[tuple[int, int | None]]"


class RoomState:
    """A table from the first deal to the final ranking, without what moves it on."""

    def __init__(self, id: str, table_request: protocol.NewTable, seed: int, seats: list[Seat], house: House) -> None:
        self.id = id
        self.table_request = table_request
        self.seed = seed
        self.seats = seats
        self.house = house
        self.game = game_named(table_request.game)
        self.table = new_table(table_request, seed)
        self.walls = [self.table.record.wall.copy()]
        self.actions: list[int] = []
        self.started = ""
        self.owner = secrets.token_urlsafe(18)  # known to the page that had the table set up
        self.watching: set[Connection] = set()
        self.question: Question | None = None
        self.events: list[Data] = []  # since the last time the table was shown
        self.shown_at = 0.0
        self.used = time.monotonic()
        self.task: asyncio.Task[None] | None = None

    def is_used(self) -> bool:
        """Whether a page shows this table."""
        return bool(self.connected())

    def connected(self) -> list[Connection]:
        """All pages that show this table."""
        return [c for place in self.seats for c in place.connections] + list(self.watching)

    def show(self) -> None:
        """Send every page its view of the table."""
        events, self.events = self.events, []
        views: dict[int, Data] = {}
        for connection in self.connected():
            self.send_view(connection, events, views)
        self.shown_at = time.monotonic()

    def send_view(self, connection: Connection, events: list[Data], views: dict[int, Data] | None = None) -> None:
        """Send a page its view; `views` are those of other pages at the same seats."""
        seat = connection.seat
        assert seat is not None
        views = {} if views is None else views
        if seat not in views:
            views[seat] = self._view(seat)
        told = [{k: v for k, v in one.items() if k != "only"} for one in events if one.get("only", seat) == seat]
        connection.send({**views[seat], "events": told})

    def _view(self, seat: int) -> Data:
        if seat < 0:
            return {"type": "view", "me": -1, "view": self.game.view(self.table.record, None)}
        question = self.question if self.question is not None and self.question.seat == seat else None
        legal = question.legal if question else []
        data: Data = {"type": "view", "me": seat, "view": self.game.view(self.table.record, seat), "legal": legal}
        if question:
            data["ask"] = self.seats[seat].asks
            data["then"] = question.then
            data["seconds"] = max(0.0, question.deadline - time.monotonic()) if question.deadline else None
        looks = looks_at(self.game.name)
        if self.table.seat >= 0 and looks is not None:
            data["own"] = looks.hand_info(self.table, seat, legal)
        return data

    def kept(self) -> Kept:
        """Who sits where, as it is kept while the game goes on."""
        seats = [KeptSeat(place.agent_name, place.person, place.name, place.token) for place in self.seats]
        number, repeated = self.game.round_number(self.table.record)
        now, owner = time.time(), self.owner
        return Kept(self.id, self.table_request, self.seed, self.started, seats, number, repeated, now, owner)

    def keep(self) -> None:
        """Have the table outlast the server."""
        if self.house.lasting:
            self.house.keeper.write(self.kept().put)

    def save(self) -> None:
        """Keep the game as far as it was played; one that is over goes on no more."""
        if self.actions:
            row = self.kept().row(self.table, self.walls, self.actions)
            self.house.keeper.write(lambda base: insert(base, row))
        if self.table.game_over:
            self.forget()
        else:
            self.keep()

    def forget(self) -> None:
        """Let the table end with the server."""
        self.house.keeper.write(lambda base: running.forget(base, self.id))
