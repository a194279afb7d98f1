"""A table's state: who and what is there, what every page is shown of it, and what is kept of it.

- Who sits at a web table: connections of browsers, and the seats they belong to.
- What all tables of a server share, and the hints they ask it for.
- Asking an agent in its turn: programs have a limit, and who gives no sound answer is stood in for.
- A table's state: who and what is there, what every page is shown of it, and what is kept of it.
"""

import asyncio
import contextlib
import secrets
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from suzaku.agents.agent import Agent, Answers, Follower, ProgramAgent
from suzaku.agents.make import make_agent, short_name, short_names
from suzaku.agents.mjai.bot import TIME_OUT
from suzaku.records.library import insert
from suzaku.review.opinion import looks_at
from suzaku.table.game import Game, game_named
from suzaku.web import keeper, protocol
from suzaku.web.inference import Hints, Inference
from suzaku.web.keeper import Keeper, Kept, KeptSeat
from suzaku.web.protocol import Hint, RefusalError, new_table, write

BACKLOG = 200  # messages that may wait for a slow browser


class Connection:
    """One open page. Messages wait in a queue, so that a slow page holds up nobody."""

    def __init__(self) -> None:
        self.outgoing: asyncio.Queue[str | None] = asyncio.Queue(BACKLOG)
        self.seat: int | None = None  # None: not seated
        self.busy = False  # a hint is being worked out

    def send(self, message: dict[str, Any]) -> None:
        """Queue a message. A page that reads too slowly is let go."""
        self.post(write(message))

    def post(self, text: str | None) -> None:
        """Queue a text. None ends the connection."""
        try:
            self.outgoing.put_nowait(text)
        except asyncio.QueueFull:
            while not self.outgoing.empty():
                self.outgoing.get_nowait()
            self.outgoing.put_nowait(None)


@dataclass
class Seat:
    """One side of the table."""

    agent_name: str
    agent: Agent  # plays, or stands in for a person who does not answer
    person: bool  # the seat is meant for a person
    name: str = ""
    token: str = ""  # the secret that gives the seat back to its person; "" while nobody took it
    asks: int = 0  # questions put to this seat so far: numbers that tell nothing about others
    ready: bool = False  # has seen the settlement
    gone_since: float = 0.0  # when the last connection was lost
    connections: set[Connection] = field(default_factory=set)
    answered: bool = False  # the agent has answered, or had its time to
    late: "asyncio.Future[Answers] | None" = None  # an answer that was not waited for any longer

    @property
    def free(self) -> bool:
        """Whether a person may sit down here."""
        return self.person and not self.token

    def take(self, name: str) -> None:
        """A person sits down."""
        self.token = secrets.token_urlsafe(18)
        self.name = clean_name(name)

    def away_for(self) -> float:
        """Seconds since the person's last page was closed. 0 while one is open."""
        return 0.0 if self.connections else time.monotonic() - self.gone_since

    def shown(self) -> dict[str, Any]:
        """What everybody may know of the seat."""
        if self.person:
            here = bool(self.connections)
            return {"name": self.name, "agent": None, "here": here, "free": self.free, "named": bool(self.name)}
        return {"name": self.name, "agent": short_name(self.agent_name), "here": True, "free": False, "named": True}


def name_agents(seats: list[Seat]) -> None:
    """Give the agents their names."""
    agents = [place for place in seats if not place.person]
    for place, name in zip(agents, short_names(place.agent_name for place in agents), strict=True):
        place.name = name


def clean_name(name: str) -> str:
    """A name without what cannot be seen."""
    return "".join(letter for letter in name if letter.isprintable()).strip()[:20]


@dataclass
class House:
    """The server as a table sees it."""

    inference: Inference
    keeper: Keeper
    hints: Hints
    advisers: list[str]  # agents that may be asked for hints
    addresses: list[str] = field(default_factory=list)  # where others reach the server
    lasting: bool = True  # tables outlast the server
    _hinting: set[asyncio.Task[None]] = field(default_factory=set)

    async def adviser(self, name: str, game: Game) -> Agent:
        """An agent that may be asked for its opinion of this game. A refusal says why not."""
        self._check_adviser(name, game)
        try:
            agent = await asyncio.to_thread(self.inference.adviser, name, game.name)
        except ValueError:
            raise RefusalError("no_agent", name=name) from None
        if agent.game != game.name:
            raise RefusalError("no_agent", name=name)
        return agent

    def _check_adviser(self, name: str, game: Game) -> None:
        if name not in self.advisers and name != game.usual_agent:
            raise RefusalError("no_agent", name=name)

    def hint(self, connection: Connection, asked: Hint, game: Game, record: np.ndarray, legal: np.ndarray) -> None:
        """Have a hint worked out and sent. A refusal says why not."""
        if connection.busy:
            raise RefusalError("hint_busy")
        name = asked.agent or game.usual_agent
        self._check_adviser(name, game)
        connection.busy = True
        task = asyncio.create_task(self._send_hint(connection, asked, name, game, record, legal))
        self._hinting.add(task)
        task.add_done_callback(self._hinting.discard)

    async def _send_hint(
        self, connection: Connection, asked: Hint, name: str, game: Game, record: np.ndarray, legal: np.ndarray
    ) -> None:
        try:
            found = await self.hints.work_out(name, await self.adviser(name, game), record, legal)
            connection.send({"type": "hint", "ask": asked.ask, "announced": asked.announced, **found})
        except RefusalError as refusal:
            connection.send(refusal.message())
        except Exception as error:
            print(f"suzaku: no hint: {error!r}", file=sys.stderr)
            connection.send(RefusalError("hint_failed").message())
        finally:
            connection.busy = False


FIRST = 60.0  # seconds a program has for the first answer of its process: it may have to load a network
LIMIT = 10.0  # for every other one
SLOW = 3.0  # seconds after which the people at the table are told who is waited for
FAILED = "failed"


class Move(NamedTuple):
    """The move played for a seat. `why` says what was wrong if it is not the agent's own choice."""

    action: int
    why: str = ""


async def ask_agent(
    inference: Inference,
    place: Seat,
    record: np.ndarray,
    legal: np.ndarray,
    slow: Callable[[float, float | None], None],
) -> Move:
    """The move of a seat's agent, or of the game's stand-in. Riichi's throws what it draws and calls nothing.

    `slow` is called with the seconds waited and the limit if it takes long. A program that is still busy with an
    earlier question is not waited for again: it joins in when it is ready.
    """
    if place.late is not None and not place.late.done():
        return Move(_stand_in(place, record, legal), TIME_OUT)
    faults = _faults(place)
    limit = _limit(place, int(record["seat"][0]))
    answer = inference.put(place.agent, record, legal)
    telling = asyncio.get_running_loop().call_later(SLOW, slow, SLOW, limit)
    try:
        if limit is not None:
            await asyncio.wait({answer}, timeout=limit)
        else:
            with contextlib.suppress(Exception):  # told below
                await answer
    finally:
        telling.cancel()
    place.answered = True
    if not answer.done():
        place.late = answer
        print(f"suzaku: {place.agent_name}: no answer within {limit:g} seconds", file=sys.stderr)
        return Move(_stand_in(place, record, legal), TIME_OUT)
    return _move(place, answer, faults, record, legal)


def _limit(place: Seat, seat: int) -> float | None:
    """Seconds that the agent has for its next answer."""
    if isinstance(place.agent, ProgramAgent):
        return FIRST if place.agent.starts(0, seat) else LIMIT
    limited = isinstance(place.agent, Follower) and not place.agent.keeps_time
    return (LIMIT if place.answered else FIRST) if limited else None


def _move(
    place: Seat, answer: "asyncio.Future[Answers]", faults: Counter[str], record: np.ndarray, legal: np.ndarray
) -> Move:
    try:
        action = int(answer.result().actions[0])
    except Exception as error:
        print(f"suzaku: {place.agent_name} gives no answer: {error!r}", file=sys.stderr)
        return Move(_stand_in(place, record, legal), FAILED)
    new = _faults(place) - faults
    return Move(action, next(iter(new), ""))


def _stand_in(place: Seat, record: np.ndarray, legal: np.ndarray) -> int:
    game = place.agent.game
    agent = make_agent(game_named(game).stand_in, game)
    return int(agent.act(record, legal).actions[0])


def _faults(place: Seat) -> Counter[str]:
    """The faults of a program so far. Its agent played the stand-in's move each time."""
    return Counter(getattr(place.agent, "faults", {}))


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
        """Send a page its view. `views` are those of other pages at the same seats."""
        seat = connection.seat
        assert seat is not None
        views = {} if views is None else views
        if seat not in views:
            views[seat] = self._view(seat)
        told = [{k: v for k, v in one.items() if k != "only"} for one in events if one.get("only", seat) == seat]
        connection.send({**views[seat], "events": told})

    def _view(self, seat: int) -> Data:
        if seat < 0:
            return {"type": "view", "me": -1, "view": self.game.drawings.view(self.table.record, None)}
        question = self.question if self.question is not None and self.question.seat == seat else None
        legal = question.legal if question else []
        data: Data = {
            "type": "view",
            "me": seat,
            "view": self.game.drawings.view(self.table.record, seat),
            "legal": legal,
        }
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
        number, repeated = self.game.drawings.round_number(self.table.record)
        now, owner = time.time(), self.owner
        return Kept(self.id, self.table_request, self.seed, self.started, seats, number, repeated, now, owner)

    def keep(self) -> None:
        """Have the table outlast the server."""
        if self.house.lasting:
            self.house.keeper.write(self.kept().put)

    def save(self) -> None:
        """Keep the game as far as it was played. One that is over goes on no more."""
        if self.actions:
            row = self.kept().row(self.table, self.walls, self.actions)
            self.house.keeper.write(lambda base: insert(base, row))
        if self.table.game_over:
            self.forget()
        else:
            self.keep()

    def forget(self) -> None:
        """Let the table end with the server."""
        self.house.keeper.write(lambda base: keeper.forget(base, self.id))
