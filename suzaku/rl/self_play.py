"""Self-play for a learner: which games the actors play next and with which weights, so that a run can go on exactly."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from suzaku.rl.actor import Harvest, Order, Setup
from suzaku.rl.config import RlConfig
from suzaku.rl.player import Tensors
from suzaku.workers import LOST, Here, Workers
from suzaku.workers.processes import processes

Actors = Workers[Order, Harvest]
Open = Callable[[Setup, int, str], Actors]  # so many actors, and how to go on if they are lost


def in_processes(setup: Setup, count: int, resume: str) -> Actors:
    """Actors in processes of this machine, each with one thread."""
    return processes(setup, count, patience=0.5, resume=resume)


def here(setup: Setup, count: int, resume: str) -> Actors:
    """One actor in this process: it plays when its harvest is asked for."""
    return Here(setup.open())


class SelfPlay:
    """The orders that are under way, and what is needed to give them again."""

    def __init__(self, config: RlConfig, open_actors: Open | None) -> None:
        self.config = config
        self._open = open_actors or (in_processes if config.workers else here)
        self._count = max(1, config.workers)
        self._tables = -(-config.tables // self._count)  # of an actor
        self.actors: Actors | None = None
        self._replaced = 0  # by actors that are closed
        self._next_game = 0  # number of the next game to begin
        self._snapshots: list[bytes] = []  # of the actors, before the orders that are under way
        self._orders: list[list[int]] = []  # the games that these begin
        self._ended: list[int] = []  # how many games of each actor have ended since
        self._flying: tuple[Tensors, int, float] | None = None  # the weights, version and gamma these play with

    @property
    def ahead(self) -> bool:
        """Whether the actors play while the learner learns."""
        return self._open is not here

    @property
    def replaced(self) -> int:
        """Actors that were lost."""
        return self._replaced + (self.actors.replaced if self.actors else 0)

    def open(self, setup: Setup, where: str, weights: Tensors, gamma: float) -> None:
        """Open the tables, and give the first orders, or those that were under way."""
        setup = replace(setup, tables=self._tables)
        self.actors = self._open(setup, self._count, f"The same command goes on from {where}.")
        if self._flying is None:
            self._note(weights, 0, gamma, 0 if self.config.repeat else self._tables)
        self._send()

    def close(self) -> None:
        """Close the tables."""
        if self.actors is not None:
            self.actors.close()
            self._replaced += self.actors.replaced
            self.actors = None

    def receive(self) -> list[Harvest]:
        """Wait for what came of the orders, and give it in their order."""
        assert self.actors is not None
        came: dict[int, Harvest] = {}
        while len(came) < self._count:
            _, order, harvest = self.actors.next()
            assert harvest is not LOST, "an order for anyone is not lost"
            came[order.stream] = harvest
        return [came[stream] for stream in range(self._count)]

    def order(self, weights: Tensors, version: int, gamma: float) -> None:
        """Let the actors play on."""
        self._note(weights, version, gamma)
        self._send()

    def taken(self, harvests: list[Harvest]) -> None:
        """Note that these have been learnt from: the actors go on from there."""
        self._snapshots = [harvest.snapshot for harvest in harvests]
        self._ended = [len(harvest.games) for harvest in harvests]

    def _note(self, weights: Tensors, version: int, gamma: float, more: int = 0) -> None:
        copies = {
            model: {name: value.detach().float().cpu().clone() for name, value in tensors.items()}
            for model, tensors in weights.items()
        }
        self._flying = copies, version, gamma
        share = -(-self.config.games // (self._count * max(1, self.config.repeat))) + more
        # several games may end in one step, more than were asked for: as many begin, or the tables would run dry
        begin = [share] * self._count if self.config.repeat or not self._ended else self._ended
        bounds = self._next_game + np.cumsum([0, *begin])
        self._orders = [list(range(*pair)) for pair in pairwise(bounds.tolist())]
        self._next_game = int(bounds[-1])

    def _send(self) -> None:
        assert self.actors is not None
        assert self._flying is not None
        tensors, version, gamma = self._flying
        weights = {model: {k: v.numpy() for k, v in each.items()} for model, each in tensors.items()}
        games = -(-self.config.games // self._count)
        snapshots: list[bytes] | list[None] = self._snapshots or [None] * self._count
        for stream, (numbers, snapshot) in enumerate(zip(self._orders, snapshots, strict=True)):
            self.actors.give(Order(stream, snapshot, numbers, games, weights, version, gamma))

    def state(self) -> dict[str, Any]:
        """What the actors were at."""
        flying = self._flying
        return {
            "next_game": self._next_game,
            "tables": self._tables,
            "snapshots": [np.frombuffer(snapshot, np.uint8) for snapshot in self._snapshots],
            "orders": [np.array(numbers, np.int64) for numbers in self._orders],
            "flying": None if flying is None else {"weights": flying[0], "version": flying[1], "gamma": flying[2]},
        }

    def restore(self, state: dict[str, Any]) -> None:
        """The actors begin with the orders that were under way."""
        self._next_game = state["next_game"]
        self._tables = state["tables"]
        self._snapshots = [snapshot.tobytes() for snapshot in state["snapshots"]]
        self._orders = [numbers.tolist() for numbers in state["orders"]]
        flying = state["flying"]
        self._flying = None if flying is None else (flying["weights"], flying["version"], flying["gamma"])
