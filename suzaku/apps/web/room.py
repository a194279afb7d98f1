"""One table with people and agents around it: asks, waits, carries out, and shows every seat its own view."""

import asyncio
import contextlib
import random
import secrets
import sys
import time
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

import numpy as np

from suzaku.agents.agent import Follower
from suzaku.apps.web import protocol
from suzaku.apps.web.games import Games
from suzaku.apps.web.happened import happened
from suzaku.apps.web.hints import Hints
from suzaku.apps.web.own import own_hand, riichi_discards
from suzaku.apps.web.seats import Connection, Seat, name_agents
from suzaku.apps.web.thinker import DEFAULT, Thinker
from suzaku.apps.web.view import Data, open_view, seat_view
from suzaku.apps.web.wish import read_rules
from suzaku.records.replay import AWAY
from suzaku.riichi import actions as act
from suzaku.riichi.state import CLAIM, ROB
from suzaku.riichi.table import Table

ABSENT = 20.0  # seconds after which an agent plays for a person who is gone while others wait
BETWEEN = 30.0  # seconds a settlement stays when others wait


@dataclass
class Question:
    """What a person is being asked."""

    seat: int
    legal: list[int]
    then: list[int]  # with riichi: the discards that may follow
    deadline: float  # 0: none
    answer: "asyncio.Future[tuple[int, int | None]]"


class Room:
    """A table from the first deal to the final ranking."""

    def __init__(
        self, id: str, wish: protocol.NewTable, thinker: Thinker, games: Games, hints: Hints, advisers: list[str]
    ) -> None:
        self.id = id
        self.advisers = advisers  # agents that may be asked for hints
        self.wish = wish
        self.thinker = thinker
        self.games = games
        self.hints = hints
        # A seed that one person knows would show them the others' tiles.
        self.seed = secrets.randbits(64) if wish.seed is None or wish.people > 1 else wish.seed
        self.table = Table(read_rules(wish), self.seed)
        self.walls = [self.table.record.wall.copy()]
        self.actions: list[int] = []
        self.started = ""
        self.watching: set[Connection] = set()
        self.question: Question | None = None
        self.events: list[Data] = []  # since the last time the table was shown
        self.shown_at = 0.0
        self.used = time.monotonic()
        self.task: asyncio.Task[None] | None = None
        self._next_discard: int | None = None
        self._hinting: set[asyncio.Task[None]] = set()
        self._someone = asyncio.Event()
        self.seats = self._seats()

    def _seats(self) -> list[Seat]:
        order = random.Random(self.seed).sample(range(4), 4)
        people = set(order[: self.wish.people])
        names = list(self.wish.opponents)
        seats = []
        for seat in range(4):
            person = seat in people
            name = DEFAULT if person or not names else names.pop(0)
            seats.append(Seat(name, self.thinker.agent(name), person))
        name_agents(seats)
        return seats

    # --- people come and go

    def join(self, connection: Connection, message: protocol.Join) -> None:
        """Seat a connection: at the seat of its token, at a free seat, or beside the table if nobody plays."""
        if self.wish.people == 0:
            if len(self.watching) >= protocol.MOST_WATCHING:
                raise ValueError("the table has too many watchers")
            self.watching.add(connection)
            connection.seat = -1
        else:
            connection.seat = self._seat_for(message)
            place = self.seats[connection.seat]
            if len(place.connections) >= protocol.MOST_AT_SEAT:
                raise ValueError("this seat is open in too many windows")
            place.connections.add(connection)
        token = self.seats[connection.seat].token if connection.seat >= 0 else ""
        connection.send({"type": "seated", "seat": connection.seat, "token": token, "hints": self.wish.hints})
        self._someone.set()
        self.used = time.monotonic()
        if self.task is None and not any(seat.free for seat in self.seats):
            self.start()
        self._tell_people()
        if self.task is not None:
            self._send_view(connection, self.events)

    def _seat_for(self, message: protocol.Join) -> int:
        for seat, place in enumerate(self.seats):
            if place.token and message.token and secrets.compare_digest(place.token.encode(), message.token.encode()):
                return seat
        for seat, place in enumerate(self.seats):
            if place.free and self.task is None:
                place.take(message.name)
                return seat
        raise ValueError("no seat is free at this table")

    def part(self, connection: Connection) -> None:
        """A page was closed."""
        self.watching.discard(connection)
        if connection.seat is not None and connection.seat >= 0:
            place = self.seats[connection.seat]
            place.connections.discard(connection)
            place.gone_since = time.monotonic()
        self.used = time.monotonic()
        if not self._connected():
            self._someone.clear()
        self._tell_people()

    def start(self) -> None:
        """Begin to play; agents take the free seats."""
        if self.task is not None:
            return
        for place in self.seats:
            if place.free:
                place.person = False
        name_agents(self.seats)
        self.started = datetime.now(timezone.utc).isoformat(timespec="seconds")
        self.task = asyncio.create_task(self._run())

    def is_used(self) -> bool:
        """Whether a page shows this table."""
        return bool(self._connected())

    def _connected(self) -> list[Connection]:
        return [c for place in self.seats for c in place.connections] + list(self.watching)

    def _tell_people(self) -> None:
        seats = [place.shown() for place in self.seats]
        for connection in self._connected():
            connection.send({"type": "people", "seats": seats, "started": self.task is not None})

    # --- messages

    def handle(self, connection: Connection, message: protocol.Message) -> None:
        """Carry out what a seated page asks for. ValueError says why not."""
        seat = connection.seat
        assert seat is not None
        if isinstance(message, protocol.Start):
            self.start()
            self._tell_people()
        elif isinstance(message, protocol.Next):
            if seat >= 0:
                self.seats[seat].ready = True
            else:
                for place in self.seats:
                    place.ready = True
        elif isinstance(message, protocol.Leave):
            if seat >= 0:
                self._leave(seat)
        elif isinstance(message, protocol.Act):
            self._act(seat, message)
        elif isinstance(message, protocol.Hint):
            self._hint(connection, message)
        else:
            raise ValueError("you sit already")

    def _leave(self, seat: int) -> None:
        place = self.seats[seat]
        if self.task is None:
            place.token = ""
        else:
            place.person, place.token = False, secrets.token_urlsafe(18)
            if self.question and self.question.seat == seat and not self.question.answer.done():
                self.question.answer.cancel()
        for connection in list(place.connections):
            connection.send({"type": "closed", "reason": "left"})
            connection.post(None)

    def _asked(self, seat: int, ask: int) -> Question:
        if self.question is None or self.question.seat != seat or ask != self.seats[seat].asks:
            raise ValueError("you are not asked this now")
        return self.question

    def _act(self, seat: int, message: protocol.Act) -> None:
        if seat < 0:
            raise ValueError("you only watch")
        question = self._asked(seat, message.ask)
        if message.action not in question.legal:
            raise ValueError(f"{act.ACTION_NAMES[message.action]} is not legal now")
        if message.discard is not None and (message.action != act.RIICHI or message.discard not in question.then):
            raise ValueError("this discard cannot follow")
        if not question.answer.done():
            question.answer.set_result((message.action, message.discard))

    def _hint(self, connection: Connection, message: protocol.Hint) -> None:
        if not self.wish.hints:
            raise ValueError("this table is played without hints")
        seat = connection.seat if connection.seat is not None else -1
        if seat >= 0:
            self._asked(seat, message.ask)
        elif self.table.seat < 0:
            raise ValueError("nobody is asked now")
        if connection.busy:
            raise ValueError("the last hint is still being worked out")
        adviser = message.agent or DEFAULT
        if adviser not in self.advisers:
            raise ValueError(f"there is no agent {adviser!r} here")
        record, legal = self.table.record.reshape(1).copy(), self.table.legal_mask().reshape(1, -1)
        connection.busy = True
        task = asyncio.create_task(self._send_hint(connection, message.ask, adviser, record, legal))
        self._hinting.add(task)
        task.add_done_callback(self._hinting.discard)

    async def _send_hint(
        self, connection: Connection, ask: int, adviser: str, record: np.ndarray, legal: np.ndarray
    ) -> None:
        try:
            found = await self.hints.work_out(adviser, record, legal)
            connection.send({"type": "hint", "ask": ask, **found})
        except Exception as error:
            print(f"suzaku: no hint: {error!r}", file=sys.stderr)
            connection.send({"type": "error", "text": "no hint could be worked out"})
        finally:
            connection.busy = False

    # --- the game

    async def _run(self) -> None:
        try:
            self._follow(None, -1)
            while not self.table.game_over:
                if self.table.round_over:
                    await self._between_rounds()
                else:
                    await self._one_decision()
            self._show()
            self.save()
        except asyncio.CancelledError:
            raise
        except Exception as error:
            print(f"suzaku: table {self.id} stopped: {error!r}", file=sys.stderr)
            for connection in self._connected():
                connection.send({"type": "closed", "reason": "failed"})

    async def _one_decision(self) -> None:
        seat = self.table.seat
        place = self.seats[seat]
        claim = self.table.record.phase in (CLAIM, ROB)
        if self.wish.people == 0 and not claim:
            await self._someone.wait()  # nobody watches: the agents rest
        person = place.person and self._next_discard is None
        if person:
            self._open_question(seat)
        # That somebody may claim is secret: a claim that only agents think about is not shown.
        if not claim or person:
            self._show()
        answer = await self._wait_for_person(place) if person else None
        if self._next_discard is not None:
            answer, self._next_discard = (self._next_discard, None), None
        if answer is not None:
            self._carry_out(answer[0])
            self._next_discard = answer[1]
            return
        action = await self._ask_agent(seat)
        if not claim or action != act.PASS:
            if claim and not person:
                self._show()
            await asyncio.sleep(max(0.0, self.shown_at + self.wish.pace - time.monotonic()))
        self._carry_out(action, AWAY if place.person else 0)

    def _open_question(self, seat: int) -> None:
        legal = self.table.legal_actions()
        then = riichi_discards(self.table) if act.RIICHI in legal else []
        deadline = time.monotonic() + self.wish.timer if self.wish.timer else 0.0
        self.seats[seat].asks += 1
        self.question = Question(seat, legal, then, deadline, asyncio.get_running_loop().create_future())

    async def _wait_for_person(self, place: Seat) -> tuple[int, int | None] | None:
        """The person's answer; None if it does not come in time."""
        question = self.question
        assert question is not None
        try:
            while not question.answer.done():
                left = question.deadline - time.monotonic() if question.deadline else 1.0
                others = any(other.connections for other in self.seats if other is not place)
                if left <= 0 or (others and place.away_for() > ABSENT):
                    return None
                await asyncio.wait({question.answer}, timeout=min(left, 1.0))
            return None if question.answer.cancelled() else question.answer.result()
        finally:
            self.question = None

    async def _ask_agent(self, seat: int) -> int:
        record, legal = self.table.record.reshape(1).copy(), self.table.legal_mask().reshape(1, -1)
        try:
            answers = await self.thinker.ask(self.seats[seat].agent, record, legal)
            return int(answers.actions[0])
        except Exception as error:
            print(f"suzaku: {self.seats[seat].agent_name} gives no answer: {error!r}", file=sys.stderr)
            answers = await self.thinker.ask(self.thinker.agent("tsumogiri"), record, legal)
            return int(answers.actions[0])

    def _carry_out(self, action: int, mark: int = 0) -> None:
        before = self.table.record.reshape(1).copy()[0]
        self.table.act(action)
        self.actions.append(action | mark)
        event = happened(before, action, self.table.record)
        if event is not None:
            self.events.append(event)
        self._follow(before, action)

    def _follow(self, before: np.record | None, action: int) -> None:
        """Let the agents that remember see a step; the first one has no table before it."""
        for seat, place in enumerate(self.seats):
            if isinstance(place.agent, Follower):
                after = self.table.record.reshape(1).copy()[0]
                self.thinker.tell(place.agent, seat, after if before is None else before, action, after)

    async def _between_rounds(self) -> None:
        for place in self.seats:
            place.ready = False
        self._show()
        self.save()
        people = [place for place in self.seats if place.person]
        limited = self.wish.timer > 0 or len(people) != 1
        end = time.monotonic() + (BETWEEN if people else max(1.0, 10 * self.wish.pace))
        while not all(place.ready for place in people or self.seats):
            if limited and time.monotonic() > end:
                break
            await asyncio.sleep(0.05)
        self.table.next_round()
        self.walls.append(self.table.record.wall.copy())
        self.events.append({"kind": "deal", "seat": int(self.table.record.dealer)})

    # --- what is shown and kept

    def _show(self) -> None:
        """Send every page its view of the table."""
        events, self.events = self.events, []
        views: dict[int, Data] = {}
        for connection in self._connected():
            self._send_view(connection, events, views)
        self.shown_at = time.monotonic()

    def _send_view(self, connection: Connection, events: list[Data], views: dict[int, Data] | None = None) -> None:
        seat = connection.seat
        assert seat is not None
        views = {} if views is None else views
        if seat not in views:
            views[seat] = self._view(seat)
        connection.send({**views[seat], "events": events})

    def _view(self, seat: int) -> Data:
        if seat < 0:
            return {"type": "view", "me": -1, "view": open_view(self.table)}
        question = self.question if self.question is not None and self.question.seat == seat else None
        legal = question.legal if question else []
        data: Data = {"type": "view", "me": seat, "view": seat_view(self.table, seat), "legal": legal}
        if question:
            data["ask"] = self.seats[seat].asks
            data["then"] = question.then
            data["seconds"] = max(0.0, question.deadline - time.monotonic()) if question.deadline else None
        if self.table.seat >= 0:
            data["own"] = own_hand(self.table, seat, legal)
        return data

    def save(self) -> None:
        """Keep the game as far as it was played."""
        if not self.actions:
            return
        extra: dict[str, Any] = {
            "started": self.started,
            "seed": str(self.seed),
            "agents": [None if place.person else place.agent_name for place in self.seats],
        }
        self.games.save_table(self.id, self.table, self.walls, self.actions, [seat.name for seat in self.seats], extra)

    async def close(self) -> None:
        """End the table; what was played is kept."""
        if self.task is not None:
            self.task.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await self.task
            if not self.table.game_over:
                self.save()
        for connection in self._connected():
            connection.send({"type": "closed", "reason": "closed"})
            connection.post(None)
        for place in self.seats:
            self.thinker.let_go(place.agent)
