"""What a server keeps in the library: its tables, each move as it is made, and the one thread that writes the file.

- A table is a row of `running`, which says who sits where, and a row of `moves` for every action as soon as it is
  carried out. The wall depends on the seed alone, so that is the whole game.
- A server that was ended in any way plays its tables on. One server at a time has the tables of a file.
- Nobody waits for the disk: one thread makes the changes, in their order, and reads after them.
"""

import asyncio
import queue
import sqlite3
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from datetime import datetime, timezone
from typing import Any, NamedTuple, TypeVar

import msgspec
import numpy as np

from suzaku.records.library import Library, insert
from suzaku.records.stored import ranks_of
from suzaku.system import HeldError, writing
from suzaku.table.game import game_named, rules_text
from suzaku.table.kernels import AWAY
from suzaku.web.protocol import NewTable, new_table

See = Callable[[np.record | None, int, np.record], None]  # the table before an action, the action, and after it

OTHER_SERVER = "suzaku: another server uses {}: tables of this one do not outlast it"


class KeptSeat(msgspec.Struct):
    """One side of a kept table."""

    agent: str
    person: bool
    name: str
    token: str


class Kept(msgspec.Struct):
    """A kept table without its moves."""

    id: str
    table_request: NewTable
    seed: int
    started: str  # when the game began; "" if people are waited for
    seats: list[KeptSeat]
    round: int = 0
    honba: int = 0
    used: float = 0.0  # the time it was last known to be played, in seconds since 1970
    owner: str = ""  # the secret of who had the table set up, and may delete its game

    def put(self, base: sqlite3.Connection) -> None:
        """Write who sits where."""
        base.execute("INSERT OR REPLACE INTO running VALUES (?, ?)", (self.id, msgspec.json.encode(self).decode()))

    def row(self, table: Any, walls: list[np.ndarray], actions: list[int]) -> dict[str, Any]:
        """The row of the game among all games, as far as it was played."""
        game, record, over = game_named(self.table_request.game), table.record, table.game_over
        scores = record.scores.tolist()
        points: Any = game.final_points(table.rules, record.scores, record.ranks) if over else []
        return {
            "id": self.id,
            "game": game.name,
            "started": self.started,
            "ended": datetime.now(timezone.utc).isoformat(timespec="seconds"),
            "rules": rules_text(table.rules),
            "seed": str(self.seed),
            "names": [seat.name for seat in self.seats],
            "agents": [None if seat.person else seat.agent for seat in self.seats],
            "owner": self.owner,
            "scores": scores,
            "ranks": record.ranks.tolist() if over else ranks_of(scores),
            "points": [round(float(p), 1) for p in points],
            "finished": over,
            "rounds": len(walls),
            "walls": np.array(walls, np.int8).tobytes(),
            "actions": np.array(actions, np.uint8).tobytes(),
        }


def add_move(base: sqlite3.Connection, id: str, number: int, action: int) -> None:
    """Write an action."""
    base.execute("INSERT OR REPLACE INTO moves VALUES (?, ?, ?)", (id, number, action))


def forget(base: sqlite3.Connection, id: str) -> None:
    """Keep a table no longer."""
    base.execute("DELETE FROM running WHERE id = ?", (id,))
    base.execute("DELETE FROM moves WHERE id = ?", (id,))


class Played(NamedTuple):
    """A game as far as it was played."""

    table: Any
    walls: list[np.ndarray]
    actions: list[int]
    decisions: list[int]  # how many of the actions each seat chose


class UnplayableError(ValueError):
    """A kept table whose moves are not legal: another version of the rules wrote them."""


def play_again(kept: Kept, actions: list[int], see: See = lambda before, action, after: None) -> Played:
    """The table after these actions. UnplayableError if they cannot be played."""
    try:
        table = new_table(kept.table_request, kept.seed)
    except ValueError as error:
        raise UnplayableError(str(error)) from None
    walls = [table.record.wall.copy()]
    decisions = [0] * table.game.seats
    see(None, -1, table.record)
    for action in actions:
        before = table.record.reshape(1).copy()[0]
        try:
            if table.round_over:
                table.next_round()
                walls.append(table.record.wall.copy())
                before = table.record.reshape(1).copy()[0]
            table.act(action & (AWAY - 1))
        except ValueError as error:
            raise UnplayableError(str(error)) from None
        decisions[int(before.seat)] += 1
        see(before, action & (AWAY - 1), table.record)
    return Played(table, walls, actions, decisions)


def moves_of(base: sqlite3.Connection, id: str) -> list[int]:
    """The actions of a table."""
    rows = base.execute("SELECT action FROM moves WHERE id = ? ORDER BY number", (id,)).fetchall()
    return [int(row[0]) for row in rows]


def end(base: sqlite3.Connection, kept: Kept) -> None:
    """Play a table no longer. Its game is kept among the others as far as it goes."""
    try:
        if actions := moves_of(base, kept.id):
            played = play_again(kept, actions)
            insert(base, kept.row(played.table, played.walls, played.actions))
    except UnplayableError as error:
        print(f"suzaku: table {kept.id} cannot be played again: {error}", file=sys.stderr)
    forget(base, kept.id)


class Running:
    """The kept tables of the file. One server at a time has them."""

    def __init__(self, games: Library) -> None:
        self.games = games
        self._lock = ExitStack()
        try:
            self._lock.enter_context(writing(games.path.parent, f".{games.path.name}.lock"))
            self.owned = True
        except HeldError:
            print(OTHER_SERVER.format(games.path), file=sys.stderr)
            self.owned = False

    def all(self) -> list[Kept]:
        """Every table that was being played when the last server ended."""
        if not self.owned:
            return []
        with closing(self.games.open()) as base:
            rows = base.execute("SELECT id, data FROM running").fetchall()
            found = []
            for id, text in rows:
                try:
                    found.append(msgspec.json.decode(text, type=Kept))
                except msgspec.MsgspecError:  # of another version
                    with base:
                        forget(base, id)
            return found

    def moves(self, id: str) -> list[int]:
        """The actions of a table."""
        with closing(self.games.open()) as base:
            return moves_of(base, id)

    def close(self) -> None:
        """Let another server have the tables."""
        self._lock.close()


Write = Callable[[sqlite3.Connection], object]
Found = TypeVar("Found")

PAUSE = 1.0  # seconds before a write that failed is tried again
BUSY = 500  # milliseconds that one try waits for a locked file: reads wait for it too
LAST = 10.0  # seconds that writes may still be tried when the server stops


class Read(NamedTuple):
    """A question to the file: runs in the thread, and is told of an error with which the changes before it failed."""

    run: Callable[[sqlite3.Error | None], None]


class Keeper:
    """Writes in the order they were asked for, all that wait in one transaction, and reads after them.

    Changes that cannot be written now, as on a full disk, are tried again and again. Meanwhile `look` still sees the
    file as it is. `read`, which must see every change before it, fails.
    """

    def __init__(self, games: Library) -> None:
        self.games = games
        self._work: queue.SimpleQueue[Write | Read | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="keeper", daemon=True)
        self._ending = 0.0  # when the server was asked to stop
        self._thread.start()

    def write(self, run: Write) -> None:
        """Have a change made to the file. This does not wait for it."""
        self._work.put(run)

    async def read(self, run: Callable[..., Found], *values: Any) -> Found:
        """The result of a function that reads the file, once all changes before it are made, or sqlite3.Error."""
        return await self._ask(run, values, True)

    async def look(self, run: Callable[..., Found], *values: Any) -> Found:
        """The result of a function that reads the file. The last changes lack while it cannot be written."""
        return await self._ask(run, values, False)

    async def _ask(self, run: Callable[..., Found], values: tuple[Any, ...], strict: bool) -> Found:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Found] = loop.create_future()

        def deliver(found: Any, error: Exception | None) -> None:
            if not answer.done():
                answer.set_result(found) if error is None else answer.set_exception(error)

        def work(failure: sqlite3.Error | None) -> None:
            found: Any = None
            failed: Exception | None = failure if strict else None
            try:
                if failed is None:
                    found = run(*values)
            except Exception as error:
                failed = error
            if not loop.is_closed():
                loop.call_soon_threadsafe(deliver, found, failed)

        self._work.put(Read(work))
        return await answer

    def close(self) -> None:
        """End the thread once everything is written."""
        self._ending = time.monotonic()
        self._work.put(None)
        self._thread.join()

    def _run(self) -> None:
        with closing(self.games.open()) as base:
            base.execute(f"PRAGMA busy_timeout={BUSY}")  # a locked file is tried again here, and others wait meanwhile
            writes: list[Write] = []
            failure: sqlite3.Error | None = None
            tried = 0.0
            ending = False
            while not (ending and not writes):
                reads: list[Read] = []
                wait = None if failure is None else max(0.0, tried + PAUSE - time.monotonic())
                for item in self._take(wait):
                    if item is None:
                        ending = True
                    elif isinstance(item, Read):
                        reads.append(item)
                    else:
                        writes.append(item)
                if failure is None or time.monotonic() >= tried + PAUSE:
                    failure = self._try(base, writes, failure is None)
                    tried = time.monotonic()
                for one in reads:
                    one.run(failure)
                if ending and failure is not None and tried > self._ending + LAST:
                    print(f"suzaku: {len(writes)} changes of {self.games.path} are lost", file=sys.stderr)
                    return

    def _take(self, seconds: float | None) -> list[Write | Read | None]:
        """All that waits to be done. If that is nothing, what comes first within some time."""
        try:
            found = [self._work.get(timeout=seconds)]
        except queue.Empty:
            return []
        while not self._work.empty():
            found.append(self._work.get())
        return found

    def _try(self, base: sqlite3.Connection, writes: list[Write], first: bool) -> sqlite3.Error | None:
        """Make the changes in one transaction, and cross them off. Returns the error if the disk is full or busy."""
        if not writes:
            return None
        try:
            with base:
                for run in writes:
                    _carry_out(run, base)
        except sqlite3.Error as error:
            if first:
                print(f"suzaku: {self.games.path} cannot be written now: {error}", file=sys.stderr)
            return error
        writes.clear()
        return None


def _carry_out(run: Write, base: sqlite3.Connection) -> None:
    try:
        run(base)
    except sqlite3.OperationalError:
        raise
    except Exception as error:  # trying again would not help, and the others must not suffer
        print(f"suzaku: a change of the games failed: {error!r}", file=sys.stderr)
