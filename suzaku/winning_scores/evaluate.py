"""How often a player wins its one-player hand with at least the han it aims for, and how true a model's figures are."""

from dataclasses import dataclass

import numpy as np

from suzaku.hand.tables import tables
from suzaku.riichi.evaluate_many import rules_record
from suzaku.riichi.rules import Rules
from suzaku.winning_scores.features import SIZE
from suzaku.winning_scores.hand import LIVE
from suzaku.winning_scores.learnt import COLUMNS
from suzaku.winning_scores.model import Model
from suzaku.winning_scores.play import BASELINE, collect_samples, count_wins, new_hand
from suzaku.winning_scores.shapes import shapes
from suzaku.winning_scores.view import CLASSES


@dataclass(frozen=True)
class Success:
    """How the hands of one aim ended."""

    aim: int
    counts: tuple[int, ...]  # hands won with 0, 1, 2, 3, >= 4 han

    @property
    def hands(self) -> int:
        """How many were played."""
        return sum(self.counts)

    @property
    def rate(self) -> float:
        """The share won with at least the aim."""
        return sum(self.counts[self.aim :]) / self.hands

    @property
    def half(self) -> float:
        """Half the width of its 95 % interval."""
        return 1.96 * float(np.sqrt(self.rate * (1 - self.rate) / self.hands))

    def counted_for(self, aim: int) -> "Success":
        """The same hands, counted as if another aim had been theirs."""
        return Success(aim, self.counts)


def _player(model: Model | None) -> tuple[int, np.ndarray]:
    return (BASELINE, np.zeros((SIZE, COLUMNS), np.float32)) if model is None else (model.number, model.weights)


def success(model: Model | None, aim: int, opponents: int, hands: int, seed: int, tiles: int = LIVE) -> Success:
    """Play hands with a model, or with the baseline; the same seed deals the same hands to everyone."""
    s, w = new_hand(tiles)
    out = np.zeros(CLASSES, np.int64)
    number, weights = _player(model)
    rules = rules_record(Rules.tenhou())
    for first in range(0, hands, 10_000):  # in pieces, so that Ctrl-C is heard
        count = min(10_000, hands - first)
        count_wins(tables(), shapes(), rules, number, weights, s, w, seed, first, count, aim, opponents, out)
    return Success(aim, tuple(int(n) for n in out))


def samples(
    model: Model, aim: int, opponents: int, hands: int, seed: int, tiles: int = LIVE
) -> tuple[np.ndarray, np.ndarray]:
    """What the model said at one random position of each hand it played, float64[n, 5], and the han it won with."""
    s, w = new_hand(tiles)
    said, han = np.zeros((hands, CLASSES)), np.zeros(hands, np.int64)
    rules = rules_record(Rules.tenhou())
    collect_samples(
        tables(), shapes(), rules, model.number, model.weights, s, w, seed, 0, hands, aim, opponents, said, han
    )
    known = han >= 0
    return said[known], han[known]
