"""Reading a store for learning: batches of tables at a decision, replayed by the engine on the fly.

- Arrays for some decisions of replayed games.
- Reading a store for learning: batches of tables at a decision, replayed by the engine on the fly.
"""

import queue
import threading
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from suzaku.kernel import kernel
from suzaku.records.players import EVERYONE as EVERY_PLAYER
from suzaku.records.players import Teachers
from suzaku.records.store import Filters, Store, select, to_game
from suzaku.records.stored import SPLITS, Stored, illegal, table_at_start
from suzaku.table.game import EVERYONE, Game, game_named


@dataclass
class Batch:
    """Some decisions."""

    records: np.ndarray  # the game's record [n]: the table as it was, everything included
    seat: np.ndarray  # int8[n]: who decided
    legal: np.ndarray  # bool[n, actions]
    action: np.ndarray  # uint8[n]: what was done
    types: np.ndarray  # uint8[n]: bits of the game's types of decisions
    walls_known: np.ndarray  # bool[n]: False where the wall holds tiles that were filled in
    log_prob: np.ndarray  # float32[n]: of the action under the policy that chose it (self-play); NaN where not known
    version: np.ndarray  # int32[n]: of that policy's weights; -1 where not known

    def __len__(self) -> int:
        return len(self.action)


class Columns:
    """Arrays with room for n decisions."""

    def __init__(self, game: Game, n: int) -> None:
        self.game = game
        self._allocate(n)

    def reserve(self, n: int) -> None:
        """Make room for n decisions, if there is less; what was there is lost then."""
        if n > len(self):
            self._allocate(n)

    def _allocate(self, n: int) -> None:
        game = self.game
        self.records = np.empty(n, game.record)
        self.legal = np.empty((n, game.actions), np.bool_)
        self.action = np.empty(n, np.uint8)
        self.types = np.empty(n, np.uint8)
        self.known = np.empty(n, np.bool_)
        self.log_prob = np.empty(n, np.float32)
        self.version = np.empty(n, np.int32)
        self.at = np.empty(n, np.int32)  # which action of its game it is; not copied

    def __len__(self) -> int:
        return len(self.action)

    def all(self) -> tuple[np.ndarray, ...]:
        """The columns in the order of the kernels."""
        return self.records, self.legal, self.action, self.types, self.known, self.log_prob, self.version

    def put(self, places: np.ndarray, other: "Columns", rows: np.ndarray) -> None:
        """Copy rows of other columns to places of these."""
        _copy_rows(places, self.all(), rows, other.all())

    def take(self, places: np.ndarray) -> Batch:
        """The decisions at these places, as a batch."""
        out = Columns(self.game, len(places))
        out.put(np.arange(len(places)), self, places)
        records, *rest = out.all()
        return Batch(records, records["seat"].copy(), *rest)


@kernel
def _copy_rows(to, columns, source, old):
    """Copy the rows `source` of some columns to the rows `to` of others."""
    records, legal, taken, types, known, log_prob, version = columns
    old_records, old_legal, old_taken, old_types, old_known, old_log_prob, old_version = old
    for i in range(to.shape[0]):
        a = to[i]
        b = source[i]
        records[a] = old_records[b]
        for j in range(legal.shape[1]):
            legal[a, j] = old_legal[b, j]
        taken[a] = old_taken[b]
        types[a] = old_types[b]
        known[a] = old_known[b]
        log_prob[a] = old_log_prob[b]
        version[a] = old_version[b]


# Games come in random order and their decisions pass through a shuffle buffer: new decisions take random places in it
# and send on those that were there. So a batch mixes many games, and memory stays bounded by the buffer.

MOST = 4096  # decisions of a game for which there is room at first
AHEAD = 4  # batches a worker that may wait


def decisions(
    store: str | Path | Store,
    types: str | list[str] | None = None,
    filters: Filters | None = None,
    shuffle: int | None = 0,
    workers: int = 1,
    *,
    split: str = "",
    batch: int = 1024,
    buffer: int = 32768,
    shard: tuple[int, int] = (0, 1),
    one_player: bool = False,
    game: str = "riichi",
    teachers: Teachers = EVERY_PLAYER,
) -> Iterator[Batch]:
    """Go once through the decisions in a store's games of one game.

    `types` are those of the game (all by default; Riichi's are in `riichi/decision_types.py`); `shuffle` is a seed, or
    None for the order of the store; `split` is "train", "validation", "test" or nothing for all. `workers` threads
    replay games, each its own share, and each has a `buffer` of that many tables (1.3 KB each) to shuffle; `shard` =
    (i, n) takes the i-th of n shares, for learners on several machines. `one_player` selects as Gao et al. do: in each
    round one player is followed, and rounds that lose this player over 1,500 points are left out. `teachers` are the
    players whose decisions are wanted. The same arguments give the same batches in the same order. Skipped are forced
    moves and what was done for a player who was away.
    """
    if split and split not in SPLITS:
        raise ValueError(f"split {split!r} is unknown: choose one of {', '.join(SPLITS)}")
    if not 0 <= shard[0] < shard[1]:
        raise ValueError(f"shard must be (i, n) with 0 <= i < n, not {shard}")
    if batch < 1 or buffer < batch or workers < 1:
        raise ValueError("decisions needs batch >= 1, buffer >= batch and workers >= 1")
    store = store if isinstance(store, Store) else Store(store)
    played = game_named(game)
    mask = types_mask(played, types)
    shares = [(shard[0] * workers + i, shard[1] * workers) for i in range(workers)]
    streams = [
        _stream(
            played,
            _games(store, game, filters, split, shuffle, share),
            mask,
            shuffle,
            batch,
            buffer,
            one_player,
            teachers,
        )
        for share in shares
    ]
    if workers == 1:
        return streams[0]
    return _in_threads(streams)


def _games(
    store: Store, game: str, filters: Filters | None, split: str, shuffle: int | None, share: tuple[int, int]
) -> Iterator[Stored]:
    """This share's games; one row group is in memory at a time, and every share goes through all groups."""
    groups = store.groups()
    if shuffle is not None:
        order = np.random.default_rng([shuffle, 1]).permutation(len(groups))
        groups = [groups[i] for i in order]
    count = 0
    for number, group in groups:
        stored = map(to_game, store.read_group(number, group))
        games = [one for one in select(stored, filters, split) if one.game == game]
        if shuffle is not None:
            games = [games[i] for i in np.random.default_rng([shuffle, 2, number, group]).permutation(len(games))]
        for one in games:
            if count % share[1] == share[0]:
                yield one
            count += 1


def replay_decisions(stored: Stored, mask: int, found: Columns, one_player: bool = False) -> int:
    """Fill `found` with a game's decisions of the types in the mask; how many there are."""
    follow = zlib.crc32(stored.id.encode()) * 0x9E3779B1 >> 1 & 2**62 - 1 if one_player else EVERYONE
    game = found.game
    if stored.game != game.name:
        raise ValueError(f"game {stored.id} is of {stored.game}, and decisions of {game.name} are wanted")
    found.reserve(len(stored.actions))
    n = game.collect(
        game.tables(),
        table_at_start(stored)[0],
        stored.walls,
        stored.actions,
        mask,
        follow,
        found.records,
        found.legal,
        found.action,
        found.types,
        found.at,
    )
    if n < 0:
        raise illegal(stored)
    found.known[:n] = stored.walls_known
    found.log_prob[:n], found.version[:n] = np.nan, -1
    if stored.log_prob is not None and stored.versions is not None:
        found.log_prob[:n] = stored.log_prob[found.at[:n]]
        found.version[:n] = np.array(stored.versions)[found.records["seat"][:n]]
    return n


def decisions_of(
    games: Iterable[Stored],
    types: str | list[str] | None = None,
    shuffle: int | None = None,
    *,
    batch: int = 1024,
    buffer: int = 32768,
    game: str = "riichi",
) -> Iterator[Batch]:
    """The decisions of games in memory, such as trajectories of self-play; the arguments are those of `decisions`."""
    played = game_named(game)
    return _stream(played, iter(games), types_mask(played, types), shuffle, batch, buffer, False)


def types_mask(game: Game, types: str | list[str] | tuple[str, ...] | None) -> int:
    """The bits of some types of decisions by name; all of them for None."""
    names = list(game.decision_types) if types is None else [types] if isinstance(types, str) else types
    for name in names:
        if name not in game.decision_types:
            raise ValueError(f"{name!r} is not a type of decision: choose among {', '.join(game.decision_types)}")
    return sum(game.decision_types[name] for name in set(names))


def _stream(
    game: Game,
    games: Iterator[Stored],
    mask: int,
    shuffle: int | None,
    batch: int,
    buffer: int,
    one_player: bool,
    teachers: Teachers = EVERY_PLAYER,
) -> Iterator[Batch]:
    """Fill the buffer; from then on every batch of new decisions takes the places of a batch that leaves."""
    rng = np.random.default_rng([shuffle or 0, 3])
    size = buffer if shuffle is not None else batch
    held = Columns(game, size)
    new = Columns(game, MOST)
    filled = 0
    places = np.empty(0, np.int64)  # of the batch that left last: those that no new decision has taken yet
    for stored in games:
        seats = teachers.seats(stored)
        if not seats:
            continue
        rows = np.arange(replay_decisions(stored, mask, new, one_player))
        if len(seats) < len(stored.players):
            rows = rows[np.isin(new.records["seat"][: len(rows)], seats)]
        at, n = 0, len(rows)
        while at < n:
            if filled < size:
                m = min(n - at, size - filled)
                held.put(np.arange(filled, filled + m), new, rows[at : at + m])
                filled += m
                at += m
                continue
            if not len(places):
                places = rng.choice(size, batch, replace=False) if shuffle is not None else np.arange(batch)
                yield held.take(places)
            m = min(n - at, len(places))
            held.put(places[:m], new, rows[at : at + m])
            places = places[m:]
            at += m
    rest = np.setdiff1d(np.arange(filled), places)
    if shuffle is not None:
        rest = rng.permutation(rest)
    for start in range(0, len(rest), batch):
        yield held.take(rest[start : start + batch])


def _in_threads(streams: list[Iterator[Batch]]) -> Iterator[Batch]:
    """The batches of all streams in turn, each stream produced by a thread of its own."""
    queues: list[queue.Queue[Batch | BaseException | None]] = [queue.Queue(AHEAD) for _ in streams]
    stop = threading.Event()

    def hand_over(item: Batch | BaseException | None, out: "queue.Queue[Batch | BaseException | None]") -> bool:
        while not stop.is_set():
            try:
                out.put(item, timeout=0.2)
                return True
            except queue.Full:
                continue
        return False

    def run(stream: Iterator[Batch], out: "queue.Queue[Batch | BaseException | None]") -> None:
        last: BaseException | None = None
        try:
            for item in stream:
                if not hand_over(item, out):
                    return
        except BaseException as error:  # handed to the reader
            last = error
        hand_over(last, out)

    threads = [threading.Thread(target=run, args=pair, daemon=True) for pair in zip(streams, queues, strict=True)]
    for thread in threads:
        thread.start()
    try:
        waiting = list(queues)
        while waiting:
            for line in list(waiting):
                item = line.get()
                if item is None:
                    waiting.remove(line)
                elif isinstance(item, BaseException):
                    raise item
                else:
                    yield item
    finally:
        stop.set()
        for thread in threads:
            thread.join()
