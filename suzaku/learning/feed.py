"""Encoded batches for the trainer, made ahead in a thread so that it never waits for them."""

import queue
import threading
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from suzaku.learning.config import Config
from suzaku.learning.samples import Samples, encode, exchange_suits, stream

AHEAD = 8  # batches that wait at the most


@dataclass
class Fed:
    """A batch as the network takes it."""

    planes: np.ndarray  # uint8
    label: np.ndarray  # int64
    samples: Samples


def _batches(store: str | Path, config: Config, skip: int, shard: tuple[int, int]) -> Iterator[Fed]:
    source = stream(
        store,
        config.network,
        config.model,
        config.batch // shard[1],
        config.seed,
        split="train",
        skip=skip,
        shard=(shard[0], shard[1] * config.part),
        workers=config.workers,
    )
    for number, samples in enumerate(source, skip):
        planes = encode(samples, config.network, config.lookahead)
        if config.augment:
            planes = exchange_suits(planes, samples, np.random.default_rng((config.seed, shard[0], number)))
        yield Fed(planes, samples.label, samples)


def training_batches(
    store: str | Path, config: Config, skip: int = 0, shard: tuple[int, int] = (0, 1)
) -> Generator[Fed, None, None]:
    """Batches without end from the training games, the first `skip` left out; the same ones for the same settings."""
    ready: queue.Queue[Fed | BaseException] = queue.Queue(AHEAD)
    stop = threading.Event()

    def work() -> None:
        try:
            for fed in _batches(store, config, skip, shard):
                while not stop.is_set():
                    try:
                        ready.put(fed, timeout=0.5)
                        break
                    except queue.Full:
                        continue
                if stop.is_set():
                    return
        except BaseException as problem:
            ready.put(problem)

    threading.Thread(target=work, daemon=True, name="encoder").start()
    try:
        while True:
            fed = ready.get()
            if isinstance(fed, BaseException):
                raise fed
            yield fed
    finally:
        stop.set()


def evaluation_batches(store: str | Path, config: Config, split: str, most: int, size: int = 1024) -> Iterator[Fed]:
    """At most `most` samples of the validation or test games, the same ones each time."""
    left = most
    source = stream(store, config.network, config.model, size, 0, split=split, again=False)
    for samples in source:
        if left <= 0:
            return
        planes = encode(samples, config.network, config.lookahead)
        yield Fed(planes[:left], samples.label[:left], samples)
        left -= len(samples)
