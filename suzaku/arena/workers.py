"""Who plays the games of a match: this process, some processes of this machine, or a Ray cluster.

The games are the same everywhere. A worker that is lost takes its tables with it: the games that it had not finished
are played again by the next.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice

from suzaku.agents.agent import Agent
from suzaku.agents.mjai.process import Limits
from suzaku.arena.match import Match
from suzaku.arena.table_worker import Reply, TableWorker
from suzaku.workers import LOST, Here, Workers
from suzaku.workers import processes as in_processes
from suzaku.workers.ray import Cluster

TableWorkers = Workers[list[int], Reply]  # they are given the numbers of games, and play for a while

RESUME = "With --out, the same command goes on from there."


@dataclass(frozen=True)
class TableSetup:
    """What a table worker is made from."""

    match: Match
    tables: int
    limits: Limits | None = None

    def open(self) -> TableWorker:
        """The table worker; it makes its own agents."""
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
