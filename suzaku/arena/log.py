"""The games of a match as they come in, in memory and in a folder from which an interrupted match goes on.

- Saved games are always in a store, which the library lists; records in a format stand beside it.
"""

import json
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from suzaku.arena.match import STORE, Match
from suzaku.arena.table_worker import Clock, file_name
from suzaku.records.store import part_name, write_part, write_summary, write_table
from suzaku.records.stored import Stored
from suzaku.system import write_whole, writing

SETTINGS, GAMES, CLOCKS, SAVED = "match.json", "games.bin", "clocks.json", "games"
STORED = "store"  # of a match whose saved games are records in a format
IDENTITIES = "identities"  # a key of the settings
BEFORE = {"game": "riichi", "rules": "tenhou"}  # what was played before the settings told
VERSION = 1


class Log:
    """All finished games of a match, by number."""

    def __init__(self, match: Match, folder: Path | None = None, identities: dict[str, str] | None = None) -> None:
        """Open the log; `identities` (by agent, see agents/identity.py) must be those of the games in the folder."""
        self.match, self.folder, self.identities = match, folder, identities
        self.notice = ""  # a sentence for the user
        self.rows = np.zeros(64 * match.turns, match.row)
        self.done = np.zeros(len(self.rows), np.bool_)
        self.whole = 0  # so many deals from the first on are wholly played
        self.clocks: dict[str, Clock] = {}  # of earlier runs
        self._parts = 0  # of the store that the games are kept in
        self._held = ExitStack()
        if folder is not None:
            self.store = folder / (SAVED if match.save == STORE else STORED)
            folder.mkdir(parents=True, exist_ok=True)
            self._held.enter_context(writing(folder))
            try:
                self._open(folder)
            except BaseException:
                self._held.close()
                raise

    @property
    def games(self) -> int:
        """Finished games."""
        return int(self.done.sum())

    def finished(self, games: int) -> int:
        """How many of the first games are finished."""
        return int(self.done[:games].sum())

    def missing(self, numbers: np.ndarray) -> np.ndarray:
        """Those of these games that are not finished."""
        known = numbers < len(self.done)
        return numbers[~(known & self.done[np.where(known, numbers, 0)])]

    def add(self, rows: np.ndarray, texts: list[tuple[int, bytes]], stored: Sequence[Stored] = ()) -> None:
        """Keep finished games; a saved record is written before its row, so that none is missing after an interrupt."""
        if self.folder is not None:
            if stored:
                write_part(self.store / part_name(self._parts), list(stored), {})
                self._parts += 1
            for number, text in texts:
                write_whole(self.folder / SAVED / file_name(self.match, number), text)
            with open(self.folder / GAMES, "ab") as stream:
                stream.write(rows.tobytes())
        self._take(rows)

    def deals(self, first: int, last: int) -> np.ndarray:
        """Rows [deals, turns]: the deals from `first` up to `last`, as far as all before are wholly played.

        Deals that are finished out of turn wait: they are those with short games, and would slant the figures.
        """
        return self.rows.reshape(-1, self.match.turns)[first : min(last, self.whole)]

    def close(self, clocks: dict[str, Clock]) -> None:
        """Write down the times and give the folder free."""
        if self.folder is not None:
            text = json.dumps({name: asdict(clock) for name, clock in clocks.items()}, indent=2)
            write_whole(self.folder / CLOCKS, text.encode() + b"\n")
            if self.match.save:
                self._write_summary()
        self._held.close()

    def _take(self, rows: np.ndarray) -> None:
        numbers = rows["number"]
        while len(numbers) and numbers.max() >= len(self.rows):
            self.rows = np.concatenate([self.rows, np.zeros_like(self.rows)])
            self.done = np.concatenate([self.done, np.zeros_like(self.done)])
        self.rows[numbers] = rows
        self.done[numbers] = True
        by_deal = self.done.reshape(-1, self.match.turns)
        while self.whole < len(by_deal) and by_deal[self.whole].all():
            self.whole += 1

    def _open(self, folder: Path) -> None:
        """Take what was played before, if it was the same match."""
        settings = {"version": VERSION, **self.match.to_json()}
        path = folder / SETTINGS
        if path.exists():
            found = {**BEFORE, **_read(path)}
            for key, value in settings.items():
                if found.get(key) != value:
                    raise ValueError(
                        f"{folder} holds another match ({key} {found.get(key)!r}, not {value!r}): give another folder"
                    )
            self._compare(path, found)
        elif any(not entry.name.startswith(".") for entry in folder.iterdir()):
            raise ValueError(f"{folder} holds something else than a match: give a new folder")
        else:
            self._write_settings(path, settings)
        if (folder / GAMES).exists():
            text, size = (folder / GAMES).read_bytes(), self.match.row.itemsize
            text = text[: len(text) // size * size]  # the last row may be half-written
            rows = np.frombuffer(text, self.match.row)
            if len(rows) and rows["number"].min() < 0:
                raise ValueError(f"{folder / GAMES} is damaged: give another folder")
            write_whole(folder / GAMES, text)
            self._take(rows)
        if (folder / CLOCKS).exists():
            self.clocks = {name: Clock(**values) for name, values in _read(folder / CLOCKS).items()}
        if self.match.save:
            (folder / SAVED).mkdir(exist_ok=True)
            self.store.mkdir(exist_ok=True)
            self._open_store()

    def _open_store(self) -> None:
        """Count the parts; games of the last one that have no row yet will be played again, and are taken out."""
        while (self.store / part_name(self._parts)).exists():
            self._parts += 1
        if not self._parts:
            return
        last = self.store / part_name(self._parts - 1)
        table = pq.read_table(last)
        numbers = np.array([int(name.rpartition("-")[2]) for name in table["id"].to_pylist()])
        stays = ~np.isin(numbers, self.missing(numbers))
        if not stays.any():
            last.unlink()
            self._parts -= 1
        elif not stays.all():
            write_table(last, table.filter(stays))

    def _write_summary(self) -> None:
        """Make the parts a store."""
        rounds = int(self.rows["hands"]["hands"][self.done, 0].sum())
        games = sum(pq.read_metadata(self.store / part_name(part)).num_rows for part in range(self._parts))
        write_summary(self.store, self._parts, games, rounds)

    def _compare(self, path: Path, found: dict) -> None:
        """Refuse agents that are not those of the games in the folder, though they are called so."""
        if self.identities is None:
            return
        known = found.get(IDENTITIES)
        if not isinstance(known, dict):  # a folder of a version that did not write them down
            self.notice = (
                f"{path} does not say which weights played its games: it goes on with the present ones and notes them"
            )
            self._write_settings(path, found)
            return
        for agent, now in self.identities.items():
            if known.get(agent, "") != now:
                raise ValueError(
                    f"{path.parent} was played by another {agent} ({known.get(agent) or 'nothing to tell it by'}, "
                    f"not {now or 'nothing to tell it by'}): give another folder"
                )

    def _write_settings(self, path: Path, settings: dict) -> None:
        if self.identities is not None:
            settings = {**settings, IDENTITIES: self.identities}
        write_whole(path, (json.dumps(settings, indent=2) + "\n").encode())


def _read(path: Path) -> dict:
    try:
        found = json.loads(path.read_bytes())
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise ValueError(f"{path} cannot be read: give another folder")
    return found
