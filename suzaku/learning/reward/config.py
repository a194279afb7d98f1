"""The settings of `suzaku train reward`; read by `suzaku/learning/settings.py`."""

from dataclasses import dataclass

from suzaku.learning.reward.targets import rewards_of
from suzaku.learning.settings import above_zero, at_least
from suzaku.networks.names import parse


@dataclass(frozen=True)
class RewardConfig:
    """What a run of `suzaku train reward` does; with the same settings and data it does the same again."""

    network: str = "reward-h64"  # see suzaku/networks/names.py
    target: str = "tenhou"  # what places are worth: tenhou, expert or uma, see targets.py
    length: str = "hanchan"  # of the games to learn from: hanchan or east
    places: float = 0.1  # weight of the cross entropy of the places beside equation (4); 0 is equation (4) alone
    later: float = 0.5  # share of games that are seen as if they had begun at a later round
    steps: int = 3_000  # optimiser steps
    batch: int = 128  # games a step, each seen from all four seats
    rate: float = 4e-3  # highest learning rate, after the warm-up; it then falls to zero by half a cosine
    warm_up: int = 200  # steps until the highest learning rate
    decay: float = 0.01  # weight decay of AdamW
    clip: float = 1.0  # longest gradient
    seed: int = 1
    eval_every: int = 250  # steps between two looks at the validation games
    save_every: int = 500  # steps between two checkpoints to resume from

    def __post_init__(self) -> None:
        from suzaku.riichi.presets import LENGTHS  # here: the rules load Numba, and a typo is told before

        at_least(self, 1, ("steps", "batch", "eval_every", "save_every"))
        at_least(self, 0, ("warm_up", "seed", "decay", "places", "later"))
        above_zero(self, ("rate", "clip"))
        if self.later > 1:
            raise ValueError(f"later is a share: at most 1, not {self.later}")
        if self.length not in LENGTHS:
            raise ValueError(f"length must be one of {', '.join(LENGTHS)}, not {self.length!r}")
        rewards_of(self.target, self.length)  # refuses unknown targets
        if parse(self.network).family.name != "reward":
            raise ValueError(f"{self.network!r} is not a reward predictor: expected a name such as 'reward-h64'")
