"""Players with networks: their models, how long these take, and the decision flow of Suphx (Fig. 1).

- Suphx's decision flow (Fig. 1) as probabilities: what the models say, step by step, made one policy.
- What the players with networks have in common: their models, how long these take, and how they become answers.
"""

import threading
import time
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from suzaku.agents.agent import Agent, Answers, discard_of_kind, draw, random_numbers
from suzaku.networks.bundled import find_models, sees_ahead
from suzaku.networks.run import Model, Planes
from suzaku.riichi import actions as act
from suzaku.table.tables import take

if TYPE_CHECKING:
    from typing_extensions import Self


# On the own turn: win, kong, riichi, discard. On another's discard: win, else the surest chow, pong or kong whose
# model says yes, else pass. The steps are taken in this order and none is weighed against a later one: riichi is
# declared when its model says yes, however sure the discard model is of its tile. At a temperature every step is
# drawn in the same order; at temperature 0 a model says yes above one half, and the best tile goes.

MELDS = slice(act.CHOW_LOW, act.WIN_DRAW)  # chows, pongs and kongs among the actions


@dataclass(frozen=True)
class Layout:
    """Where the actions of a game stand."""

    actions: int
    melds: slice  # chows, pongs and kongs
    passing: int
    riichi: int = -1  # the declaration, in a game that has one


RIICHI = Layout(act.ACTIONS, MELDS, act.PASS, act.RIICHI)


@dataclass
class Opinions:
    """What the models say about n tables."""

    forced: np.ndarray  # int64[n]: the action that needs no model, or -1
    melds: np.ndarray  # float32[n, melds of the layout]: the probability of yes, NaN where not asked
    riichi: np.ndarray  # float32[n]: the probability of yes, NaN where not asked
    discards: np.ndarray  # float32[n, 34]: logits, -inf where the kind cannot go; all -inf where a pass is possible
    throw: np.ndarray  # int64[n, 34]: the action that discards each kind, or -1
    layout: Layout = field(default=RIICHI)

    @classmethod
    def none(cls, n: int, layout: Layout = RIICHI) -> "Opinions":
        """Nothing said yet."""
        width = layout.melds.stop - layout.melds.start
        melds, riichi = np.full((n, width), np.nan, np.float32), np.full(n, np.nan, np.float32)
        discards, throw = np.full((n, 34), -np.inf, np.float32), np.full((n, 34), -1, np.int64)
        return cls(np.full(n, -1, np.int64), melds, riichi, discards, throw, layout)

    def force(self, actions: np.ndarray) -> None:
        """Settle the tables that are still open with these actions (-1 for none)."""
        self.forced = np.where(self.forced < 0, actions, self.forced)

    @property
    def open(self) -> np.ndarray:
        """bool[n]: the tables whose models must be asked."""
        return self.forced < 0


def softmax(logits: np.ndarray) -> np.ndarray:
    """Probabilities, along the last axis."""
    grown = np.exp(logits - logits.max(-1, keepdims=True))
    return grown / grown.sum(-1, keepdims=True)


def temper_yes(yes: np.ndarray, temperature: float) -> np.ndarray:
    """The probability that a step is taken at a temperature, for the probability of yes of its model; NaN is no."""
    yes = np.nan_to_num(yes, nan=0.0)
    if temperature <= 0:
        return (yes > 0.5).astype(np.float32)
    if temperature == 1:
        return yes
    with np.errstate(divide="ignore", over="ignore"):
        odds = (np.log1p(-yes) - np.log(yes)) / temperature
        return 1 / (1 + np.exp(odds))


def temper(probabilities: np.ndarray, temperature: float) -> np.ndarray:
    """Probabilities at a temperature, along the last axis."""
    if temperature <= 0:
        return np.eye(probabilities.shape[-1], dtype=np.float32)[probabilities.argmax(-1)]
    if temperature == 1:
        return probabilities
    with np.errstate(divide="ignore"):
        return softmax(np.log(probabilities) / temperature)


def surest_first(yes: np.ndarray, temperature: float) -> tuple[np.ndarray, np.ndarray]:
    """The probability that each option of a row is the first to be taken, the surest being asked first; and of none."""
    order = np.argsort(-np.nan_to_num(yes, nan=-1.0), axis=1, kind="stable")
    taken = np.take_along_axis(temper_yes(yes, temperature), order, 1)
    left = np.cumprod(1 - taken, axis=1)
    before = np.concatenate([np.ones_like(left[:, :1]), left[:, :-1]], 1)
    out = np.empty_like(taken)
    np.put_along_axis(out, order, taken * before, 1)
    return out, left[:, -1]


def turn_policy(opinions: Opinions, melds: np.ndarray, rest: np.ndarray, temperature: float) -> np.ndarray:
    """The policy, float32[n, actions]: `melds` are settled, `rest` is what they leave to the turn or to a pass."""
    layout = opinions.layout
    policy = np.zeros((len(rest), layout.actions), np.float32)
    policy[:, layout.melds] = melds
    own = (opinions.throw >= 0).any(1)
    policy[~own, layout.passing] = rest[~own]
    declare = temper_yes(opinions.riichi, temperature)
    if layout.riichi >= 0:
        policy[own, layout.riichi] = (rest * declare)[own]
    rows, kinds = np.nonzero(opinions.throw >= 0)
    if len(rows):
        discards = np.zeros((len(rest), 34), np.float32)
        discards[own] = temper(softmax(opinions.discards[own]), temperature)
        policy[rows, opinions.throw[rows, kinds]] = (rest * (1 - declare))[rows] * discards[rows, kinds]
    settled = np.flatnonzero(~opinions.open)
    policy[settled] = 0
    policy[settled, opinions.forced[settled]] = 1
    return policy


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
            spec = models[name].spec
            if spec.family.player not in (cls.FAMILIES or (cls.name,)) or spec.decision != name:
                raise ValueError(f"{cls.name} cannot have {spec.network.name} {spec.decision} for its {name} model")
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
        """Go through the decision flow for every table."""
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
