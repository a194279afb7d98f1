"""An actor of self-play: tables that go on from one order to the next, played by four copies of one policy.

An order names the games to begin, brings the newest weights, and ends when enough games have ended; those that have not
go on in the next order, with the weights of that time. The log-probability of every action is that of the weights that
chose it. What an actor does follows from its order alone, which brings the tables as they stood: any actor can take it.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from suzaku.agents.network import NetworkAgent
from suzaku.arena.selfplay import self_play_match
from suzaku.arena.table_worker import TableWorker
from suzaku.networks.info import Info
from suzaku.networks.run import Model
from suzaku.records.stored import Stored
from suzaku.rl.games import LEARNING
from suzaku.rl.oracle import GuidedAgent
from suzaku.rl.round_player import RoundPlayer

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
        return LEARNING[self.game].agent.from_models(models, self.temperature, self.seed)


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
