"""All tables of the server: new ones, the open ones, those of earlier servers, and the end of those nobody uses.

Tables are looked up and changed in the event loop alone. Other threads only load agents and play games again.
"""

import asyncio
import random
import secrets
import sqlite3
import sys
import time
from collections.abc import Callable
from typing import Any

from suzaku.agents.agent import Agent, check_game
from suzaku.records.library import Library
from suzaku.table.game import game_named
from suzaku.web import keeper, protocol
from suzaku.web.inference import Hints, Inference, gives_hints
from suzaku.web.keeper import Found, Keeper, Kept, Played, Running, play_again
from suzaku.web.protocol import RefusalError, asked_rules, refusal_of
from suzaku.web.room import Room
from suzaku.web.room_state import House, Seat, name_agents

UNUSED = 1800.0  # seconds without any page after which a game is put aside: it goes on when somebody comes back
OVER = 300.0  # the same once a game is over, or before it has begun: the table is closed
EMPTY = 60.0  # the same where nobody ever sat down
KEPT = 3 * 86400.0  # seconds after which a game that nobody came back to is ended
TIDY = 10.0  # seconds between two looks for such tables
MOST_OF_ADDRESS = 20  # tables that one address may have open, of `protocol.MOST_TABLES`


class Lobby:
    """The tables by id."""

    def __init__(self, inference: Inference, games: Library, agents: list[str], addresses: list[str]) -> None:
        self.inference = inference
        self.agents = agents  # what pages may choose; nothing else is ever started for them
        self.advisers = [name for name in agents if gives_hints(name)]
        self.running = Running(games)
        self.keeper = Keeper(games)
        self.hints = Hints(inference)
        self.house = House(inference, self.keeper, self.hints, self.advisers, addresses, self.running.owned)
        self.rooms: dict[str, Room] = {}
        self.kept: dict[str, Kept] = {one.id: one for one in self.running.all()}  # put aside: nobody came back yet
        self._opening: dict[str, asyncio.Task[None]] = {}
        self._makers: dict[str, str] = {}  # the address each table was asked for from
        self._making: list[str] = []  # the same of those whose agents are being loaded

    async def create(self, table_request: protocol.NewTable, address: str) -> Room:
        """A new table for somebody at an address. A refusal says why not, before any work is done."""
        self._check_room(address)
        try:
            asked_rules(table_request)
        except ValueError as error:
            raise refusal_of(error, "bad_table") from None
        for name in table_request.opponents:
            if name not in self.agents and name != game_named(table_request.game).usual_agent:
                raise RefusalError("no_opponent", name=name)
        # A seed that one person knows would show them the others' tiles.
        seed = secrets.randbits(64) if table_request.seed is None or table_request.people > 1 else table_request.seed
        self._making.append(address)
        try:
            seats = await asyncio.to_thread(self._seats, seat_plan(table_request, seed), table_request.game)
        finally:
            self._making.remove(address)
        room = Room(secrets.token_urlsafe(9), table_request, seed, seats, self.house)
        self.rooms[room.id] = room
        self._makers[room.id] = address
        return room

    def _check_room(self, address: str) -> None:
        if len(self.rooms) + len(self._making) >= protocol.MOST_TABLES:
            raise RefusalError("server_full")
        own = sum(self._makers.get(id) == address for id in self.rooms)
        if own + self._making.count(address) >= MOST_OF_ADDRESS:
            raise RefusalError("too_many_tables", most=MOST_OF_ADDRESS)

    def _seats(self, plan: list[tuple[str, bool]], game: str) -> list[Seat]:
        """The seats of a plan with their agents, which may have to be loaded. ValueError if one plays another game."""
        agents: list[Agent] = []
        try:
            for name, _ in plan:
                agents.append(self.inference.agent(name, game))
                check_game(agents[-1], game, "table")
        except Exception:
            for agent in agents:
                self.inference.let_go(agent)
            raise
        seats = [Seat(name, agent, person) for (name, person), agent in zip(plan, agents, strict=True)]
        name_agents(seats)
        return seats

    def _let_go(self, seats: list[Seat]) -> None:
        for place in seats:
            self.inference.let_go(place.agent)

    async def find(self, id: str) -> Room | None:
        """A table. One that was put aside or belonged to an earlier server is set up again.

        None if there is none, or if it cannot be set up now: then it is still among `kept`.
        """
        if id in self.kept and id not in self._opening:
            self._opening[id] = asyncio.create_task(self._restore(self.kept[id]))
        if id in self._opening:
            await asyncio.shield(self._opening[id])
        return self.rooms.get(id)

    async def _restore(self, kept: Kept) -> None:
        try:
            moves = await self.keeper.read(self.running.moves, kept.id)
            self.rooms[kept.id] = await self._rebuild(kept, moves)
            del self.kept[kept.id]
        except keeper.UnplayableError as error:
            print(f"suzaku: table {kept.id} cannot be played on: {error}", file=sys.stderr)
            self._end(kept)
        except Exception as error:  # such as a network or a disk that cannot be read now: the table stays kept
            print(f"suzaku: table {kept.id} cannot be set up now: {error!r}", file=sys.stderr)
        finally:
            del self._opening[kept.id]

    def _end(self, kept: Kept) -> None:
        """Play a kept table no longer."""
        del self.kept[kept.id]
        self._makers.pop(kept.id, None)
        self.keeper.write(lambda base: keeper.end(base, kept))

    async def _rebuild(self, kept: Kept, moves: list[int]) -> Room:
        try:
            usual = game_named(kept.table_request.game).usual_agent
        except ValueError as error:
            raise keeper.UnplayableError(str(error)) from None
        plan = [(seat.agent if seat.agent in self.agents else usual, seat.person) for seat in kept.seats]
        seats = await asyncio.to_thread(self._seats, plan, kept.table_request.game)
        for place, seat in zip(seats, kept.seats, strict=True):
            place.token = seat.token
            if seat.person or seat.agent == place.agent_name:
                place.name = seat.name
        agents = [place.agent for place in seats]

        def again() -> Played:
            return play_again(kept, moves, lambda *step: self.inference.tell_all(agents, *step))

        try:
            played = await asyncio.to_thread(again)
        except Exception:
            self._let_go(seats)
            raise
        room = Room(kept.id, kept.table_request, kept.seed, seats, self.house)
        room.owner = kept.owner
        room.resume(played, kept.started)
        return room

    def waiting(self) -> list[dict[str, Any]]:
        """The tables at which a person can still sit down, and those of agents that can be watched."""
        found = []
        for id, kept in self._all():
            free = sum(seat.person and not seat.token for seat in kept.seats)
            watched = kept.table_request.people == 0 and not self._is_over(id)
            if (not kept.started and free and kept.table_request.people > 1) or watched:
                names = [seat.name for seat in kept.seats if not seat.person or seat.token]
                row = {"id": id, "game": kept.table_request.game, "names": names}
                found.append({**row, "free": free, "watch": watched})
        return found

    def mine(self, tokens: dict[str, str]) -> list[dict[str, Any]]:
        """The tables whose game goes on and where the given secrets have a seat."""
        found = []
        for id, token in tokens.items():
            kept = self.rooms[id].kept() if id in self.rooms else self.kept.get(id)
            if kept is None or self._is_over(id) or not token:
                continue
            for number, seat in enumerate(kept.seats):
                if seat.person and seat.token and secrets.compare_digest(seat.token.encode(), token.encode()):
                    names = [one.name for one in kept.seats]
                    row = {"id": id, "game": kept.table_request.game, "names": names, "seat": number}
                    found.append({**row, "started": kept.started, "round": kept.round, "honba": kept.honba})
        return found

    def _all(self) -> list[tuple[str, Kept]]:
        return [*((id, room.kept()) for id, room in self.rooms.items()), *self.kept.items()]

    def _is_over(self, id: str) -> bool:
        return id in self.rooms and self.rooms[id].table.game_over

    async def look(self, run: Callable[..., Found], *values: Any) -> Found:
        """What a function finds in the library. Refused while its file cannot be read."""
        try:
            return await self.keeper.look(run, *values)
        except sqlite3.Error as error:
            raise RefusalError("file_busy", reason=str(error)) from None

    def is_played(self, id: str) -> bool:
        """Whether a game goes on, so that its tiles are still secret."""
        return (id in self.rooms or id in self.kept) and not self._is_over(id)

    async def tidy_up(self) -> None:
        """Put tables aside that nobody uses and end those nobody came back to, for ever."""
        while True:
            await asyncio.sleep(TIDY)
            try:
                await self.tidy()
            except Exception as error:  # the next look may be luckier
                print(f"suzaku: unused tables are not put aside: {error!r}", file=sys.stderr)

    async def tidy(self) -> None:
        """One look for tables that nobody uses."""
        for id, room in list(self.rooms.items()):
            unused = 0.0 if room.is_used() else time.monotonic() - room.used
            played = room.task is not None and not room.table.game_over
            seated = any(place.token for place in room.seats)
            if unused > (UNUSED if played else OVER if seated else EMPTY):
                if played and self.running.owned:
                    self.kept[id] = room.kept()
                else:
                    room.forget()
                    self._makers.pop(id, None)
                del self.rooms[id]
                await room.close()
        for id, kept in list(self.kept.items()):
            if time.time() - kept.used > KEPT and id not in self._opening:
                self._end(kept)

    async def close(self) -> None:
        """Close all tables. Their games are kept, and go on when a server is there again."""
        try:
            for room in list(self.rooms.values()):
                await room.close()
            self.rooms.clear()
            self.hints.close()
        finally:
            await asyncio.to_thread(self.keeper.close)
            self.running.close()


def seat_plan(table_request: protocol.NewTable, seed: int) -> list[tuple[str, bool]]:
    """The agent of each seat, and whether the seat is meant for a person."""
    game = game_named(table_request.game)
    people = set(random.Random(seed).sample(range(game.seats), game.seats)[: table_request.people])
    names, usual = list(table_request.opponents), game.usual_agent
    return [(usual if seat in people or not names else names.pop(0), seat in people) for seat in range(game.seats)]
