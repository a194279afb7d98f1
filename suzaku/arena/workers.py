"""Who plays the games: this process, some processes of this machine, or a Ray cluster. The games are the same."""

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Protocol

from suzaku.agents.agent import Agent
from suzaku.agents.mjai.process import Limits
from suzaku.arena.match import Match
from suzaku.arena.table_worker import Reply, TableWorker
from suzaku.processes import end_with_parent

PATIENCE = 5.0  # seconds a worker has to let its agents go
LOST = "a worker process was ended from outside (out of memory?); with --out, the same command goes on from there"


class Workers(Protocol):
    """Some workers with a table worker each."""

    count: int

    def give(self, worker: int, numbers: list[int]) -> None:
        """Let a worker take on these games and play for a while."""

    def next(self) -> tuple[int, Reply]:
        """Wait for a worker that has played for a while."""

    def close(self) -> None:
        """Send the workers home."""


class Here:
    """This process alone."""

    count = 1

    def __init__(
        self, match: Match, tables: int, agents: dict[str, Agent] | None = None, limits: Limits | None = None
    ) -> None:
        self._table_worker = TableWorker(match, tables, agents, limits)
        self._numbers: list[int] = []

    def give(self, worker: int, numbers: list[int]) -> None:
        """Note what to play next."""
        self._numbers = numbers

    def next(self) -> tuple[int, Reply]:
        """Play for a while."""
        return 0, self._table_worker.advance(self._numbers)

    def close(self) -> None:
        """Let the agents go."""
        self._table_worker.close()


_table_worker: TableWorker  # of a worker process


def _start(match: Match, tables: int, limits: Limits | None) -> None:
    """In a worker process: open its table worker. Ctrl-C is the parent's business."""
    global _table_worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    _table_worker = TableWorker(match, tables, limits=limits)


def _advance(numbers: list[int]) -> Reply:
    return _table_worker.advance(numbers)


def _close() -> None:
    _table_worker.close()


class Processes:
    """Worker processes; each has an executor of its own, since its tables stay with it."""

    def __init__(self, match: Match, tables: int, workers: int, limits: Limits | None = None) -> None:
        self.count = workers
        spawn = multiprocessing.get_context("spawn")
        threads = str(max(1, (os.cpu_count() or 1) // workers))
        before = os.environ.get("OMP_NUM_THREADS")
        os.environ.setdefault("OMP_NUM_THREADS", threads)  # or every worker's network would take all cores
        try:
            self._pools = [ProcessPoolExecutor(1, spawn, _start, (match, tables, limits)) for _ in range(workers)]
            for future in [pool.submit(os.getpid) for pool in self._pools]:
                future.result()
        except BaseException as error:
            self.close()  # the others have started, or still do
            if isinstance(error, BrokenProcessPool):
                raise ValueError("a worker process could not start; the sentence above says why") from None
            raise
        finally:
            if before is None:
                del os.environ["OMP_NUM_THREADS"]
        self._futures: dict[Future[Reply], int] = {}

    def give(self, worker: int, numbers: list[int]) -> None:
        """Send games to a worker."""
        try:
            self._futures[self._pools[worker].submit(_advance, numbers)] = worker
        except BrokenProcessPool:
            raise ValueError(LOST) from None

    def next(self) -> tuple[int, Reply]:
        """The next reply."""
        done, _ = wait(self._futures, return_when=FIRST_COMPLETED)
        future = done.pop()
        try:
            return self._futures.pop(future), future.result()
        except BrokenProcessPool:
            raise ValueError(LOST) from None

    def close(self) -> None:
        """End the worker processes, also those that wait for a program that does not answer."""
        closing = []
        for pool in self._pools:
            with contextlib.suppress(BrokenProcessPool):
                closing.append(pool.submit(_close))
        wait(closing, PATIENCE)
        for pool in self._pools:
            processes = list((pool._processes or {}).values())
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()


class Ray:
    """Workers in a Ray cluster, or in a local one if none is running."""

    def __init__(self, match: Match, tables: int, limits: Limits | None = None) -> None:
        try:
            import ray
        except ImportError:
            raise ValueError("--ray needs Ray: pip install 'suzaku[ray]'") from None
        self._ray = ray
        self._started = not ray.is_initialized()
        if self._started:
            ray.init(include_dashboard=False)  # what the workers say, such as who is waited for, shows here
        self.count = int(ray.available_resources().get("CPU", 0))
        if not self.count:  # a worker without a core would never begin
            raise ValueError("the Ray cluster has no free core: end what runs there, or add a node")
        actor: Callable[..., Any] = ray.remote(num_cpus=1)(TableWorker).remote
        self._table_workers = [actor(match, tables, limits=limits) for _ in range(self.count)]
        self._pending: dict[Any, int] = {}

    def give(self, worker: int, numbers: list[int]) -> None:
        """Send games to a worker."""
        self._pending[self._table_workers[worker].advance.remote(numbers)] = worker

    def next(self) -> tuple[int, Reply]:
        """The next reply."""
        done, _ = self._ray.wait(list(self._pending), num_returns=1)
        try:
            return self._pending.pop(done[0]), self._ray.get(done[0])
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from None
        except self._ray.exceptions.RayActorError:
            raise ValueError(LOST) from None

    def close(self) -> None:
        """End the workers; a cluster, and a connection to it, that was there before stays."""
        self._ray.wait(
            [worker.close.remote() for worker in self._table_workers], num_returns=self.count, timeout=PATIENCE
        )
        for worker in self._table_workers:
            self._ray.kill(worker)
        if self._started:
            self._ray.shutdown()
