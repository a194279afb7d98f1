"""One table with people and agents around it: asks, waits, carries out, and has it shown and kept."""

import asyncio
import contextlib
import secrets
import sys
import time
from collections.abc import Iterator
from datetime import datetime, timezone

import numpy as np

from suzaku.agents.agent import Follower
from suzaku.table.kernels import AWAY
from suzaku.web import keeper, protocol
from suzaku.web.keeper import Played
from suzaku.web.protocol import RefusalError
from suzaku.web.room_state import (
    SLOW,
    Connection,
    Data,
    House,
    Move,
    Question,
    RoomState,
    Seat,
    ask_agent,
    clean_name,
    name_agents,
)

ABSENT = 20.0  # seconds after which an agent plays for a person who is gone while others wait
BETWEEN = 30.0  # seconds a settlement stays when others wait


class Room(RoomState):
    """A table that is played from the first deal to the final ranking."""

    def __init__(self, id: str, table_request: protocol.NewTable, seed: int, seats: list[Seat], house: House) -> None:
        super().__init__(id, table_request, seed, seats, house)
        self._untold: list[Data] = []  # events that would tell of a claim before the round is over
        self._next_discard: int | None = None
        self._someone = asyncio.Event()
        self._adapting: asyncio.Task[None] | None = None

    def resume(self, played: Played, started: str) -> None:
        """Go on with a game of an earlier server, whose agents know all that happened."""
        self.table, self.walls, self.actions = played.table, played.walls, played.actions
        self.started = started
        for place, decisions in zip(self.seats, played.decisions, strict=True):
            place.asks = decisions + 1  # numbers that were not used before, and tell nothing about others
            place.gone_since = time.monotonic()
        if started:
            self.task = asyncio.create_task(self._run())

    # --- people come and go

    def join(self, connection: Connection, message: protocol.Join) -> None:
        """Seat a connection: at the seat of its token, at a free seat, or beside the table if nobody plays."""
        if self.table_request.people == 0:
            if len(self.watching) >= protocol.MOST_WATCHING:
                raise RefusalError("too_many_watchers")
            self.watching.add(connection)
            connection.seat = -1
        else:
            seat = self._seat_for(message)
            if len(self.seats[seat].connections) >= protocol.MOST_AT_SEAT:
                raise RefusalError("too_many_windows")
            self.seats[seat].connections.add(connection)
            connection.seat = seat
        token = self.seats[connection.seat].token if connection.seat >= 0 else ""
        seated: Data = {"type": "seated", "seat": connection.seat, "token": token, "hints": self.table_request.hints}
        connection.send({**seated, "addresses": self.house.addresses})
        self._someone.set()
        self.used = time.monotonic()
        self._start_if_all_are_here()
        self._tell_people()
        if self.task is not None:
            self.send_view(connection, self.events)

    def _seat_for(self, message: protocol.Join) -> int:
        for seat, place in enumerate(self.seats):
            if place.token and message.token and secrets.compare_digest(place.token.encode(), message.token.encode()):
                return seat
        for seat, place in enumerate(self.seats):
            if place.free and self.task is None:
                place.take(message.name or ("player" if self.table_request.people == 1 else ""))
                self.keep()
                return seat
        raise RefusalError("no_seat")

    def part(self, connection: Connection) -> None:
        """A page was closed."""
        self.watching.discard(connection)
        if connection.seat is not None and connection.seat >= 0:
            place = self.seats[connection.seat]
            place.connections.discard(connection)
            place.gone_since = time.monotonic()
            if self.task is None and not place.name and not place.connections:
                place.token = ""  # who left without a name does not hold up the others
                self.keep()
        self.used = time.monotonic()
        if not self.connected():
            self._someone.clear()
        self._tell_people()

    def _start_if_all_are_here(self) -> None:
        if self.task is None and not any(place.free or not place.name for place in self.seats):
            self.start()

    def start(self) -> None:
        """Begin to play. Agents take the free seats. Refused while somebody who sits there has no name yet."""
        if self.task is not None:
            return
        if any(place.person and place.token and not place.name for place in self.seats):
            raise RefusalError("names_missing")
        for place in self.seats:
            if place.free:
                place.person = False
        name_agents(self.seats)
        self.started = datetime.now(timezone.utc).isoformat(timespec="seconds")
        self.keep()
        self.house.inference.tell_all([place.agent for place in self.seats], None, -1, self.table.record)
        self._deal()
        self.task = asyncio.create_task(self._run())

    def _tell_people(self) -> None:
        seats = [place.shown() for place in self.seats]
        for connection in self.connected():
            connection.send({"type": "people", "seats": seats, "started": self.task is not None})

    # --- messages

    def handle(self, connection: Connection, message: protocol.Message) -> None:
        """Carry out what a seated page asks for. ValueError says why not."""
        seat = connection.seat
        assert seat is not None
        if isinstance(message, protocol.Name):
            self._name(seat, message.name)
        elif isinstance(message, protocol.Start):
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
            raise RefusalError("seated")

    def _name(self, seat: int, name: str) -> None:
        if seat < 0:
            raise RefusalError("only_watch")
        if self.task is not None:
            raise RefusalError("has_begun")
        if clean_name(name):
            self.seats[seat].name = clean_name(name)
        self.keep()
        self._start_if_all_are_here()
        self._tell_people()

    def _leave(self, seat: int) -> None:
        place = self.seats[seat]
        if self.task is None:
            place.token = place.name = ""
        else:
            place.person, place.token = False, secrets.token_urlsafe(18)
            if self.question and self.question.seat == seat and not self.question.answer.done():
                self.question.answer.cancel()
        self.keep()
        for connection in list(place.connections):
            connection.send({"type": "closed", "reason": "left"})
            connection.post(None)

    def _asked(self, seat: int, ask: int) -> Question:
        if self.question is None or self.question.seat != seat or ask != self.seats[seat].asks:
            raise RefusalError("not_asked")
        return self.question

    def _act(self, seat: int, message: protocol.Act) -> None:
        if seat < 0:
            raise RefusalError("only_watch")
        question = self._asked(seat, message.ask)
        self._check_legal(message.action, question.legal)
        if message.discard is not None and (
            message.action != self.game.announcing or message.discard not in question.then
        ):
            raise RefusalError("cannot_follow")
        if not question.answer.done():
            question.answer.set_result((message.action, message.discard))

    def _check_legal(self, action: int, legal: list[int]) -> None:
        if action not in legal:
            name = dict(enumerate(self.game.action_names)).get(action, f"action {action}")
            raise RefusalError("not_legal", game=self.game.name, action=action, name=name)

    def _hint(self, connection: Connection, message: protocol.Hint) -> None:
        if not self.table_request.hints:
            raise RefusalError("no_hints")
        seat = connection.seat if connection.seat is not None else -1
        if seat >= 0:
            self._asked(seat, message.ask)
        elif self.table.seat < 0:
            raise RefusalError("nobody_asked")
        record = self.table.record.reshape(1).copy()
        if message.announced:
            self._check_legal(self.game.announcing, np.flatnonzero(self.table.legal_mask()).tolist())
            record = self._announced()
        legal = self.game.legal_mask(record[0]).reshape(1, -1)
        self.house.hint(connection, message, self.game, record, legal)

    # --- the game

    async def _run(self) -> None:
        try:
            while not self.table.game_over:
                if self.table.round_over:
                    await self._between_rounds()
                else:
                    await self._one_decision()
            self._tell_untold()
            self.show()
            self.save()
        except asyncio.CancelledError:
            raise
        except Exception as error:
            print(f"suzaku: table {self.id} stopped: {error!r}", file=sys.stderr)
            for connection in self.connected():
                connection.send({"type": "closed", "reason": "failed"})

    async def _one_decision(self) -> None:
        seat = self.table.seat
        place = self.seats[seat]
        claim = self.game.drawings.in_secret(self.table.record)
        if self.table_request.people == 0 and not claim:
            await self._someone.wait()  # nobody watches: the agents rest
        person = place.person and self._next_discard is None
        if person:
            self._open_question(seat)
        # That somebody may claim is secret: a claim that only agents think about is not shown.
        if not claim or person:
            self.show()
        answer = await self._wait_for_person(place, claim) if person else None
        if self._next_discard is not None:
            answer, self._next_discard = (self._next_discard, None), None
        if answer is not None:
            self._carry_out(answer[0])
            self._next_discard = answer[1]
            return
        move = await self._ask_agent(seat, claim)
        if not claim or move.action != self.game.passing:
            if claim and not person:
                self.show()
            await asyncio.sleep(max(0.0, self.shown_at + self.table_request.pace - time.monotonic()))
        self._carry_out(move.action, AWAY if place.person or move.why else 0)

    def _open_question(self, seat: int) -> None:
        legal = np.flatnonzero(self.table.legal_mask()).tolist()
        then: list[int] = []  # what it may do once it has announced riichi
        if self.game.announcing in legal:
            then = np.flatnonzero(self.game.legal_mask(self._announced()[0])).tolist()
        deadline = time.monotonic() + self.table_request.timer if self.table_request.timer else 0.0
        self.seats[seat].asks += 1
        self.question = Question(seat, legal, then, deadline, asyncio.get_running_loop().create_future())

    def _announced(self) -> np.ndarray:
        """The table (an array of one) once the asked seat has announced riichi."""
        after = self.table.record.reshape(1).copy()
        self.game.step(self.game.tables(), after[0], self.game.announcing)
        return after

    async def _wait_for_person(self, place: Seat, claim: bool) -> tuple[int, int | None] | None:
        """The person's answer. None if it does not come in time."""
        question = self.question
        assert question is not None
        began, told = time.monotonic(), False
        try:
            while not question.answer.done():
                left = question.deadline - time.monotonic() if question.deadline else 1.0
                others = any(other.connections for other in self.seats if other is not place)
                if left <= 0 or (others and place.away_for() > ABSENT):
                    event: Data = {"type": "timeout" if left <= 0 else "absent", "seat": question.seat}
                    self.events.append({**event, "only": question.seat} if claim else event)
                    return None
                if not told and time.monotonic() - began >= SLOW:
                    told = True
                    self._tell_waiting(question.seat, claim, time.monotonic() - began, self.table_request.timer or None)
                await asyncio.wait({question.answer}, timeout=min(left, 1.0))
            return None if question.answer.cancelled() else question.answer.result()
        finally:
            self.question = None

    def _tell_waiting(self, seat: int, claim: bool, seconds: float, limit: float | None) -> None:
        """Tell the others who is waited for. Who thinks about a discard is secret where people play."""
        shown = -1 if claim and self.table_request.people else seat
        message = {"type": "waiting", "seat": shown, "seconds": round(seconds, 1), "limit": limit}
        for connection in self.connected():
            if connection.seat != seat:
                connection.send(message)

    async def _ask_agent(self, seat: int, claim: bool) -> Move:
        record, legal = self.table.record.reshape(1).copy(), self.table.legal_mask().reshape(1, -1)
        place = self.seats[seat]

        def slow(seconds: float, limit: float | None) -> None:
            self._tell_waiting(seat, claim, seconds, limit)

        move = await ask_agent(self.house.inference, place, record, legal, slow)
        if move.why:
            secret = claim and self.table_request.people > 0
            (self._untold if secret else self.events).append({"type": "stand_in", "seat": seat, "why": move.why})
        return move

    def _carry_out(self, action: int, mark: int = 0) -> None:
        before = self.table.record.reshape(1).copy()[0]
        self.table.act(action)
        self.actions.append(action | mark)
        if self.house.lasting:
            move = self.id, len(self.actions) - 1, action | mark
            self.house.keeper.write(lambda base: keeper.add_move(base, *move))
        event = self.game.drawings.event_of(before, action, self.table.record)
        if event is not None:
            self.events.append(event)
        self.house.inference.tell_all([place.agent for place in self.seats], before, action, self.table.record)

    async def _between_rounds(self) -> None:
        for place in self.seats:
            place.ready = False
        self._tell_untold()
        self.show()
        if self.house.lasting:  # otherwise another server that has the file would show the game
            self.save()
        people = [place for place in self.seats if place.person]
        limited = self.table_request.timer > 0 or len(people) != 1
        end = time.monotonic() + (BETWEEN if people else max(1.0, 10 * self.table_request.pace))
        while not all(place.ready for place in people or self.seats):
            if limited and time.monotonic() > end:
                break
            await asyncio.sleep(0.05)
        self.table.next_round()
        self.walls.append(self.table.record.wall.copy())
        self._deal()
        dealt = self.game.drawings.event_of(None, -1, self.table.record)
        if dealt is not None:
            self.events.append(dealt)

    def _deal(self) -> None:
        """Let agents that remember see their hands. How some adapt to them is no secret, all of these do at once."""
        self.house.inference.tell_round([place.agent for place in self.seats], self.table.record)
        if list(self._adapters()) and (self._adapting is None or self._adapting.done()):
            self._adapting = asyncio.create_task(self._show_adapting())

    def _adapters(self) -> Iterator[tuple[int, Follower]]:
        for seat, place in enumerate(self.seats):
            if isinstance(place.agent, Follower) and place.agent.keeps_time and not place.person:
                yield seat, place.agent

    async def _show_adapting(self) -> None:
        """Send the pages the number of rollouts whenever it changes, until all have begun to play."""
        shown: dict[int, tuple[int, int]] = {}
        quiet = time.monotonic()
        while time.monotonic() - quiet < SLOW:
            found = {seat: agent.progress.get(seat) for seat, agent in self._adapters()}
            now = {seat: progress for seat, progress in found.items() if progress is not None}
            if now != shown:
                rows = [{"seat": seat, "done": done, "of": of} for seat, (done, of) in now.items()]
                for connection in self.connected():
                    connection.send({"type": "adapting", "seats": rows})
            if now or shown:
                quiet = time.monotonic()
            shown = now
            await asyncio.sleep(0.2)

    def _tell_untold(self) -> None:
        self.events += self._untold
        self._untold = []

    async def close(self) -> None:
        """End the table. What was played is kept."""
        if self._adapting is not None:
            self._adapting.cancel()
        if self.task is not None:
            self.task.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await self.task
            if not self.table.game_over:
                self.save()
        for connection in self.connected():
            connection.send({"type": "closed", "reason": "closed"})
            connection.post(None)
        for place in self.seats:
            self.house.inference.let_go(place.agent)
