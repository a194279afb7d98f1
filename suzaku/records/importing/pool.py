"""A pool of worker processes that keeps the order and never runs far ahead; with one worker, this process itself."""

import collections
import itertools
import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from typing import TypeVar

from suzaku.processes import end_with_parent

A = TypeVar("A")
B = TypeVar("B")

CHUNK = 16  # items handed to a worker at a time
AHEAD = 4  # chunks a worker that may wait
FEW = 64  # fewer items are done here: workers take longer to start


def _run(function: Callable[[A], B], items: list[A]) -> list[B]:
    return [function(item) for item in items]


class Pool:
    """Maps functions over items with some worker processes."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._executor: ProcessPoolExecutor | None = None  # started when there is enough to do

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *_: object) -> None:
        if self._executor:
            self._executor.shutdown(cancel_futures=True)

    def map(self, function: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
        """The results in the order of the items."""
        items = iter(items)
        if self.workers > 1 and self._executor is None:
            head = list(itertools.islice(items, FEW))
            items = itertools.chain(head, items)
            if len(head) == FEW:
                spawn = multiprocessing.get_context("spawn")
                self._executor = ProcessPoolExecutor(self.workers, spawn, end_with_parent)
        if self._executor is None:
            yield from map(function, items)
            return
        waiting: collections.deque[Future[list[B]]] = collections.deque()
        chunk: list[A] = []
        for item in items:
            chunk.append(item)
            if len(chunk) == CHUNK:
                waiting.append(self._executor.submit(_run, function, chunk))
                chunk = []
            while len(waiting) >= AHEAD * self.workers:
                yield from waiting.popleft().result()
        if chunk:
            waiting.append(self._executor.submit(_run, function, chunk))
        while waiting:
            yield from waiting.popleft().result()
