"""What the players with networks have in common: their models, how long these take, and the own turn."""

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from suzaku.agents.agent import Agent
from suzaku.agents.choice import discard_of_kind, softmax
from suzaku.networks.bundled import find_models, sees_ahead
from suzaku.networks.run import Model
from suzaku.riichi import actions as act
from suzaku.riichi.rows import take


class NetworkAgent(Agent):
    """A player with one trained model a decision."""

    MODELS: Iterable[str] = ()

    def __init__(self, folder: str | Path, temperature: float = 0.0, seed: int = 0) -> None:
        """Load the models of a folder; a temperature above 0 plays at random, like the models' chances at 1.

        The folder is one of checkpoints (`discard.json` ...) or of training runs (`discard/best.json` ...), or a run;
        models that it lacks are the bundled ones.
        """
        found = find_models(folder, self.name, self.MODELS)
        self.models = {name: Model(path) for name, path in found.items()}
        self.lookahead = all(sees_ahead(model.info) for model in self.models.values())
        self.temperature, self.seed = temperature, seed
        self.seconds = {"features": 0.0, "network": 0.0}

    def expect_many(self) -> None:
        """Run the models in the way that is fast for large batches."""
        for model in self.models.values():
            model.many = True

    def encode(self, encoder: Callable[..., np.ndarray], *tables: Any, **settings: Any) -> np.ndarray:
        """Encode states, on the clock."""
        began = time.perf_counter()
        planes = encoder(*tables, **settings)
        self.seconds["features"] += time.perf_counter() - began
        return planes

    def ask(self, model: str, planes: np.ndarray) -> np.ndarray:
        """The logits of a model, on the clock."""
        began = time.perf_counter()
        logits = self.models[model](planes)
        self.seconds["network"] += time.perf_counter() - began
        return logits

    def yes(self, model: str, planes: np.ndarray) -> np.ndarray:
        """The chance that a two-way model says yes."""
        return softmax(self.ask(model, planes))[:, 1]

    def turn(
        self, rows: np.ndarray, planes: np.ndarray, records: np.ndarray, legal: np.ndarray, scores: np.ndarray
    ) -> None:
        """Share out what chance kongs have left among riichi and the discards of these rows."""
        if not len(rows):
            return
        rest = 1 - np.nan_to_num(scores[rows]).max(1)
        may = legal[rows, act.RIICHI]
        if may.any():
            declare = self.yes("riichi", planes[may])
            scores[rows[may], act.RIICHI] = rest[may] * declare
            rest[may] *= 1 - declare
        throw = discard_of_kind(take(records, rows), legal[rows])
        chances = softmax(np.where(throw >= 0, self.ask("discard", planes), -np.inf))
        at, kinds = np.nonzero(throw >= 0)
        scores[rows[at], throw[at, kinds]] = rest[at] * chances[at, kinds]


def settle(scores: np.ndarray, left: np.ndarray, actions: np.ndarray) -> None:
    """Give all chance to the actions (not -1) that need no asking, and take these rows off the ones left."""
    rows = np.flatnonzero(left & (actions >= 0))
    scores[rows, actions[rows]] = 1
    left[rows] = False


def pass_on(scores: np.ndarray, rows: np.ndarray) -> None:
    """Give a pass the chance that the surest claim has left."""
    scores[rows, act.PASS] = 1 - np.nan_to_num(scores[rows]).max(1)
