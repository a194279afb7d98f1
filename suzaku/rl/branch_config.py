"""The settings of learning by rolled-out branches; read by `suzaku/learning/settings.py`."""

from dataclasses import dataclass
from typing import Any

from suzaku.learning.settings import above_zero, at_least

MODELS = ("riichi", "chow", "pong", "kong")
REWARDS = ("round", "global")
REDRAWS = ("wall", "hidden")


@dataclass(frozen=True)
class BranchConfig:
    """What a run of `suzaku train branches` does; with the same settings it does the same again."""

    model: str = "riichi"  # riichi, chow, pong or kong; the others stay
    start: str = "suphx"  # the player to start from: a folder of checkpoints, of runs, or a bundled one
    positions: int = 10_000  # to label: one a round of self-play, of training, validation and test together
    rollouts: int = 4  # of each branch of a position; for the same time, more positions teach more than more of these
    redraw: str = "wall"  # "wall": the unseen wall; "hidden": also the others' hands, as if all were equally likely
    reward: str = "round"  # "round": points at the end of the round; "global": the predicted reward of the game
    reward_model: str = "tenhou"  # with reward=global: a checkpoint of `suzaku train reward`, or a bundled one
    temperature: float = 0.0  # of all players, in self-play and in the rollouts
    length: str = "hanchan"  # of the games that the rounds belong to
    rounds: int = 128  # of self-play in a part of the labels: what an interrupt may cost
    labels: str = ""  # a folder of labels made before, to learn from them again; else those of the run
    steps: int = 300  # of the optimiser
    batch: int = 256  # positions of a step
    rate: float = 3e-4  # learning rate of Adam
    anchor: float = 0.05  # weight of the KL divergence from the start, see `loss.py`
    gradient: float = 1.0  # longest gradient
    augment: bool = True  # exchange suits at random
    seed: int = 1
    eval_every: int = 20  # steps between two looks at the validation positions
    save_every: int = 100  # steps between two states to resume from

    def __post_init__(self) -> None:
        at_least(self, 1, ("positions", "rounds", "steps", "batch", "eval_every", "save_every"))
        at_least(self, 2, ("rollouts",))  # of one nobody could say how sure it is
        at_least(self, 0, ("temperature", "anchor", "seed"))
        above_zero(self, ("rate", "gradient"))
        for name, value, known in (
            ("model", self.model, MODELS),
            ("redraw", self.redraw, REDRAWS),
            ("reward", self.reward, REWARDS),
        ):
            if value not in known:
                raise ValueError(f"{name} must be one of {', '.join(known)}, not {value!r}")

    def of_labels(self) -> dict[str, Any]:
        """The settings that labels follow from, beside the weights of the player."""
        names = ("model", "rollouts", "redraw", "reward", "temperature", "length", "rounds", "seed")
        found = {name: getattr(self, name) for name in names}
        return {**found, "reward_model": self.reward_model if self.reward == "global" else ""}
