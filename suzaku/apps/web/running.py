"""Tables whose game goes on, as the file of games keeps them: a server that was ended in any way plays them on.

A row of `running` says who sits where; every action is a row of `moves` as soon as it is carried out. The wall depends
on the seed alone, so that is the whole game.
"""

import sqlite3
import sys
from collections.abc import Callable
from contextlib import ExitStack, closing
from typing import Any, NamedTuple

import msgspec
import numpy as np

from suzaku.apps.web.games import Games, insert, row_of_table
from suzaku.apps.web.protocol import NewTable
from suzaku.apps.web.table_request import new_table
from suzaku.choices import AWAY
from suzaku.game import game_named
from suzaku.locks import HeldError, writing

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
        """The row of the game among all games."""
        extra = {
            "started": self.started,
            "seed": str(self.seed),
            "agents": [None if seat.person else seat.agent for seat in self.seats],
            "owner": self.owner,
        }
        names, game = [seat.name for seat in self.seats], game_named(self.table_request.game)
        return row_of_table(self.id, game, table, walls, actions, names, extra)


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
    decisions = [0] * 4
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
    """Play a table no longer; its game is kept among the others as far as it goes."""
    try:
        if actions := moves_of(base, kept.id):
            played = play_again(kept, actions)
            insert(base, kept.row(played.table, played.walls, played.actions))
    except UnplayableError as error:
        print(f"suzaku: table {kept.id} cannot be played again: {error}", file=sys.stderr)
    forget(base, kept.id)


class Running:
    """The kept tables of the file; one server at a time has them."""

    def __init__(self, games: Games) -> None:
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
