"""Worker processes that read records; with few records or one worker, this process itself."""

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Generic

from suzaku.records.importing.sources import Item
from suzaku.workers import Each, Workers
from suzaku.workers.processes import processes
from suzaku.workers.workers import B

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
