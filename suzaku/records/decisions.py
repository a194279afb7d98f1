"""Reading a store for learning: batches of tables at a decision, replayed by the engine on the fly.

- `Decisions` are columns: what learning, reviews and self-play take from replayed games.
- Reading a store for learning: batches of tables at a decision, replayed by the engine on the fly.
"""

import queue
import threading
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from suzaku.kernel import kernel
from suzaku.records.players import EVERYONE as EVERY_PLAYER
from suzaku.records.players import Teachers
from suzaku.records.store import Filters, Store, select, to_game
from suzaku.records.stored import SPLITS, Stored, illegal, table_at_start
from suzaku.table.game import Game, game_named
from suzaku.table.kernels import EVERYONE


@dataclass
class Decisions:
    """Some decisions: a row of every column is one."""

    records: np.ndarray  # the game's record [n]: the table as it was, everything included
    legal: np.ndarray  # bool[n, actions]
    action: np.ndarray  # uint8[n]: what was done
    types: np.ndarray  # uint8[n]: bits of the game's types of decisions
    walls_known: np.ndarray  # bool[n]: False where the wall holds tiles that were filled in
    log_prob: np.ndarray  # float32[n]: of the action under the policy that chose it (self-play); NaN where not known
    version: np.ndarray  # int32[n]: of that policy's weights; -1 where not known
    at: np.ndarray  # int32[n]: which action of its game it is

    @classmethod
    def room(cls, game: Game, n: int) -> "Decisions":
        """Room for n decisions of a game."""
        legal = np.empty((n, game.actions), np.bool_)
        types = np.uint8, np.uint8, np.bool_, np.float32, np.int32, np.int32
        return cls(np.empty(n, game.record), legal, *(np.empty(n, each) for each in types))

    def __len__(self) -> int:
        return len(self.action)

    @property
    def seat(self) -> np.ndarray:
        """int8[n]: who decided."""
        return self.records["seat"]

    def columns(self) -> tuple[np.ndarray, ...]:
        """In the order of the kernels."""
        return tuple(getattr(self, one.name) for one in fields(Decisions))

    def put(self, places: np.ndarray, other: "Decisions", rows: np.ndarray) -> None:
        """Copy rows of other decisions to places of these."""
        _copy_rows(places, self.columns(), rows, other.columns())

    def take(self, rows: np.ndarray) -> "Decisions":
        """A copy of some of them."""
        out = Decisions(*(np.empty((len(rows), *column.shape[1:]), column.dtype) for column in self.columns()))
        out.put(np.arange(len(rows)), self, rows)
        return out


@kernel
def _copy_rows(to, columns, source, old):
    """Copy the rows `source` of some columns to the rows `to` of others."""
    records, legal, taken, types, known, log_prob, version, at = columns
    old_records, old_legal, old_taken, old_types, old_known, old_log_prob, old_version, old_at = old
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
        at[a] = old_at[b]


# Games come in random order and their decisions pass through a shuffle buffer: new decisions take random places in it
# and send on those that were there. So a batch mixes many games, and memory stays bounded by the buffer.

MOST = 4096  # decisions of a game for which memory is used again: to take it anew costs 8 % of the time
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
) -> Iterator[Decisions]:
    """Go once through the decisions in a store's games of one game.

    `types` are those of the game (all by default; Riichi's are in `riichi/legal.py`); `shuffle` is a seed, or
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


def replay_decisions(stored: Stored, mask: int, one_player: bool = False, room: Decisions | None = None) -> Decisions:
    """A game's decisions of the types in the mask; where `room` is large enough, they are views of it."""
    follow = zlib.crc32(stored.id.encode()) * 0x9E3779B1 >> 1 & 2**62 - 1 if one_player else EVERYONE
    game = game_named(stored.game)
    if room is None or len(room) < len(stored.actions):
        room = Decisions.room(game, len(stored.actions))
    n = game.collect(
        game.tables(),
        table_at_start(stored)[0],
        stored.walls,
        stored.actions,
        mask,
        follow,
        room.records,
        room.legal,
        room.action,
        room.types,
        room.at,
    )
    if n < 0:
        raise illegal(stored)
    found = Decisions(*(column[:n] for column in room.columns()))
    found.walls_known[:] = stored.walls_known
    found.log_prob[:], found.version[:] = np.nan, -1
    if stored.log_prob is not None and stored.versions is not None:
        found.log_prob[:] = stored.log_prob[found.at]
        found.version[:] = np.array(stored.versions)[found.seat]
    return found


def decisions_of(
    games: Iterable[Stored],
    types: str | list[str] | None = None,
    shuffle: int | None = None,
    *,
    batch: int = 1024,
    buffer: int = 32768,
    game: str = "riichi",
) -> Iterator[Decisions]:
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
) -> Iterator[Decisions]:
    """Fill the buffer; from then on every batch of new decisions takes the places of a batch that leaves."""
    rng = np.random.default_rng([shuffle or 0, 3])
    size = buffer if shuffle is not None else batch
    held, room = Decisions.room(game, size), Decisions.room(game, MOST)
    filled = 0
    places = np.empty(0, np.int64)  # of the batch that left last: those that no new decision has taken yet
    for stored in games:
        if stored.game != game.name:
            raise ValueError(f"game {stored.id} is of {stored.game}, and decisions of {game.name} are wanted")
        seats = teachers.seats(stored)
        if not seats:
            continue
        new = replay_decisions(stored, mask, one_player, room)
        rows = np.arange(len(new))
        if len(seats) < len(stored.players):
            rows = rows[np.isin(new.seat, seats)]
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


def _in_threads(streams: list[Iterator[Decisions]]) -> Iterator[Decisions]:
    """The batches of all streams in turn, each stream produced by a thread of its own."""
    queues: list[queue.Queue[Decisions | BaseException | None]] = [queue.Queue(AHEAD) for _ in streams]
    stop = threading.Event()

    def hand_over(item: Decisions | BaseException | None, out: "queue.Queue[Decisions | BaseException | None]") -> bool:
        while not stop.is_set():
            try:
                out.put(item, timeout=0.2)
                return True
            except queue.Full:
                continue
        return False

    def run(stream: Iterator[Decisions], out: "queue.Queue[Decisions | BaseException | None]") -> None:
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
