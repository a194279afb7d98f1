"""Encoded batches for the trainer, made ahead in threads, and auxiliary targets.

- What supervised learning may predict beside the decision: where the opponents' tiles and waits are.
- Encoded batches for the trainer, made ahead in threads so that it never waits for them.
"""

import queue
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from torch import Tensor, nn

from suzaku.features.sparse import SparsePlanes
from suzaku.features.symmetry import KIND_SOURCES
from suzaku.learning.config import Config
from suzaku.learning.sample import Samples
from suzaku.learning.samples import encode, exchange_suits, mixed, sizes, stream
from suzaku.networks.modules import Network
from suzaku.records.players import named, teachers
from suzaku.records.store import Store
from suzaku.tiles import KINDS

# Three planes say which kinds each opponent holds concealed, three which kinds each waits for, from the next seat on.
# The records know both. The head is a 1x1 convolution of what the network's head sees; it is not part of the player.

PLANES = 6


def hidden_tiles(records: np.ndarray) -> np.ndarray:
    """The targets, uint8[n, 6, 34] of 0 and 1."""
    rows = np.arange(len(records))
    out = np.zeros((len(records), PLANES, KINDS), np.uint8)
    kinds = np.arange(KINDS, dtype=np.uint64)
    for i in range(3):
        seat = (records["seat"] + 1 + i) % 4
        out[:, i] = records["hand"][rows, seat] > 0
        out[:, 3 + i] = records["waits"][rows, seat][:, None] >> kinds & np.uint64(1)
    return out


class WithAuxiliary(nn.Module):
    """A network and its auxiliary head: logits of the decision, and of the targets."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network
        self.hidden = nn.Conv2d(network.stem.out_channels, PLANES, 1)

    def forward(self, planes: Tensor | SparsePlanes) -> tuple[Tensor, Tensor]:
        """Bytes in, logits [n, outputs] and [n, 6, 34] out."""
        seen = self.network.trunk(planes)
        return self.network.head(seen), self.hidden(seen).flatten(2)


AHEAD = 8  # batches that wait at the most


@dataclass
class LoadedBatch:
    """A batch as the network takes it."""

    planes: np.ndarray | SparsePlanes  # uint8
    label: np.ndarray  # int64
    samples: Samples
    hidden: np.ndarray | None = None  # uint8[n, 6, 34]: what an auxiliary head predicts, if there is one


class Loader:
    """Training batches without end: one thread replays games, `workers` threads encode them.

    Threads suffice: replaying and encoding are kernels, which run side by side within one process, and nothing has to
    be copied from one process to another.
    """

    def __init__(
        self,
        store: str | Path | Store,
        config: Config,
        skip: int = 0,
        shard: tuple[int, int] = (0, 1),
        sparse: bool = False,
    ) -> None:
        """Begin after the first `skip` batches; the same settings give the same batches, dense or sparse."""
        self._sparse = sparse
        self.config, self.shard = config, shard
        self.waited = 0.0  # seconds that the trainer waited for a batch
        self.worked = 0.0  # seconds of processor time spent on replaying and encoding
        self._ready: queue.Queue[Future[LoadedBatch] | BaseException] = queue.Queue(AHEAD + config.workers)
        self._next: LoadedBatch | None = None
        self._stop = threading.Event()
        self._spec = config.spec
        groups = teachers(config.players)
        source = mixed(
            [
                stream(
                    store,
                    self._spec,
                    size,
                    config.seed,
                    split="train",
                    skip=skip,
                    shard=shard,
                    workers=config.workers,
                    one_player=config.one_player,
                    part=config.part,
                    teachers=group,
                )
                for size, group in zip(sizes(config.batch // shard[1], groups), groups, strict=True)
            ]
        )
        threading.Thread(target=self._replay, args=(source, skip), daemon=True, name="replay").start()

    def __next__(self) -> LoadedBatch:
        """The next batch."""
        self.wait()
        loaded, self._next = self._next, None
        assert loaded is not None
        return loaded

    def wait(self) -> None:
        """Wait until the next batch is there."""
        if self._next is not None:
            return
        began = time.monotonic()
        found = self._ready.get()
        if isinstance(found, BaseException):
            raise found
        self._next = found.result()
        self.waited += time.monotonic() - began

    def close(self) -> None:
        """Stop the threads."""
        self._stop.set()

    def _replay(self, source: Iterator[Samples], skip: int) -> None:
        try:
            with ThreadPoolExecutor(self.config.workers, "encode") as pool:
                began = time.thread_time()
                for number, samples in enumerate(source, skip):
                    self.worked += time.thread_time() - began
                    if not self._hand_over(pool.submit(self._encode, number, samples)):
                        return
                    began = time.thread_time()
        except BaseException as problem:
            self._hand_over(problem)

    def _hand_over(self, item: "Future[LoadedBatch] | BaseException") -> bool:
        while not self._stop.is_set():
            try:
                self._ready.put(item, timeout=0.5)
                return True
            except queue.Full:
                continue
        return False

    def _encode(self, number: int, samples: Samples) -> LoadedBatch:
        began = time.thread_time()
        planes = encode(samples, self._spec.features, self.config.lookahead, self._sparse)
        hidden = hidden_tiles(samples.records) if self.config.auxiliary else None
        if self.config.augment:
            rng = np.random.default_rng((self.config.seed, self.shard[0], number))
            order = exchange_suits(planes, samples, rng, self._spec.game)
            if hidden is not None:
                hidden = np.take_along_axis(hidden, KIND_SOURCES[order][:, None], 2)
        self.worked += time.thread_time() - began
        return LoadedBatch(planes, samples.label, samples, hidden)


def evaluation_batches(
    store: str | Path | Store, config: Config, split: str, most: int, size: int = 1024, sparse: bool = False
) -> Iterator[LoadedBatch]:
    """At most `most` samples of the validation or test games, the same ones each time; of players, those named."""
    left = most
    source = stream(
        store,
        config.spec,
        size,
        0,
        split=split,
        again=False,
        one_player=config.one_player,
        teachers=named(config.players),
    )
    for samples in source:
        if left <= 0:
            return
        planes = encode(samples, config.spec.features, config.lookahead, sparse)
        yield LoadedBatch(planes[:left], samples.label[:left], samples)
        left -= len(samples)
