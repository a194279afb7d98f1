"""The store: a folder of Parquet files with a row a game, and which games to keep.

- Which games to keep: at import and at reading.
- The store: a folder of Parquet files with a row a game, and `_store.json` once it is complete.
"""

import fnmatch
import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from suzaku.records.stored import Stored, split_of
from suzaku.records.types import RecordError
from suzaku.system import some, write_whole
from suzaku.table.game import GAMES, game_named, rules_from_text, rules_text


@dataclass(frozen=True)
class Filters:
    """Conditions on a game; all must hold."""

    min_dan: int | None = None  # every player has at least this dan (Tenhou's number: 10 first dan, 16 seventh dan)
    since: str = ""  # not before this date, YYYYMMDD
    until: str = ""  # not after this date, YYYYMMDD
    length: str = ""  # of the game's lengths; of Riichi "east" or "hanchan"
    source: str = ""  # a pattern such as "*houou*" that the file name or the kind of table must match
    walls: bool = False  # every wall is wholly known, and holds no tiles that were filled in
    part: int = 1  # one game in so many, always the same ones; a part of 8 lies within that of 4

    def __post_init__(self) -> None:
        for name in ("since", "until"):
            value = getattr(self, name)
            if value and not (value.isdigit() and 4 <= len(value) <= 10):
                raise ValueError(f"{name} must be a date such as 20240421 or a year, not {value!r}")
        if self.part < 1:
            raise ValueError(f"part must be at least 1, not {self.part}")
        if self.length:
            lengths = [length for game in GAMES for length in game_named(game).lengths]
            if self.length not in lengths:
                raise ValueError(f"length {self.length!r} is unknown: choose one of {', '.join(lengths)}")

    def reason(self, game: Stored) -> str:
        """Why a game is left out, or nothing."""
        if self.min_dan is not None and min(game.dan) < self.min_dan:
            return f"a player is below dan {self.min_dan}"
        if (self.since or self.until) and not game.time:
            return "its date is unknown"
        if self.since and game.time[: len(self.since)] < self.since:
            return f"it is from before {self.since}"
        if self.until and game.time[: len(self.until)] > self.until:
            return f"it is from after {self.until}"
        if self.length and game.rules.length != self.length:
            return f"its length is {game.rules.length}, not {self.length}"
        if self.source and not any(fnmatch.fnmatch(name, self.source) for name in (game.source, game.lobby)):
            return f"its source does not match {self.source}"
        if self.walls and not game.walls_known:
            return "its walls are not wholly known"
        if game.lot // 100 % self.part:
            return f"it is not in the one part of {self.part}"
        return ""


VERSION = 3
READABLE = (1, 2, 3)  # the first had no column `content`, the second no `game`: all games were of Riichi
SUMMARY = "_store.json"  # readers of Parquet folders pass over names that begin so
OLD_SUMMARY = "store.json"  # of the first version
PROBLEMS = b"suzaku.problems"  # key of a part's metadata: what was left out, as JSON
FEW = 3  # ids that are named where one is wanted
INPUTS = b"suzaku.inputs"  # key of a part's metadata: a hash of what went into it

SCHEMA = pa.schema(
    [
        pa.field("id", pa.string()),
        pa.field("content", pa.string()),
        pa.field("game", pa.string()),
        pa.field("source", pa.string()),
        pa.field("format", pa.string()),
        pa.field("lobby", pa.string()),
        pa.field("time", pa.string()),
        pa.field("rules", pa.string()),
        pa.field("players", pa.list_(pa.string(), 4)),
        pa.field("dan", pa.list_(pa.int8(), 4)),
        pa.field("rate", pa.list_(pa.float32(), 4)),
        pa.field("start", pa.list_(pa.int32())),
        pa.field("scores", pa.list_(pa.int32(), 4)),
        pa.field("ranks", pa.list_(pa.int8(), 4)),
        pa.field("finished", pa.bool_()),
        pa.field("walls_known", pa.bool_()),
        pa.field("rounds", pa.int16()),
        pa.field("decisions", pa.int32()),
        pa.field("walls", pa.binary()),
        pa.field("actions", pa.binary()),
    ]
)
TRAJECTORY = (pa.field("log_prob", pa.binary()), pa.field("versions", pa.list_(pa.int32())))  # only where there are any


BY_SEAT = ("players", "dan", "rate", "scores", "ranks")  # columns of four values; games of fewer seats leave the last


def _four(values: list[Any]) -> list[Any]:
    return [*values, *[None] * (4 - len(values))]


def part_name(number: int) -> str:
    """The file name of a part."""
    return f"part-{number:05d}.parquet"


def write_part(path: Path, games: list[Stored], metadata: dict[bytes, bytes]) -> None:
    """Write a part of a store. The same games give the same bytes."""
    schema = SCHEMA.with_metadata(metadata)
    if any(game.log_prob is not None for game in games):
        for more in TRAJECTORY:
            schema = schema.append(more)
    columns: dict[str, list[Any]] = {name: [] for name in schema.names}
    for game in games:
        for name in columns.keys() - {"rules", "rounds", "walls", "actions", "log_prob"}:
            columns[name].append(_four(getattr(game, name)) if name in BY_SEAT else getattr(game, name))
        if "log_prob" in columns:
            columns["log_prob"].append(None if game.log_prob is None else game.log_prob.astype(np.float16).tobytes())
        columns["rules"].append(rules_text(game.rules))
        columns["rounds"].append(len(game.walls))
        columns["walls"].append(game.walls.tobytes())
        columns["actions"].append(game.actions.tobytes())
    write_table(path, pa.table(columns, schema=schema))


def write_summary(folder: Path, parts: int, games: int, rounds: int, **more: Any) -> None:
    """Declare a store complete."""
    summary = {"version": VERSION, "parts": parts, "games": games, "rounds": rounds, **more}
    write_whole(folder / SUMMARY, json.dumps(summary, indent=1).encode() + b"\n")


def write_table(path: Path, table: pa.Table) -> None:
    """Write the rows of a part."""
    buffer = pa.BufferOutputStream()
    repeated = ["game", "format", "lobby", "time", "rules"]
    pq.write_table(table, buffer, compression="zstd", compression_level=9, use_dictionary=repeated, row_group_size=512)
    write_whole(path, buffer.getvalue().to_pybytes())


def to_game(row: dict[str, Any]) -> Stored:
    """The game of a row."""
    row = {"content": "", "game": "riichi", "log_prob": None, "versions": None, **row}
    if missing := [name for name in Stored.__slots__ if name not in row]:
        raise RecordError(f"a row of the store has no {missing[0]!r}: it was made by another program")
    game = game_named(row["game"])
    values = {name: row[name] for name in Stored.__slots__ if name not in ("rules", "walls", "actions", "log_prob")}
    values |= {name: values[name][: game.seats] for name in BY_SEAT}
    values["rules"] = rules_from_text(game, row["rules"])
    # copies: kernels would be compiled once more for arrays that cannot be written
    values["walls"] = np.frombuffer(row["walls"], np.int8).reshape(-1, game.wall).copy()
    values["actions"] = np.frombuffer(row["actions"], np.uint8).copy()
    if row["log_prob"] is not None:
        if len(row["log_prob"]) != 2 * len(row["actions"]) or len(row["versions"] or ()) != game.seats:
            raise RecordError(f"game {row['id']}: its log-probabilities do not belong to its actions; it is damaged")
        values["log_prob"] = np.frombuffer(row["log_prob"], np.float16).copy()
    return Stored(**values)


def only(ids: list[str], name: str, path: Path) -> str:
    """The one of these ids that is the name, or begins so. RecordError if there are several."""
    exact = [id for id in ids if id == name] or ids
    if len(exact) > 1:
        few = ", ".join(exact[:FEW]) + (" ..." if len(exact) > FEW else "")
        raise RecordError(f"{path}: {len(exact):,} games have an id that begins with {name!r}: {few}")
    return exact[0]


class Store:
    """A complete store, open for reading."""

    def __init__(self, path: str | Path) -> None:
        if not str(path):
            raise RecordError("the store has no name: give the folder that suzaku data import made")
        self.path = Path(path)
        try:
            name = SUMMARY if (self.path / SUMMARY).exists() else OLD_SUMMARY
            self.summary = json.loads((self.path / name).read_bytes())
            version = self.summary["version"]
        except FileNotFoundError:
            if any(self.path.glob("part-*.parquet")):
                raise RecordError(
                    f"{path}: the import into this store was interrupted; the same import command will finish it"
                ) from None
            raise RecordError(f"{path} is not a store of games: it has no {SUMMARY}") from None
        except (ValueError, KeyError, TypeError, OSError):
            raise RecordError(f"{path}: {SUMMARY} cannot be read") from None
        if version not in READABLE:
            raise RecordError(f"{path}: the store is of version {version}; this program reads up to version {VERSION}")
        self.parts = [self.path / part_name(number) for number in range(self.summary["parts"])]

    def __len__(self) -> int:
        return self.summary["games"]

    def __str__(self) -> str:
        return str(self.path)

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.path.name

    def read_groups(self, columns: list[str] | None = None) -> Iterator[tuple[int, int, list[dict[str, Any]]]]:
        """All row groups: part, group and rows."""
        for number, group in self.groups():
            yield number, group, self.read_group(number, group, columns)

    def groups(self) -> list[tuple[int, int]]:
        """The parts and row groups there are."""
        return [(n, group) for n in range(len(self.parts)) for group in range(self._open(n).num_row_groups)]

    def _open(self, number: int) -> pq.ParquetFile:
        try:
            return pq.ParquetFile(self.parts[number])
        except (OSError, pa.ArrowException) as error:
            raise RecordError(f"{self.parts[number]}: the part cannot be read ({error})") from None

    def read_group(self, number: int, group: int, columns: list[str] | None = None) -> list[dict[str, Any]]:
        """The rows of one row group."""
        with self._open(number) as file:
            return file.read_row_group(group, columns=columns).to_pylist()

    def games(self, filters: Filters | None = None, split: str = "") -> Iterator[Stored]:
        """The games of the store, in order."""
        for number, group in self.groups():
            yield from select(map(to_game, self.read_group(number, group)), filters, split)

    def has_games_of(self, game: str) -> bool:
        """Whether there is a game of this game (riichi ...)."""
        return any(row.get("game", "riichi") == game for _, _, rows in self.read_groups(["id", "game"]) for row in rows)

    def said(self) -> str:
        """How many games there are, and the ids of a few."""
        ids = (row["id"] for _, _, rows in self.read_groups(["id"]) for row in rows)
        few = ", ".join(itertools.islice(ids, FEW))
        return some(len(self), "game") + (f" ({few}{' ...' if len(self) > FEW else ''})" if few else "")

    def find(self, name: str) -> Stored:
        """The game with this id, or with an id that begins so."""
        found = []
        for number, group, rows in self.read_groups(["id"]):
            found += [(row["id"], number, group, i) for i, row in enumerate(rows) if row["id"].startswith(name)]
        if not found:
            raise RecordError(f"{self.path}: no game has an id that begins with {name!r}")
        id = only([entry[0] for entry in found], name, self.path)
        _, number, group, i = next(entry for entry in found if entry[0] == id)
        return to_game(self.read_group(number, group)[i])


class Joined(Store):
    """Several stores, read as one."""

    def __init__(self, paths: Sequence[str | Path]) -> None:
        stores = [Store(path) for path in paths]
        self.path, self.summary = stores[0].path, {"games": sum(map(len, stores))}
        self.parts = [part for store in stores for part in store.parts]
        self._stores = stores

    def __str__(self) -> str:
        return " + ".join(map(str, self._stores))

    @property
    def name(self) -> str:
        """The names of their folders."""
        return " + ".join(store.name for store in self._stores)


def select(games: Iterable[Stored], filters: Filters | None, split: str) -> Iterator[Stored]:
    """The games that pass the filters and belong to the split, if one is named."""
    for game in games:
        if (not split or game.split == split) and (filters is None or not filters.reason(game)):
            yield game


SAME = ["id", "content"]  # a game is the same one if either is


class Unseen(Store):
    """A store without the games that another one has for training or validation."""

    def __init__(self, path: str | Path, trained: str | Path | Store) -> None:
        """Open the store at `path`; `trained` is the one that was learnt from."""
        super().__init__(path)
        self.trained = trained if isinstance(trained, Store) else Store(trained)
        self._seen: set[str] = set()
        for _, _, rows in self.trained.read_groups(SAME):
            for row in rows:
                if split_of(row["id"]) != "test":
                    self._seen.update(_names(row))
        found = [self._is_seen(row) for _, _, rows in Store(path).read_groups(SAME) for row in rows]
        self.left_out = sum(found)
        if found and self.left_out == len(found):
            raise ValueError(
                f"{path} cannot be the test: all its games are among the training and validation games of {trained}"
            )

    def read_group(self, number: int, group: int, columns: list[str] | None = None) -> list[dict[str, Any]]:
        """The rows of one row group, without those of games that were seen."""
        wanted = None if columns is None else list(dict.fromkeys([*columns, *SAME]))
        return [row for row in super().read_group(number, group, wanted) if not self._is_seen(row)]

    def said(self) -> str:
        """What is left out, in a sentence; nothing if all games stay."""
        if not self.left_out:
            return ""
        return (
            f"{self.path} shares {some(self.left_out, 'game')} with the training and validation games of "
            f"{self.trained}: left out of the test, which keeps {some(len(self), 'game')}."
        )

    def _is_seen(self, row: dict[str, Any]) -> bool:
        return not self._seen.isdisjoint(_names(row))

    def __len__(self) -> int:
        return super().__len__() - self.left_out


def _names(row: dict[str, Any]) -> list[str]:
    content = row.get("content")  # the first version of the store had none
    return [row["id"], f"content {content}"] if content else [row["id"]]
