"""Self-play for a learner: which games the actors play next and with which weights, so that a run can go on exactly."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from suzaku.rl.actor import Harvest, Order, Setup
from suzaku.rl.config import RlConfig
from suzaku.rl.player import Tensors
from suzaku.rl.pool import Backend, Here, Pool, Processes


class SelfPlay:
    """The orders that are under way, and what is needed to give them again."""

    def __init__(self, config: RlConfig, backend: Backend | None) -> None:
        self.config = config
        self._backend = backend or (Processes() if config.workers else Here())
        self._count = max(1, config.workers) if backend is None else config.workers
        self._tables = -(-config.tables // self._count)  # of an actor
        self._pool: Pool | None = None
        self._next_game = 0  # number of the next game to begin
        self._snapshots: list[bytes] = []  # of the actors, before the orders that are under way
        self._orders: list[list[int]] = []  # the games that these begin
        self._ended: list[int] = []  # how many games of each actor have ended since
        self._flying: tuple[Tensors, int, float] | None = None  # the weights, version and gamma these play with

    @property
    def ahead(self) -> bool:
        """Whether the actors play while the learner learns."""
        return not isinstance(self._backend, Here)

    @property
    def replaced(self) -> int:
        """Actors that were lost."""
        return self._pool.replaced if self._pool else 0

    def open(self, setup: Setup, where: str, weights: Tensors, gamma: float) -> None:
        """Open the tables, and give the first orders, or those that were under way."""
        setup = replace(setup, tables=self._tables)
        self._pool = Pool(self._backend, setup, self._count, self._snapshots or None, where)
        if self._flying is None:
            self._note(weights, 0, gamma, 0 if self.config.repeat else self._tables)
        self._send()

    def close(self) -> None:
        """Close the tables."""
        if self._pool is not None:
            self._pool.close()
            self._pool = None

    def receive(self) -> list[Harvest]:
        """Wait for what came of the orders."""
        assert self._pool is not None
        return self._pool.receive()

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
        assert self._pool is not None
        assert self._flying is not None
        tensors, version, gamma = self._flying
        weights = {model: {k: v.numpy() for k, v in each.items()} for model, each in tensors.items()}
        games = -(-self.config.games // self._count)
        for actor, numbers in enumerate(self._orders):
            self._pool.send(actor, Order(numbers, games, weights, version, gamma))

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
