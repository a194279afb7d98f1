"""The actors of a run: in this process, in processes of this machine, or on a Ray cluster. The games are the same.

An actor that is lost (killed, or with its node) is made again from its last snapshot, and its order is given again.
"""

import multiprocessing
import os
import signal
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Protocol

from suzaku.learning.interrupts import defer_signals
from suzaku.processes import end_with_parent, out_of_reach
from suzaku.rl.actor import Actor, Harvest, Order, Setup

LOSSES = 5  # of one actor, one after the other: then something is wrong with the machine
LOST = "a self-play worker was ended from outside {n} times (out of memory?); the same command goes on from {where}"


class LostError(Exception):
    """An actor is gone."""


class Backend(Protocol):
    """Where actors live."""

    def make(self, setup: Setup, snapshot: bytes | None) -> Any:
        """An actor."""

    def send(self, actor: Any, order: Order) -> Any:
        """Give an order; something to wait for."""

    def receive(self, pending: Any) -> Harvest:
        """Wait for what came of it; LostError if the actor is gone."""

    def end(self, actor: Any) -> None:
        """Let an actor go."""

    def close(self) -> None:
        """Let everything go."""


class Here:
    """One actor in this process: it plays when its harvest is asked for."""

    def make(self, setup: Setup, snapshot: bytes | None) -> Actor:
        """The actor itself."""
        return Actor(setup, snapshot)

    def send(self, actor: Actor, order: Order) -> tuple[Actor, Order]:
        """Note it."""
        return actor, order

    def receive(self, pending: tuple[Actor, Order]) -> Harvest:
        """Play."""
        actor, order = pending
        return actor.play(order)

    def end(self, actor: Actor) -> None:
        """Let the agent go."""
        actor.close()

    def close(self) -> None:
        """Nothing else is open."""


_actor: Actor  # of a worker process


def _start(setup: Setup, snapshot: bytes | None) -> None:
    global _actor
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    end_with_parent()
    _actor = Actor(setup, snapshot)


def _play(order: Order) -> Harvest:
    return _actor.play(order)


class Processes:
    """Actors in processes of this machine, each with one thread."""

    def make(self, setup: Setup, snapshot: bytes | None) -> ProcessPoolExecutor:
        """A process of its own, since its tables stay with it."""
        before = os.environ.get("OMP_NUM_THREADS")
        os.environ["OMP_NUM_THREADS"] = "1"
        try:
            pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _start, (setup, snapshot))
            with out_of_reach():
                pool.submit(os.getpid)  # it starts now, with this environment
        finally:
            if before is None:
                del os.environ["OMP_NUM_THREADS"]
            else:
                os.environ["OMP_NUM_THREADS"] = before
        return pool

    def send(self, actor: ProcessPoolExecutor, order: Order) -> "Future[Harvest] | None":
        """Hand it to the process."""
        try:
            return actor.submit(_play, order)
        except BrokenProcessPool:
            return None

    def receive(self, pending: "Future[Harvest] | None") -> Harvest:
        """Wait for the process."""
        if pending is None:
            raise LostError
        try:
            return pending.result()
        except BrokenProcessPool:
            raise LostError from None

    def end(self, actor: ProcessPoolExecutor) -> None:
        """End the process, whatever it does."""
        processes = list((actor._processes or {}).values())
        actor.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()

    def close(self) -> None:
        """Nothing else is open."""


class Pool:
    """Some actors, with what is needed to make each again."""

    def __init__(self, backend: Backend, setup: Setup, count: int, snapshots: list[bytes] | None, where: str) -> None:
        self.backend, self.setup, self.count, self.where = backend, setup, count, where
        self.replaced = 0  # actors that were lost and made again
        self.snapshots: list[bytes | None] = list(snapshots) if snapshots else [None] * count
        self._actors: list[Any] = []
        self._orders: list[Order | None] = [None] * count
        self._pending: list[Any] = [None] * count
        try:
            for snapshot in self.snapshots:
                with defer_signals():  # an actor is either not there or known
                    self._actors.append(backend.make(setup, snapshot))
        except BaseException:
            self.close()
            raise

    def send(self, actor: int, order: Order) -> None:
        """Give an actor its order."""
        self._orders[actor] = order
        self._pending[actor] = self.backend.send(self._actors[actor], order)

    def receive(self) -> list[Harvest]:
        """Wait for what came of the orders of all actors."""
        harvests = [self._receive(actor) for actor in range(self.count)]
        self.snapshots = [harvest.snapshot for harvest in harvests]
        return harvests

    def _receive(self, actor: int) -> Harvest:
        for _ in range(LOSSES):
            try:
                return self.backend.receive(self._pending[actor])
            except LostError:
                self.replaced += 1
                self.backend.end(self._actors[actor])
                self._actors[actor] = self.backend.make(self.setup, self.snapshots[actor])
                order = self._orders[actor]
                assert order is not None
                self._pending[actor] = self.backend.send(self._actors[actor], order)
        raise ValueError(LOST.format(n=LOSSES, where=self.where))

    def close(self) -> None:
        """Send all home."""
        for actor in self._actors:
            self.backend.end(actor)
        self.backend.close()
