"""Self-play: games of an agent against itself, as trajectories to learn from.

A trajectory is a stored game (walls and actions), see `Stored`. It has the version of the weights, and the
log-probability of every action under the policy that chose it. Features are never kept: `decisions_of` replays games.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pyarrow.parquet as pq

from suzaku.agents.agent import Agent
from suzaku.arena.match import STORE, Match
from suzaku.arena.play import TableWorkers, hand_out, here, processes
from suzaku.records.importing import check_folder
from suzaku.records.store import INPUTS, SUMMARY, part_name, write_part, write_summary
from suzaku.records.stored import Stored
from suzaku.records.types import RecordError
from suzaku.system import writing
from suzaku.table.game import game_named

TABLES = 256
PART = 128  # games a part of a store: what an interrupt may cost


def self_play_match(agent: str, seed: int = 0, length: str = "", game: str = "riichi", rules_text: str = "") -> Match:
    """A match of four times the same agent. Each deal is played once, `deal * match.turns` being its number.

    With four equal players, other seats would bring the same game again.
    """
    seats = game_named(game).seats
    return Match((agent,) * seats, f"{seats}way", seed, length, STORE, game, rules_text)


def play_games(numbers: Iterable[int], workers: TableWorkers) -> Iterator[Stored]:
    """The games of these numbers of the workers' match, which is one that keeps a store, each when it is over."""
    for _, reply in hand_out(workers, iter(numbers)):
        yield from reply.stored


def self_play(
    agent: str,
    deals: Iterable[int],
    seed: int = 0,
    *,
    own: Agent | None = None,
    workers: int = 1,
    tables: int = TABLES,
    length: str = "",
    game: str = "riichi",
    rules_text: str = "",
) -> Iterator[Stored]:
    """Trajectories of four times the same agent on some deals, in the order in which the games end.

    `agent` is a name of `suzaku/agents/make.py`. With `own`, an agent at hand plays under that name, and its weights
    may be replaced between two games that come out. Workers are this process, or several processes.
    """
    match = self_play_match(agent, seed, length, game, rules_text)
    if own is not None and workers > 1:
        raise ValueError("an agent at hand plays in this process: workers must be 1")
    made = {agent: own} if own else None
    players = here(match, tables, made) if workers == 1 else processes(match, tables, workers)
    try:
        yield from play_games((deal * match.turns for deal in deals), players)
    finally:
        players.close()


def play_store(
    agent: str, games: int, seed: int, folder: Path, tell: Callable[[int], None], game: str = "riichi"
) -> None:
    """Play the first games of four times the same agent into a store. Parts that stand there are not played again."""
    match = self_play_match(agent, seed, game=game)
    check_folder(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with writing(folder):
        _fill_store(match, games, folder, tell)


def _fill_store(match: Match, games: int, folder: Path, tell: Callable[[int], None]) -> None:
    key = hashlib.sha256(json.dumps(match.to_json()).encode()).hexdigest().encode()
    rounds: dict[int, list[int]] = {}  # of the games of each part
    while (folder / part_name(len(rounds))).exists():
        rounds[len(rounds)] = _read_part(folder / part_name(len(rounds)), key)
    first, wanted = len(rounds), -(-games // PART)
    if rounds and len(rounds[first - 1]) < min(PART, games - (first - 1) * PART):
        first -= 1  # the last part was the end of fewer games
    done = sum(len(rounds[number]) for number in range(first))
    tell(min(done, games))
    if first * PART < games:
        (folder / SUMMARY).unlink(missing_ok=True)  # it is no whole store until all is played
    held: dict[int, list[Stored]] = {}
    for stored in self_play(match.agents[0], range(first * PART, games), match.seed, game=match.game):
        number = int(stored.id.rpartition("-")[2]) // match.turns // PART
        held.setdefault(number, []).append(stored)
        done += 1
        tell(done)
        if len(held[number]) == min(PART, games - number * PART):
            part = sorted(held.pop(number), key=lambda one: int(one.id.rpartition("-")[2]))
            write_part(folder / part_name(number), part, {INPUTS: key})
            rounds[number] = [len(one.walls) for one in part]
    parts = max(wanted, len(rounds))
    write_summary(folder, parts, sum(map(len, rounds.values())), sum(map(sum, rounds.values())))


def _read_part(path: Path, key: bytes) -> list[int]:
    """The rounds of the games of a part that this self-play wrote."""
    try:
        with pq.ParquetFile(path) as file:
            if (file.schema_arrow.metadata or {}).get(INPUTS) != key:
                raise RecordError(f"{path.parent}: the store holds other games; choose another folder")
            return file.read(["rounds"])["rounds"].to_pylist()
    except (OSError, ValueError) as problem:
        if isinstance(problem, RecordError):
            raise
        raise RecordError(f"{path}: the part cannot be read ({problem}); delete it to play its games again") from None
