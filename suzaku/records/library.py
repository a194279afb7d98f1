"""The library: an index of games in one SQLite file of the user's data folder.

- A row tells who played, when, by which rules, how it ended, and where the walls and actions are: in the row itself, or
  in a store (`store.py`), which is added as a whole and stays what it is.
- The page writes its games, the arena and `suzaku data import` add their stores. All of them read all.
- Tables whose game goes on are in the same file, since a game and its table change together (`suzaku/web/keeper.py`).
- A game that is still played is given to nobody: its tiles are secret.
"""

import hashlib
import json
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta, timezone
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from suzaku.records.store import BY_SEAT, Store, only, to_game
from suzaku.records.stored import Stored, hash_name
from suzaku.records.types import RecordError
from suzaku.system import data_folder
from suzaku.table.game import game_named
from suzaku.table.kernels import AWAY

COLUMNS = """
    id TEXT PRIMARY KEY, started TEXT, ended TEXT, rules TEXT, seed TEXT, names TEXT, agents TEXT,
    scores TEXT, ranks TEXT, points TEXT, finished INTEGER, rounds INTEGER, walls BLOB, actions BLOB
"""
PAGE = "page"  # the source of games that were played on the page
LATER = {"game": "riichi", "owner": "", "source": PAGE, "store": ""}  # columns that an older file lacks
RUNNING = "id TEXT PRIMARY KEY, data TEXT"  # tables whose game goes on
MOVES = "id TEXT, number INTEGER, action INTEGER, PRIMARY KEY (id, number)"  # their actions, as they happen
LISTED = "id, started, ended, rules, seed, names, agents, scores, ranks, points, finished, rounds, game, source"
STORED = ["id", "time", "rules", "players", "source", "scores", "ranks", "finished", "rounds", "game"]  # of a store
JAPAN = timezone(timedelta(hours=9))
REFUSALS = {
    "still_played": "this game is still being played",
    "not_owner": "only the page that started this game may delete it",
    "no_game": "there is no game {id}",
}


class RefusedError(RecordError):
    """What the library does not give, by a code that the page has sentences for."""

    def __init__(self, code: str, **values: Any) -> None:
        self.code, self.values = code, values
        super().__init__(REFUSALS[code].format(**values))


class Library:
    """The games of a file, usually the user's. ValueError if it cannot be one."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or usual_path()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(self.open()) as base, base:
                base.execute("PRAGMA journal_mode=WAL")
                base.execute(f"CREATE TABLE IF NOT EXISTS games ({COLUMNS})")
                base.execute(f"CREATE TABLE IF NOT EXISTS running ({RUNNING})")
                base.execute(f"CREATE TABLE IF NOT EXISTS moves ({MOVES}) WITHOUT ROWID")
                _add_columns(base)
                base.execute("CREATE INDEX IF NOT EXISTS by_source ON games (source, started)")
                base.execute(f"SELECT {LISTED} FROM games LIMIT 1")
        except (OSError, sqlite3.Error) as error:
            raise ValueError(f"{self.path}: games cannot be kept there ({error})") from None

    def open(self) -> sqlite3.Connection:
        """A connection to the file, for the thread that asks."""
        base = sqlite3.connect(self.path, timeout=10)
        base.row_factory = sqlite3.Row
        base.execute("PRAGMA synchronous=FULL")  # what was written outlasts a power cut; no table waits for it
        return base

    def add(self, store: Store, source: str) -> None:
        """List the games of a store in place of those it had before, and forget stores that are gone."""
        place = str(store.path.resolve())
        key = hashlib.blake2b(place.encode(), digest_size=4).hexdigest()  # two stores may hold the same ids
        oldest = min((part.stat().st_mtime for part in store.parts), default=0.0)
        began = datetime.fromtimestamp(oldest, timezone.utc).isoformat(timespec="seconds")

        def rows() -> Iterator[dict[str, Any]]:
            for _, _, group in store.read_groups(STORED):
                for row in group:
                    row |= {name: [one for one in row[name] if one is not None] for name in BY_SEAT if name in row}
                    started, names = _date(row.pop("time")) or began, row.pop("players")
                    agents = names if row["source"] == "arena" else [None] * len(names)
                    own = {"id": f"{row['id']}.{key}", "started": started, "names": names, "agents": agents}
                    yield {**row, **own, "source": source, "store": place}

        try:
            with closing(self.open()) as base, base:
                base.execute("BEGIN IMMEDIATE")
                known = base.execute("SELECT DISTINCT store FROM games WHERE store != ''").fetchall()
                gone = [(one,) for (one,) in known if one == place or not Path(one).is_dir()]
                base.executemany("DELETE FROM games WHERE store = ?", gone)
                for row in rows():
                    insert(base, row)
        except sqlite3.Error as error:
            raise ValueError(f"{self.path}: the games of {store} cannot be listed there ({error})") from None

    def sources(self) -> list[tuple[str, int]]:
        """Where games come from, and how many."""
        with closing(self.open()) as base:
            return [tuple(row) for row in base.execute("SELECT source, count(*) FROM games GROUP BY source")]

    def latest(self, most: int, source: str = "", player: str = "", since: str = "") -> list[dict[str, Any]]:
        """The last games that are not being played, the newest first, without their walls and actions.

        `player` is a part of a name, or a whole one where names are hashed; `since` a date such as 20240421.
        """
        asked = {
            "source = :source": source,
            "has_player(names)": player,
            "replace(replace(started, '-', ''), 'T', '') >= :since": since,
        }
        tests = " AND ".join(["id NOT IN (SELECT id FROM running)", *(test for test, value in asked.items() if value)])
        values = {"source": source, "since": since, "most": most}
        part, whole = player.casefold(), hash_name(player)

        def has_player(names: str) -> bool:
            return any(part in name.casefold() or name == whole for name in json.loads(names))

        sql = f"SELECT {LISTED} FROM games WHERE {tests} ORDER BY started DESC, rowid DESC LIMIT :most"
        with closing(self.open()) as base:
            base.create_function("has_player", 1, has_player, deterministic=True)
            return [_plain(row) for row in base.execute(sql, values)]

    def ids(self, name: str) -> list[str]:
        """The games of the source of this name, or those whose id begins so; none that is being played."""
        begins = "length(?1) > 3 AND id >= ?1 AND id < ?1 || char(1114111)"
        others = "SELECT id FROM games WHERE id NOT IN (SELECT id FROM running)"
        with closing(self.open()) as base:
            rows = base.execute(f"{others} AND (source = ?1 OR ({begins})) ORDER BY rowid", (name,))
            return [row["id"] for row in rows]

    def load(self, id: str, page: bool = False) -> Stored:
        """A game by its id, or only if it is of the page. Refused if there is none, or while any server plays it."""
        with closing(self.open()) as base:
            played = base.execute("SELECT 1 FROM running WHERE id = ?", (id,)).fetchone()
            row = base.execute("SELECT * FROM games WHERE id = ?", (id,)).fetchone()
        if played is not None:
            raise RefusedError("still_played")
        if row is None or (page and row["store"]):
            raise RefusedError("no_game", id=id)
        if row["store"]:
            return Store(row["store"]).find(id.rpartition(".")[0])
        actions = np.frombuffer(row["actions"], np.uint8)
        blank = {"source": "", "format": "suzaku", "lobby": "", "dan": [-1] * 4, "rate": [float("nan")] * 4}
        stored = to_game(
            {
                **_plain(row),
                **blank,
                "rules": row["rules"],
                "players": json.loads(row["names"]),
                "time": "".join(c for c in row["started"] if c.isdigit())[:10],
                "finished": bool(row["finished"]),
                "walls_known": True,
                "decisions": int(np.count_nonzero(actions < AWAY)),
                "start": None,
            }
        )
        stored.start = game_named(stored.game).start_of(stored.rules, int(row["seed"] or 0), 0)
        return stored

    def delete(self, id: str, owner: str, anyone: bool) -> None:
        """Delete a game of the page for who holds its owner's secret, or for anyone. Refused while it is played."""
        with closing(self.open()) as base, base:
            base.execute("BEGIN IMMEDIATE")
            if base.execute("SELECT 1 FROM running WHERE id = ?", (id,)).fetchone() is not None:
                raise RefusedError("still_played")
            row = base.execute("SELECT owner, store FROM games WHERE id = ?", (id,)).fetchone()
            if row is None:
                raise RefusedError("no_game", id=id)
            known = row["owner"] or ""
            own = bool(known) and secrets.compare_digest(known.encode(), owner.encode())
            if row["store"] or not (anyone or own):
                raise RefusedError("not_owner")
            base.execute("DELETE FROM games WHERE id = ?", (id,))


def usual_path() -> Path:
    """Where the user's library is."""
    return data_folder() / "games.sqlite"


def in_library(name: str) -> Iterator[Stored] | None:
    """The games of the user's library that a name means: a source, or how an id begins. None if there are none."""
    found = _named(name)
    return (library.load(id) for library, id in found) if found else None


def one_in_library(name: str) -> Stored | None:
    """The same where one game is wanted. RecordError if the name means several."""
    found = _named(name)
    return found[0][0].load(only([id for _, id in found], name, usual_path())) if found else None


def _named(name: str) -> list[tuple[Library, str]]:
    if Path(name).exists() or not usual_path().exists():
        return []
    library = Library()
    return [(library, id) for id in library.ids(name)]


def insert(base: sqlite3.Connection, row: dict[str, Any]) -> None:
    """Put a row in place of the one of the same game; lists are written as JSON."""
    marks = ", ".join(f":{name}" for name in row)
    values = {name: json.dumps(value) if isinstance(value, list) else value for name, value in row.items()}
    base.execute(f"INSERT OR REPLACE INTO games ({', '.join(row)}) VALUES ({marks})", values)


def _plain(row: sqlite3.Row) -> dict[str, Any]:
    found = dict(row)
    for name in ("rules", "names", "agents", "scores", "ranks", "points"):
        found[name] = json.loads(found[name]) if found[name] else None
    return found


@lru_cache(4096)
def _date(time: str) -> str:
    """A date of Japan, YYYYMMDDHH or less of it, as the library has dates; nothing if it is none."""
    for form in ("%Y%m%d%H", "%Y%m%d"):
        try:
            return datetime.strptime(time, form).replace(tzinfo=JAPAN).astimezone(timezone.utc).isoformat()
        except ValueError:
            continue
    return ""


def _add_columns(base: sqlite3.Connection) -> None:
    """Give a file what later versions know of a game."""

    def missing() -> list[str]:
        there = [row["name"] for row in base.execute("PRAGMA table_info(games)")]
        return [name for name in LATER if name not in there]

    if missing():
        base.execute("BEGIN IMMEDIATE")  # two servers may open the file at once
        for name in missing():
            base.execute(f"ALTER TABLE games ADD COLUMN {name} TEXT DEFAULT '{LATER[name]}'")
