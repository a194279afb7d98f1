"""Learning winning scores by self-play, its settings, and how good a model is.

- The settings of `suzaku train winning-scores`.
- How often a player wins its one-player hand with at least the han it aims for, and how true a model's figures are.
- Learning winning scores by self-play, for the shared training loop (`suzaku/learning/loop.py`).
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from msgspec import Meta

from suzaku.hand.tables import tables
from suzaku.learning.learner import DivergedError, Learner, Learnt, Report, Schedule, Validation
from suzaku.learning.settings import Count, NonNegative, Positive, Seed, Settings, Share, Whole, doc
from suzaku.riichi.evaluate import rules_record
from suzaku.riichi.rules import Rules
from suzaku.winning_scores.distance import shapes
from suzaku.winning_scores.features import SIZE, features_hash, steps_of
from suzaku.winning_scores.hand import AIMS, CLASSES, LIVE, WHOLE
from suzaku.winning_scores.learnt import COLUMNS
from suzaku.winning_scores.model import OPPONENTS, SUFFIX, Model, ModelError, load_model
from suzaku.winning_scores.play import BASELINE, collect_samples, count_wins, learn_hands, new_hand


class WinningConfig(Settings, frozen=True):
    """What a run of `suzaku train winning-scores` does. With the same settings it does the same again."""

    GROUPS: ClassVar = {"model": "model", "hands": "hands", "rate": "learning", "seed": "run"}

    model: Annotated[
        Literal["mcp", "bcp"], doc("mcp: a softmax over 0, 1, 2, 3, >= 4 han; bcp: four logistic regressions")
    ] = "mcp"
    opponents: Annotated[
        Literal["drawing", "one-player"],
        doc("drawing: they discard what they draw; one-player: they play hands of their own"),
    ] = "drawing"
    tiles: Annotated[
        int, Meta(ge=LIVE, le=WHOLE), doc("to draw in a hand: 70 as at a table, up to 83 without a dead wall")
    ] = LIVE
    hands: Annotated[Count, doc("hands to play and learn from, at most one position of each")] = 10_000_000
    baseline: Annotated[Whole, doc("of them, the first are played by the baseline player")] = 200_000
    explore: Annotated[Share, doc("of the discards that are learnt from, the share that is any at random")] = 0.0
    rate: Annotated[Positive, doc("Adagrad's step size")] = 0.01
    l2: Annotated[NonNegative, doc("lambda of equations (2) and (4), over the sum of all hands")] = 0.01
    seed: Seed = 1
    step_hands: Annotated[Count, doc("hands of a step of the loop")] = 10_000
    eval_every: Annotated[Count, doc("steps between two evaluations of how often it wins")] = 50
    eval_hands: Annotated[Count, doc("hands of each aim in such an evaluation")] = 4_000
    save_every: Annotated[Count, doc("steps between two checkpoints to resume from")] = 20


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
    """Play hands with a model, or with the baseline. The same seed deals the same hands to everyone."""
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


# The loop of the paper: hands are played by the present player, each with an aim drawn at random, and learnt from at
# once, at one discard drawn beforehand (if the hand comes to it). MCP learns from all hands; each regression of BCP
# from those of its own aim.

TINY = 1e-6  # of the squared gradients, before the first
AVERAGE = 3  # how much more the later weights count in the average, see `_add_to_average`
OTHER_HANDS = 1 << 40  # added to the seed of the hands that it is looked at with


class WinningLearner(Learner):
    """MCP or BCP, learning from hands of its own play."""

    COMMAND = "winning-scores"
    FREE = frozenset(("eval_every", "save_every", "eval_hands"))

    def __init__(self, config: WinningConfig) -> None:
        self.config = config
        self.model = Model(config.model, config.opponents)  # the average: what is looked at and kept
        self.weights = np.zeros((SIZE, COLUMNS), np.float32)  # the present ones: what plays and learns
        self._averaged = 0
        self._steps = np.zeros((SIZE, COLUMNS), np.float32)  # what they are the sums of, see `steps.py`
        self._squares = np.full((SIZE, COLUMNS), TINY, np.float32)
        self._seen = np.zeros((SIZE, COLUMNS), np.int32)  # hand in which each step last learnt
        self._hands = 0
        self._solo, self._work = new_hand(config.tiles)

    def start_from(self, weights: np.ndarray) -> None:
        """Begin with the weights of another model."""
        self.weights[:], self._steps[:] = weights, steps_of(weights)

    @property
    def title(self) -> str:
        """The model and whom it plays against."""
        return f"winning scores {self.config.model}, opponents {self.config.opponents}"

    @property
    def schedule(self) -> Schedule:
        """As the settings say. The last step may be shorter."""
        steps = -(-self.config.hands // self.config.step_hands)
        return Schedule(steps, self.config.eval_every, self.config.save_every)

    def state(self) -> dict[str, Any]:
        """Weights, step sizes, and the hands so far: the next ones follow from the seed and their number."""
        return {
            "weights": self.weights,
            "average": self.model.weights,
            "averaged": self._averaged,
            "steps": self._steps,
            "squares": self._squares,
            "seen": self._seen,
            "hands": self._hands,
            "features": features_hash(),
        }

    def restore(self, state: dict[str, Any], folder: Path) -> None:
        """Go on, if the features are the same."""
        if state["features"] != features_hash():
            raise ValueError(
                f"{folder} holds a run with the feature list {state['features']}, this Suzaku has {features_hash()}; "
                "choose another --out"
            )
        if "steps" not in state:
            raise ValueError(f"{folder} holds a run of an older way to learn; choose another --out")
        self.weights[:], self.model.weights[:] = state["weights"], state["average"]
        self._averaged, self._steps[:] = state["averaged"], state["steps"]
        self._squares[:], self._seen[:], self._hands = state["squares"], state["seen"], state["hands"]

    def save(self, path: Path, about: dict[str, Any]) -> None:
        """The model's file."""
        self.model.about = {**about, "hands": self._hands, "training": self.settings()}
        self.model.save(path)

    def problems(self, path: Path) -> list[str]:
        """What is wrong with the model's file."""
        file = path.with_name(path.name + SUFFIX)
        try:
            if file.exists():
                load_model(file)
        except ModelError as problem:
            return [str(problem)]
        return []

    def next_batch(self) -> tuple[int, int]:
        """The next hands: the number of the first, and how many."""
        return self._hands, min(self.config.step_hands, self.config.hands - self._hands)

    def learn(self, batch: tuple[int, int], step: int) -> Learnt:
        """Play hands and learn from them."""
        first, count = batch
        config = self.config
        total, learnt = learn_hands(
            tables(), shapes(), rules_record(Rules.tenhou()), self.model.number, self.weights, self._steps,
            self._squares, self._seen, self._solo, self._work, config.seed, first, count, config.baseline,
            OPPONENTS[config.opponents], config.explore, config.rate, config.l2 / config.hands,
        )  # fmt: skip
        if not np.isfinite(total):
            raise DivergedError(f"the loss is no longer a finite number after {first:,} hands: try a lower rate")
        self._hands = first + count
        self._add_to_average()
        return Learnt(count, {"loss": total / max(1, learnt)})

    def _add_to_average(self) -> None:
        """Weights after each step, those of step t counting as about t**3: the first ones are soon forgotten."""
        self._averaged += 1
        share = np.float32((AVERAGE + 1) / (self._averaged + AVERAGE))
        self.model.weights += share * (self.weights - self.model.weights)

    def validate(self, step: int) -> Validation:
        """How often it wins with each aim, on hands that it does not learn from."""
        found = self.successes(self.config.eval_hands)
        curve = {f"at_least_{one.aim}_han": one.rate for one in found}
        results = {"hands_learnt": self._hands, "hands_of_each_aim": self.config.eval_hands, **curve}
        return Validation(float(self._hands), curve, results)  # the last is the best: rates differ by chance alone

    def successes(self, hands: int) -> list[Success]:
        """The success rate of every aim."""
        seed = self.config.seed + OTHER_HANDS
        opponents, tiles = OPPONENTS[self.config.opponents], self.config.tiles
        return [success(self.model, aim, opponents, hands, seed, tiles) for aim in range(1, AIMS + 1)]

    def say(self, figures: dict[str, float], validated: dict[str, float]) -> str:
        """The figures in a line."""
        text = f"loss {figures['loss']:.4f}  {figures['rate']:,.0f} hands/s"
        if not validated:
            return text
        rates = " ".join(f"{value:.3f}" for name, value in validated.items() if name != "step")
        return f"{text}  wins with 1, 2, 3, 4 han {rates}"

    def report(self, folder: Path) -> Report:
        """The success rates of the finished model."""
        load_model(folder)
        found = self.successes(4 * self.config.eval_hands)
        lines = ["| aim, han | success rate | hands |", "|---|---|---|"]
        lines += [f"| {one.aim} | {one.rate:.4f} ± {one.half:.4f} | {one.hands:,} |" for one in found]
        return Report([*lines, ""], {"success": [one.rate for one in found]})


def warm_up() -> None:
    """One-player hands."""
    learner = WinningLearner(WinningConfig(hands=20, baseline=10, eval_hands=1))
    learner.learn(learner.next_batch(), 0)
    learner.validate(0)
    samples(learner.model, 1, 0, 1, 0)
