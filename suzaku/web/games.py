"""All games that were played and those that go on, in one SQLite file in the user's data folder.

- All games that were played, in one SQLite file in the user's data folder.
- Tables whose game goes on, as the file of games keeps them: a server that was ended in any way plays them on.
"""

import json
import secrets
import sqlite3
import sys
from collections.abc import Callable
from contextlib import ExitStack, closing
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from suzaku.records.stored import Stored
from suzaku.system import HeldError, writing
from suzaku.table.game import AWAY, Game, game_named, rules_from_text, rules_text
from suzaku.web.protocol import NewTable, RefusalError, new_table

COLUMNS = """
    id TEXT PRIMARY KEY, started TEXT, ended TEXT, rules TEXT, seed TEXT, names TEXT, agents TEXT,
    scores TEXT, ranks TEXT, points TEXT, finished INTEGER, rounds INTEGER, walls BLOB, actions BLOB,
    game TEXT DEFAULT 'riichi', owner TEXT DEFAULT ''
"""
RUNNING = "id TEXT PRIMARY KEY, data TEXT"  # tables whose game goes on: see `running.py`
MOVES = "id TEXT, number INTEGER, action INTEGER, PRIMARY KEY (id, number)"  # their actions, as they happen
LISTED = "id, started, ended, rules, seed, names, agents, scores, ranks, points, finished, rounds, game"


class Games:
    """The file of games. ValueError if it cannot be one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with closing(self.open()) as base, base:
                base.execute("PRAGMA journal_mode=WAL")
                base.execute(f"CREATE TABLE IF NOT EXISTS games ({COLUMNS})")
                base.execute(f"CREATE TABLE IF NOT EXISTS running ({RUNNING})")
                base.execute(f"CREATE TABLE IF NOT EXISTS moves ({MOVES}) WITHOUT ROWID")
                _add_columns(base)
                base.execute(f"SELECT {LISTED} FROM games LIMIT 1")
        except (OSError, sqlite3.Error) as error:
            raise ValueError(f"{path}: games cannot be kept there ({error})") from None

    def open(self) -> sqlite3.Connection:
        """A connection to the file, for the thread that asks."""
        base = sqlite3.connect(self.path, timeout=10)
        base.row_factory = sqlite3.Row
        base.execute("PRAGMA synchronous=FULL")  # what was written outlasts a power cut; no table waits for it
        return base

    def save(self, stored: Stored, extra: dict[str, Any]) -> None:
        """Keep a game as far as it was played; `extra` are the columns a record of a game does not have."""
        with closing(self.open()) as base, base:
            insert(base, row_of(stored, extra))

    def latest(self, limit: int = 200) -> list[dict[str, Any]]:
        """The last games that are not being played, the newest first, without their walls and actions."""
        others = f"SELECT {LISTED} FROM games WHERE id NOT IN (SELECT id FROM running)"
        with closing(self.open()) as base:
            rows = base.execute(f"{others} ORDER BY started DESC LIMIT ?", (limit,)).fetchall()
        return [_plain(row) for row in rows]

    def load(self, id: str) -> Stored:
        """A game by its id. Refused if there is none, or if any server still plays it: its tiles are secret."""
        with closing(self.open()) as base:
            played = base.execute("SELECT 1 FROM running WHERE id = ?", (id,)).fetchone()
            row = base.execute("SELECT * FROM games WHERE id = ?", (id,)).fetchone()
        if played is not None:
            raise RefusalError("still_played")
        if row is None:
            raise RefusalError("no_game", id=id)
        game = game_named(row["game"])
        rules = rules_from_text(game, row["rules"])
        # copies: kernels would be compiled once more for arrays that cannot be written
        actions = np.frombuffer(row["actions"], np.uint8).copy()
        return Stored(
            id=id,
            source="",
            format="suzaku",
            lobby="",
            time="".join(c for c in row["started"] if c.isdigit())[:10],
            rules=rules,
            players=json.loads(row["names"]),
            dan=[-1] * 4,
            rate=[float("nan")] * 4,
            start=game.start_of(rules, int(row["seed"] or 0), 0),
            scores=json.loads(row["scores"]),
            ranks=json.loads(row["ranks"]),
            finished=bool(row["finished"]),
            walls_known=True,
            decisions=int(np.count_nonzero(actions < AWAY)),
            walls=np.frombuffer(row["walls"], np.int8).reshape(-1, game.wall).copy(),
            actions=actions,
            game=game.name,
        )

    def delete(self, id: str, owner: str, anyone: bool) -> None:
        """Delete a game for who holds the secret of its owner, or for anyone. Refused while any server plays it."""
        with closing(self.open()) as base, base:
            base.execute("BEGIN IMMEDIATE")
            if base.execute("SELECT 1 FROM running WHERE id = ?", (id,)).fetchone() is not None:
                raise RefusalError("still_played")
            row = base.execute("SELECT owner FROM games WHERE id = ?", (id,)).fetchone()
            if row is None:
                raise RefusalError("no_game", id=id)
            known = row["owner"] or ""
            if not anyone and not (known and secrets.compare_digest(known.encode(), owner.encode())):
                raise RefusalError("not_owner")
            base.execute("DELETE FROM games WHERE id = ?", (id,))


def _add_columns(base: sqlite3.Connection) -> None:
    """Give an older file of games, all of Riichi and nobody's, the columns that say so."""
    base.execute("BEGIN IMMEDIATE")  # two servers may open the file at once
    there = [row["name"] for row in base.execute("PRAGMA table_info(games)")]
    for name, usual in (("game", "riichi"), ("owner", "")):
        if name not in there:
            base.execute(f"ALTER TABLE games ADD COLUMN {name} TEXT DEFAULT '{usual}'")


def row_of(stored: Stored, extra: dict[str, Any]) -> dict[str, Any]:
    """The row of a game."""
    return {
        "id": stored.id,
        "game": stored.game,
        "rules": rules_text(stored.rules),
        "names": json.dumps(stored.players),
        "scores": json.dumps(stored.scores),
        "ranks": json.dumps(stored.ranks),
        "finished": int(stored.finished),
        "rounds": len(stored.walls),
        "walls": stored.walls.tobytes(),
        "actions": stored.actions.tobytes(),
        **{name: value if isinstance(value, str) else json.dumps(value) for name, value in extra.items()},
    }


def row_of_table(
    id: str,
    game: Game,
    table: Any,
    walls: list[np.ndarray],
    actions: list[int],
    names: list[str],
    extra: dict[str, Any],
) -> dict[str, Any]:
    """The row of a game as far as it was played at a table."""
    record, over = table.record, table.game_over
    scores = record.scores.tolist()
    order = sorted(range(4), key=lambda seat: (-scores[seat], seat))
    ranks = record.ranks.tolist() if over else [order.index(seat) for seat in range(4)]
    played = np.array(actions, np.uint8)
    stored = Stored(
        id, "", "suzaku", "", "", table.rules, names, [-1] * 4, [float("nan")] * 4, None, scores, ranks, over, True,
        int(np.count_nonzero(played < AWAY)), np.array(walls, np.int8).reshape(-1, game.wall), played,
        game=game.name,
    )  # fmt: skip
    now = datetime.now(timezone.utc).isoformat(timespec="seconds")
    points = [round(float(p), 1) for p in game.final_points(table.rules, record.scores, record.ranks)] if over else []
    return row_of(stored, {**extra, "ended": now, "points": points})


def insert(base: sqlite3.Connection, row: dict[str, Any]) -> None:
    """Put a row in place of the one of the same game."""
    marks = ", ".join(f":{name}" for name in row)
    base.execute(f"INSERT OR REPLACE INTO games ({', '.join(row)}) VALUES ({marks})", row)


def _plain(row: sqlite3.Row) -> dict[str, Any]:
    found = dict(row)
    for name in ("rules", "names", "agents", "scores", "ranks", "points"):
        found[name] = json.loads(found[name]) if found[name] else None
    return found


# A row of `running` says who sits where; every action is a row of `moves` as soon as it is carried out. The wall
# depends on the seed alone, so that is the whole game.

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
