"""What the players with networks have in common: their models, how long these take, and how they become answers."""

import threading
import time
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from suzaku.agents.agent import Agent, Answers, random_numbers
from suzaku.agents.choice import discard_of_kind, draw
from suzaku.agents.flow import Opinions, softmax, surest_first, turn_policy
from suzaku.networks.bundled import find_models, sees_ahead
from suzaku.networks.names import parse
from suzaku.networks.run import Model, Planes
from suzaku.record_copy import take
from suzaku.riichi import actions as act

if TYPE_CHECKING:
    from typing_extensions import Self


class NetworkAgent(Agent):
    """A player with one trained model a decision."""

    MODELS: Iterable[str] = ()
    FAMILIES: tuple[str, ...] = ()  # of its networks; the one of its name if empty

    def __init__(self, folder: str | Path, temperature: float = 0.0, seed: int = 0) -> None:
        """Load the models of a folder; a temperature above 0 draws every step of the flow, at 1 as the models say.

        The folder is one of checkpoints (`discard.json` ...) or of training runs (`discard/best.json` ...), or a run;
        models that it lacks are the bundled ones.
        """
        found = find_models(folder, self.name, self.MODELS)
        self._start({name: Model(path) for name, path in found.items()}, temperature, seed)

    @classmethod
    def from_models(cls, models: dict[str, Model], temperature: float = 0.0, seed: int = 0) -> "Self":
        """A player of models in memory; all that it has must be there."""
        for name in cls.MODELS:
            if name not in models:
                raise ValueError(f"{cls.name} needs the models {', '.join(cls.MODELS)}: {name} is missing")
            info = models[name].info
            if parse(info["network"]).family.player not in (cls.FAMILIES or (cls.name,)) or info["model"] != name:
                raise ValueError(f"{cls.name} cannot have {info['network']} {info['model']} for its {name} model")
        blind = [name for name in cls.MODELS if not sees_ahead(models[name].info)]
        if blind and len(blind) < len(list(cls.MODELS)):
            raise ValueError(f"{blind[0]} was trained without the look-ahead channels, the others with them")
        agent = cls.__new__(cls)
        agent._start({name: models[name] for name in cls.MODELS}, temperature, seed)
        return agent

    def _start(self, models: dict[str, Model], temperature: float, seed: int) -> None:
        self.models = models
        self.version = max(model.version for model in models.values())
        self._swap = threading.Lock()
        self.lookahead = all(sees_ahead(model.info) for model in self.models.values())
        self.temperature, self.seed = temperature, seed
        self.seconds = {"features": 0.0, "network": 0.0}

    def replace_weights(self, weights: Mapping[str, Mapping[str, Any]], version: int) -> None:
        """Play on with other weights of some models (tensors by name), all of them from the next `act` on.

        Weights that do not fit are refused before anything is changed. Any thread may call this.
        """
        if unknown := [name for name in weights if name not in self.models]:
            raise ValueError(f"{self.name} has no model {unknown[0]!r}: expected some of {', '.join(self.models)}")
        prepared = {name: self.models[name].prepare(tensors, version) for name, tensors in weights.items()}
        with self._swap:
            for name, fresh in prepared.items():
                self.models[name].put(fresh)
            self.version = version

    def twin(self, many: bool) -> "Self":
        """A player of the same weights, in the same memory, until one of the two gets others."""
        models = {name: model.twin(many) for name, model in self.models.items()}
        return type(self).from_models(models, self.temperature, self.seed)

    def expect_many(self) -> None:
        """Run the models in the way that is fast for large batches."""
        for model in self.models.values():
            model.many = True

    def encode(self, model: str, records: np.ndarray, claim: np.ndarray | None = None) -> Planes:
        """What a model sees of some tables, on the clock."""
        began = time.perf_counter()
        planes = self.models[model].encode(records, claim, self.lookahead)
        self.seconds["features"] += time.perf_counter() - began
        return planes

    def ask(self, model: str, planes: Planes) -> np.ndarray:
        """The logits of a model, on the clock."""
        began = time.perf_counter()
        logits = self.models[model](planes)
        self.seconds["network"] += time.perf_counter() - began
        return logits

    def yes(self, model: str, planes: Planes) -> np.ndarray:
        """The probability of yes of a two-way model."""
        return softmax(self.ask(model, planes))[:, 1]

    def act(self, records: np.ndarray, legal: np.ndarray, streams: np.ndarray | None = None) -> Answers:
        """Go through the decision flow (`flow.py`) for every table."""
        with self._swap:
            opinions = self.opinions(records, legal)
        policy = self._policy(opinions, 1.0)
        chosen = policy if self.temperature == 1 else self._policy(opinions, self.temperature)
        if self.temperature > 0:
            actions = draw(chosen, random_numbers(records, self.seed, streams))
        else:
            actions = chosen.argmax(1)
        return Answers(actions, policy, np.log(chosen[np.arange(len(actions)), actions]))

    @abstractmethod
    def opinions(self, records: np.ndarray, legal: np.ndarray) -> Opinions:
        """What the models say about each table."""

    def take_melds(self, melds: np.ndarray, temperature: float) -> tuple[np.ndarray, np.ndarray]:
        """The probability that each meld is made, and that none is, for what the models say of them."""
        return surest_first(melds, temperature)

    def _policy(self, opinions: Opinions, temperature: float) -> np.ndarray:
        melds, rest = self.take_melds(opinions.melds, temperature)
        return turn_policy(opinions, melds, rest, temperature)

    def ask_turn(
        self, rows: np.ndarray, planes: Planes, records: np.ndarray, legal: np.ndarray, opinions: Opinions
    ) -> None:
        """Ask the riichi and the discard model about the own turns in these rows."""
        if not len(rows):
            return
        may = legal[rows, act.RIICHI]
        if may.any():
            opinions.riichi[rows[may]] = self.yes("riichi", planes[may])
        throw = discard_of_kind(take(records, rows), legal[rows])
        opinions.throw[rows] = throw
        opinions.discards[rows] = np.where(throw >= 0, self.ask("discard", planes), -np.inf)


def open_choices(legal: np.ndarray) -> np.ndarray:
    """What is left to choose from once wins and aborts are settled."""
    choices = legal.copy()
    choices[:, [act.WIN_DRAW, act.WIN_DISCARD, act.NINE_KINDS]] = False
    return choices


def only_choice(choices: np.ndarray) -> np.ndarray:
    """The one action that is left, or -1: int64[n]."""
    return np.where(choices.sum(1) == 1, choices.argmax(1), -1)
