"""Games of one agent against itself, as records to learn from."""

from collections.abc import Callable
from itertools import islice
from pathlib import Path

from suzaku.arena.match import Match
from suzaku.arena.save import file_name
from suzaku.arena.workers import Here
from suzaku.files import write_whole

TABLES = 256


def play_records(agent: str, games: int, seed: int, folder: Path, tell: Callable[[int], None]) -> None:
    """Play games of four times the same agent into mjlog files; those that are there already are not played again.

    Each deal is played once: with four equal players, other seats would bring the same game again.
    """
    match = Match((agent,) * 4, "4way", seed, save="mjlog")
    folder.mkdir(parents=True, exist_ok=True)
    numbers = range(0, games * match.turns, match.turns)
    left = [number for number in numbers if not (folder / file_name(match, number)).exists()]
    done = games - len(left)
    tell(done)
    waiting = iter(left)
    workers = Here(match, TABLES)
    try:
        workers.give(0, [])
        while True:
            _, reply = workers.next()
            for number, text in reply.texts:
                write_whole(folder / file_name(match, number), text)
            done += len(reply.texts)
            tell(done)
            more = list(islice(waiting, reply.wanted))
            if not more and not reply.open:
                return
            workers.give(0, more)
    finally:
        workers.close()
