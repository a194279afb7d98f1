"""Self-play: actors whose tables go on, and which games they play next with which weights.

- An actor of self-play: tables that go on from one order to the next, played by four copies of one policy.
- Self-play for a learner: which games the actors play next and with which weights, so that a run can go on exactly.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from suzaku.agents.network import NetworkAgent
from suzaku.arena.selfplay import self_play_match
from suzaku.arena.table_worker import TableWorker
from suzaku.networks.info import Info
from suzaku.networks.run import Model
from suzaku.records.stored import Stored
from suzaku.rl.config import RlConfig
from suzaku.rl.games import learning_of
from suzaku.rl.oracle import GuidedAgent
from suzaku.rl.player import Tensors
from suzaku.rl.round_player import RoundPlayer
from suzaku.workers import LOST, Here, Workers
from suzaku.workers.processes import processes

# An order names the games to begin, brings the newest weights, and ends when enough games have ended; those that have
# not go on in the next order, with the weights of that time. The log-probability of every action is that of the
# weights that chose it. What an actor does follows from its order alone, which brings the tables as they stood: any
# actor can take it.

Weights = Mapping[str, Mapping[str, np.ndarray]]


@dataclass(frozen=True)
class Setup:
    """What all actors of a run have in common. It holds the models: an actor on another machine needs no files."""

    models: dict[str, tuple[dict[str, np.ndarray], Info]]  # tensors and what their checkpoints say
    temperature: float
    seed: int
    tables: int
    length: str
    repeat: int = 0  # plays of each wall in single rounds; 0: whole games
    mask: str = ""  # in oracle guiding: how the perfect features are masked
    game: str = "riichi"

    def open(self) -> "Actor":
        """An actor."""
        return Actor(self)

    def agent(self) -> NetworkAgent:
        """A player of these models."""
        models = {name: Model.from_tensors(tensors, info) for name, (tensors, info) in self.models.items()}
        if self.mask:
            guided = GuidedAgent.from_models(models, self.temperature, self.seed)
            guided.mask = self.mask
            return guided
        return learning_of(self.game).agent.from_models(models, self.temperature, self.seed)


@dataclass
class Order:
    """What to do next with some tables."""

    stream: int  # which tables
    snapshot: bytes | None  # the tables as they stand; None before their first game
    numbers: list[int]  # games to begin
    games: int  # that are to end
    weights: Weights  # of the models that learn
    version: int
    gamma: float = 0.0  # in oracle guiding: the share of the perfect features that the players see


@dataclass
class Harvest:
    """What came of it."""

    games: list[Stored]
    hands: np.ndarray  # what all seats did, counted
    snapshot: bytes  # the tables as they stand; nothing where no game goes on
    seconds: float


class Actor:
    """Plays games on some tables."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.agent = setup.agent()
        self.agent.expect_many()
        about = self.agent, setup.seed, setup.length, setup.repeat, setup.game
        self._rounds = RoundPlayer(*about) if setup.repeat else None
        match = self_play_match(self.agent.name, setup.seed, setup.length, setup.game)
        self._worker = TableWorker(match, setup.tables, {self.agent.name: self.agent})
        self._empty = self._worker.snapshot()
        self._stands = self._empty  # the tables now, as a snapshot

    def work(self, order: Order) -> Harvest:
        """Begin games, play until enough have ended."""
        if order.weights:
            self.agent.replace_weights(order.weights, order.version)
        if isinstance(self.agent, GuidedAgent):
            self.agent.gamma = order.gamma
        if self._rounds is not None:
            began = time.perf_counter()
            games, hands = self._rounds.play(order.numbers)
            return Harvest(games, hands, b"", time.perf_counter() - began)
        worker = self._worker
        before = worker.seconds
        if (snapshot := order.snapshot or self._empty) != self._stands:  # another actor had these tables before
            worker.restore(snapshot)
        reply = worker.advance([number * worker.match.turns for number in order.numbers], games=order.games)
        self._stands = worker.snapshot()
        return Harvest(reply.stored, reply.games["hands"], self._stands, worker.seconds - before)

    def close(self) -> None:
        """Let the agent go."""
        self._worker.close()


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
