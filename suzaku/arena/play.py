"""Playing a match: games out to the workers, results in, until there are enough.

- Who plays the games of a match: this process, some processes of this machine, or a Ray cluster.
- Playing a match: games out to the workers, results in, until there are enough.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np

from suzaku.agents.agent import Agent
from suzaku.agents.mjai.process import Limits
from suzaku.arena.log import Log
from suzaku.arena.match import Match
from suzaku.arena.statistics import count_places, mean_interval, mean_ranks
from suzaku.arena.table_worker import Clock, Reply, TableWorker
from suzaku.workers import LOST, Here, Workers
from suzaku.workers import processes as in_processes
from suzaku.workers.ray import Cluster

# The games are the same everywhere. A worker that is lost takes its tables with it: the games that it had not finished
# are played again by the next.

TableWorkers = Workers[list[int], Reply]  # they are given the numbers of games, and play for a while

RESUME = "With --out, the same command goes on from there."


@dataclass(frozen=True)
class TableSetup:
    """What a table worker is made from."""

    match: Match
    tables: int
    limits: Limits | None = None

    def open(self) -> TableWorker:
        """The table worker. It makes its own agents."""
        return TableWorker(self.match, self.tables, limits=self.limits)


def here(
    match: Match, tables: int, agents: dict[str, Agent] | None = None, limits: Limits | None = None
) -> TableWorkers:
    """This process alone."""
    return Here(TableWorker(match, tables, agents, limits))


def processes(match: Match, tables: int, count: int, limits: Limits | None = None) -> TableWorkers:
    """Some processes of this machine."""
    threads = max(1, (os.cpu_count() or 1) // count)
    return in_processes.processes(TableSetup(match, tables, limits), count, threads, resume=RESUME)


def on_ray(match: Match, tables: int, limits: Limits | None = None) -> TableWorkers:
    """A worker for each free core of a Ray cluster."""
    cluster = Cluster(heard=True)  # such as which bot is waited for
    if not cluster.free:
        cluster.close()
        raise ValueError("the Ray cluster has no free core: end what runs there, or add a node")
    return cluster.workers(TableSetup(match, tables, limits), cluster.free, resume=RESUME)


def hand_out(
    workers: TableWorkers, numbers: Iterator[int], most: Callable[[], int] | None = None
) -> Iterator[tuple[tuple[int, int], Reply]]:
    """Let the workers play the games of these numbers, no more than `most` at a time to one.

    Each reply comes with who gave it: the worker, and how many were lost before in its place.
    """
    given: list[set[int]] = [set() for _ in range(workers.count)]  # games that a worker has not finished
    lives = [0] * workers.count
    for worker in range(workers.count):
        workers.give([], worker)  # it answers how many it wants
    while True:
        worker, _, reply = workers.next()
        if reply is LOST:
            numbers, given[worker] = chain(sorted(given[worker]), numbers), set()
            lives[worker] += 1
            workers.give([], worker)
            continue
        given[worker] -= set(reply.games["number"].tolist())
        yield (worker, lives[worker]), reply
        more = list(islice(numbers, reply.wanted if most is None else min(reply.wanted, most())))
        given[worker].update(more)
        if more or reply.open:
            workers.give(more, worker)
        elif not any(given):
            return


LOOK = 16  # deals between two looks at the interval
LEAST = 32  # deals before the first look: of fewer, the interval itself is uncertain


@dataclass
class Played:
    """What a match has come to."""

    match: Match
    rows: np.ndarray  # [deals, turns]: the deals that count
    clocks: dict[str, Clock]  # by agent, earlier runs included
    seconds: float  # of work of all workers in this run
    rules: float  # of these, in the rules
    new: int  # games played in this run
    complete: bool  # False: interrupted


class Play:
    """A match being played.

    With `until`, the interval is looked at after every 16 deals in their order, and the match ends at the first that
    is narrow enough: the same one, whoever played the games and in which order they came in. Where the log holds more
    deals than the games asked for, all of them count.
    """

    def __init__(self, match: Match, log: Log, games: int, until: float | None = None) -> None:
        self.match, self.log, self.until = match, log, until
        self.deals = max(match.deals_for(games), log.whole)
        self.before = log.games
        self._looked = LEAST - LOOK
        self._enough = False
        self._means = np.zeros((0, len(match.agents)))  # average ranks by deal, of the deals from the first on
        self._replies: dict[tuple[int, int], Reply] = {}  # the last of each worker

    @property
    def total(self) -> int:
        """The games of the match."""
        return self.deals * self.match.turns

    @property
    def finished(self) -> int:
        """How many of them are finished. The log may hold others, of a match that was to be longer."""
        return self.log.finished(self.total)

    def run(self, workers: TableWorkers, tell: Callable[["Play"], None] | None = None) -> Played:
        """Play to the end. Ctrl-C ends it with what was played."""
        complete = True
        try:
            self._run(workers, tell)
        except KeyboardInterrupt:
            complete = False
        finally:
            clocks = self._clocks()
            self.log.close(clocks)
        seconds = sum(reply.seconds for reply in self._replies.values())
        rules = sum(reply.rules for reply in self._replies.values())
        rows = self.log.deals(0, self._looked if self._enough else self.deals)
        return Played(self.match, rows, clocks, seconds, rules, self.log.games - self.before, complete)

    def intervals(self, deals: int) -> list[tuple[str, float, float]]:
        """Name, average rank on the first deals and half of its 95 % interval: of each challenger, or of all."""
        match = self.match
        names = match.names[:-1] if match.one_against_rest else match.names
        means = self._means[:deals]
        return [(name, *mean_interval(means[:, i])) for i, name in enumerate(names) if len(means) > 1]

    def _run(self, workers: TableWorkers, tell: Callable[["Play"], None] | None) -> None:
        self._look()
        for worker, reply in hand_out(
            workers, self._numbers(), lambda: -(-(self.total - self.finished) // workers.count)
        ):
            self._replies[worker] = reply
            if len(reply.games):
                self.log.add(reply.games, reply.texts, reply.stored)
                self._look()
            if tell:
                tell(self)
            if self._enough:
                break

    def _numbers(self) -> Iterator[int]:
        """The games that are still to be played."""
        for deal in range(self.deals):
            numbers = np.arange(deal * self.match.turns, (deal + 1) * self.match.turns)
            yield from self.log.missing(numbers).tolist()

    def _look(self) -> None:
        """Take in new deals, and see whether the interval is narrow enough after one of those that are due."""
        new = self.log.deals(len(self._means), self.log.whole)
        if len(new):
            self._means = np.concatenate([self._means, mean_ranks(count_places(self.match, new))])
        while self.until is not None and not self._enough and self._looked + LOOK <= min(self.log.whole, self.deals):
            self._looked += LOOK
            self._enough = all(half <= self.until for _, _, half in self.intervals(self._looked))

    def _clocks(self) -> dict[str, Clock]:
        """The clocks of all workers and of earlier runs together."""
        out: dict[str, Clock] = {}
        for clocks in [self.log.clocks, *(reply.clocks for reply in self._replies.values())]:
            for name, clock in clocks.items():
                total = out.setdefault(name, Clock())
                total.seconds += clock.seconds
                total.asked += clock.asked
                for key, seconds in clock.parts.items():
                    total.parts[key] = total.parts.get(key, 0) + seconds
                for key, n in clock.faults.items():
                    total.faults[key] = total.faults.get(key, 0) + n
        return out
