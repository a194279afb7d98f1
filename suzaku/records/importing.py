"""Importing records into a store: in parallel over files, in parts, resumed after an interrupt.

- What is done with one input text, in a worker process: read it, play it through the engine, keep or report it.
- Worker processes that read records; with few records or one worker, this process itself.
- Importing records into a store: in parallel over files, in parts, to be resumed after an interrupt.
"""

import hashlib
import itertools
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Generic

import numpy as np
import pyarrow.parquet as pq

from suzaku.records.formats import is_mcr, read_games
from suzaku.records.sources import Item, find_files, read_items
from suzaku.records.store import (
    INPUTS,
    PROBLEMS,
    SUMMARY,
    VERSION,
    Filters,
    part_name,
    write_part,
    write_summary,
    write_table,
)
from suzaku.records.stored import Stored, to_stored
from suzaku.records.types import UNREADABLE, RecordError, SkippedError
from suzaku.records.verify import replay_game
from suzaku.riichi.game import GAME
from suzaku.system import why_not, writing
from suzaku.workers import Each, Workers
from suzaku.workers.processes import processes
from suzaku.workers.workers import B


@dataclass
class Outcome:
    """What came of one text."""

    name: str
    games: list[Stored] = field(default_factory=list)
    bad: list[str] = field(default_factory=list)  # sentences: it cannot be read, or the engine disagrees
    skipped: list[str] = field(default_factory=list)  # sentences: sound, but not kept
    found: int = 0  # games that were read
    rounds: int = 0
    actions: int = 0
    divergences: list[str] = field(default_factory=list)  # in full, with the board


def import_item(item: Item) -> Outcome:
    """Read and play a text."""
    outcome = Outcome(item.name)
    if item.error:
        outcome.bad.append(item.error)
        return outcome
    try:
        if is_mcr(item.text):
            return _import_mcr(item, outcome)
        games = read_games(item.text, item.name)
    except RecordError as error:
        outcome.bad.append(str(error))
        return outcome
    except SkippedError as error:
        outcome.skipped.append(str(error))
        return outcome
    for game in games:
        try:
            replayed = replay_game(game)
        except UNREADABLE:
            outcome.bad.append("the record has numbers that no game has")
            continue
        outcome.found += 1
        outcome.rounds += len(game.rounds)
        outcome.actions += sum(len(actions) for actions in replayed.actions)
        if replayed.divergence is None:
            outcome.games.append(to_stored(game, replayed))
        else:
            text = str(replayed.divergence)
            outcome.divergences.append(text)
            outcome.bad.append(
                "the record and the rules disagree: " + text.splitlines()[0].removeprefix(f"{item.name}: ")
            )
    return outcome


def _import_mcr(item: Item, outcome: Outcome) -> Outcome:
    """Read and play matches of MCR."""
    from suzaku.records.botzone import read_matches
    from suzaku.records.botzone_replay import replay_recorded  # Riichi needs none of its kernels

    for game in read_matches(item.text, item.name):
        replayed = replay_recorded(game)
        outcome.found += 1
        outcome.rounds += 1
        outcome.actions += replayed.actions
        if replayed.stored is not None:
            outcome.games.append(replayed.stored)
        else:
            outcome.divergences.append(replayed.divergence)
            first = replayed.divergence.splitlines()[0].removeprefix(f"{item.name}: ")
            outcome.bad.append(f"the record and the rules disagree: {first}")
    return outcome


def verify_item(item: Item) -> Outcome:
    """Read and play a text; the games themselves are not handed back."""
    outcome = import_item(item)
    outcome.games = []
    return outcome


CHUNK = 16  # records handed to a worker at a time
FEW = 64  # fewer are done here: workers take longer to start


class Pool(Generic[B]):
    """Maps a function over records."""

    def __init__(self, function: Callable[[Item], B], count: int) -> None:
        self.function, self.count = function, count
        self.workers: Workers[list[Item], list[B]] | None = None  # started when there is enough to do

    def __enter__(self) -> "Pool[B]":
        return self

    def __exit__(self, *_: object) -> None:
        if self.workers:
            self.workers.close()

    def map(self, items: Iterable[Item]) -> Iterator[B]:
        """The results in the order of the items."""
        items = iter(items)
        if self.count > 1 and self.workers is None:
            head = list(itertools.islice(items, FEW))
            items = itertools.chain(head, items)
            if len(head) == FEW:
                self.workers = processes(
                    Each(self.function), self.count, resume="The same command goes on.", describe=_names
                )
        if self.workers is None:
            yield from map(self.function, items)
            return
        chunks = iter(lambda: list(itertools.islice(items, CHUNK)), [])
        for results in self.workers.map(chunks):
            yield from results


def _names(items: list[Item]) -> str:
    return f"the records from {items[0].name} to {items[-1].name}"


PART = 512  # input files a part of the store: what an interrupt may cost
PART_BYTES = 64 << 20  # of their texts, which are in memory at the same time; 512 games take 14 to 36 MB
AGAIN = "the game was read before"
REPLACED = "another record of the game knows its whole wall"


@dataclass
class Report:
    """What an import did."""

    games: int = 0
    rounds: int = 0
    parts: int = 0
    resumed: int = 0  # parts that were there already
    bad: list[tuple[str, str]] = field(default_factory=list)  # name and sentence
    skipped: list[tuple[str, str]] = field(default_factory=list)


Row = tuple[str, str]  # id and source


class _Kept:
    """The games that are in the store, and in which parts."""

    def __init__(self) -> None:
        self.games: dict[str, tuple[bool, int, Row]] = {}  # by id and by content: whether the wall is known, part, row
        self.replaced: defaultdict[int, set[Row]] = defaultdict(set)  # by part: rows of which a later record is kept

    def add(self, row: "Row", content: str, part: int, walls_known: bool) -> bool:
        """Note a record; whether it is kept: the first of its game, or the first with the whole wall."""
        names = (row[0], f"content {content}")
        old = [self.games[name] for name in names if name in self.games]
        if any(old_known or not walls_known for old_known, _, _ in old):
            return False
        for _, old_part, old_row in old:
            self.replaced[old_part].add(old_row)
        self.games.update(dict.fromkeys(names, (walls_known, part, row)))
        return True


def import_records(
    inputs: list[str],
    out: str | Path,
    filters: Filters | None = None,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
    part: int = PART,
) -> Report:
    """Import all records of the inputs into the store `out`; a part at a time, each whole or not there.

    The same inputs and filters give the same bytes, whatever the number of workers. Of several records of a game the
    first that knows the whole wall is kept, or else the first. `progress` is told how many texts are done and how many
    games were found. If there are none, no store is left.
    """
    filters = filters or Filters()
    files = find_files(inputs)
    folder = check_folder(out)
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    with writing(folder):
        try:
            report = _import(files, folder, filters, workers, progress, part)
        except OSError as error:
            raise RecordError(f"{out}: {why_not(error)}") from None
    if is_new and not report.games:
        folder.rmdir()
    return report


def _import(
    files: list[Path],
    folder: Path,
    filters: Filters,
    workers: int,
    progress: Callable[[int, int], None] | None,
    part: int,
) -> Report:
    for rest in folder.glob(".*.tmp"):
        rest.unlink()
    report = Report()
    key = hashlib.sha256(json.dumps([VERSION, asdict(filters), part]).encode())
    kept = _Kept()
    done = 0
    with Pool(import_item, workers) as pool:
        for items in _parts(read_items(files), part):
            for item in items:
                key.update(json.dumps([item.name, item.error]).encode() + hashlib.sha256(item.text).digest())
            path = folder / part_name(report.parts)
            if path.exists():
                _take_over(path, key.hexdigest(), report, kept)
                done += len(items)
            else:
                outcomes: list[Outcome] = []
                for outcome in pool.map(items):
                    outcomes.append(outcome)
                    done += 1
                    if progress:
                        progress(done, report.games + sum(len(o.games) for o in outcomes))
                _write(path, outcomes, filters, key.hexdigest(), report, kept)
            report.parts += 1
            if progress:
                progress(done, report.games)
    if (folder / part_name(report.parts)).exists():
        raise RecordError(f"{folder}: the store was made from other inputs; choose another folder")
    _drop_replaced(folder, kept, report)
    if not report.games:
        for number in range(report.parts):
            (folder / part_name(number)).unlink()
        return report
    told = {"filters": asdict(filters), "bad": len(report.bad), "skipped": len(report.skipped)}
    write_summary(folder, report.parts, report.games, report.rounds, **told)
    return report


def check_folder(out: str | Path) -> Path:
    """The folder of a store, if it is one or can become one."""
    if not str(out):
        raise RecordError("the store has no name: give a folder with --out")
    folder = Path(out)
    if folder.exists() and not folder.is_dir():
        raise RecordError(f"{out}: the store must be a folder, and this is a file")
    inside = folder.iterdir() if folder.exists() else []
    strangers = [path.name for path in inside if not path.name.startswith((".", "part-")) and path.name != SUMMARY]
    if strangers:
        raise RecordError(f"{out}: the folder holds other things than a store, such as {min(strangers)}")
    return folder


def _parts(items: Iterator[Item], size: int) -> Iterator[list[Item]]:
    part: list[Item] = []
    left = PART_BYTES
    for item in items:
        part.append(item)
        left -= len(item.text)
        if len(part) == size or left < 0:
            yield part
            part, left = [], PART_BYTES
    if part:
        yield part


def _take_over(path: Path, key: str, report: Report, kept: _Kept) -> None:
    """Count in a part that an earlier import finished."""
    with pq.ParquetFile(path) as file:
        metadata = file.schema_arrow.metadata
        if metadata.get(INPUTS) != key.encode():
            raise RecordError(f"{path.parent}: the store was made from other inputs or filters; choose another folder")
        rows = file.read(["id", "source", "content", "walls_known", "rounds"]).to_pydict()
    for name, source, content, walls_known, _ in zip(*rows.values(), strict=True):
        kept.add((name, source), content, report.parts, walls_known)
    problems = json.loads(metadata[PROBLEMS])
    report.games += len(rows["id"])
    report.rounds += sum(rows["rounds"])
    report.bad += map(tuple, problems["bad"])
    report.skipped += map(tuple, problems["skipped"])
    report.resumed += 1


def _write(path: Path, outcomes: list[Outcome], filters: Filters, key: str, report: Report, kept: _Kept) -> None:
    games: list[Stored] = []
    bad: list[tuple[str, str]] = []
    skipped: list[tuple[str, str]] = []
    for outcome in outcomes:
        bad += [(outcome.name, text) for text in outcome.bad]
        skipped += [(outcome.name, text) for text in outcome.skipped]
        for game in outcome.games:
            reason = filters.reason(game)
            if not reason and not kept.add((game.id, game.source), game.content, report.parts, game.walls_known):
                reason = AGAIN
            if reason:
                skipped.append((outcome.name, reason))
            else:
                games.append(game)
    problems = json.dumps({"bad": bad, "skipped": skipped})
    write_part(path, games, {INPUTS: key.encode(), PROBLEMS: problems.encode()})
    report.games += len(games)
    report.rounds += sum(len(game.walls) for game in games)
    report.bad += bad
    report.skipped += skipped


def _drop_replaced(folder: Path, kept: _Kept, report: Report) -> None:
    """Take out of the parts the records for which a later one was kept; each part is whole before and after."""
    for part, replaced in sorted(kept.replaced.items()):
        path = folder / part_name(part)
        table = pq.read_table(path)
        rows = table.select(["id", "source", "rounds"]).to_pylist()
        stays = [(row["id"], row["source"]) not in replaced for row in rows]
        gone = [row for row, stay in zip(rows, stays, strict=True) if not stay]
        skipped = [(row["source"], REPLACED) for row in gone]
        problems = json.loads(table.schema.metadata[PROBLEMS])
        problems["skipped"] += skipped
        metadata = {**table.schema.metadata, PROBLEMS: json.dumps(problems).encode()}
        write_table(path, table.filter(stays).replace_schema_metadata(metadata))
        report.games -= len(gone)
        report.rounds -= sum(row["rounds"] for row in gone)
        report.skipped += skipped


def warm_up() -> None:
    """Records."""
    from suzaku.records.replay_events import replay_events
    from suzaku.records.walls import Shuffler
    from suzaku.riichi.game import SITUATION, situations
    from suzaku.table.loops import try_stored

    try_stored(GAME)
    Shuffler("mt19937ar-sha512-n288,1,2,3").next_wall()
    tables, (s,) = GAME.tables(), GAME.new_table(GAME.rules())
    legal, walls = np.zeros(GAME.actions, np.bool_), GAME.walls_of(GAME.rules(), 0, 0, 1)
    hands, events = np.zeros((4, 37), np.int8), np.zeros((0, 4), np.int16)
    replay_events(tables, s, hands, events, True, legal, np.zeros(9, np.uint8))
    situations(tables, s, walls, np.zeros(0, np.uint8), np.zeros(2, SITUATION).view(np.recarray))
