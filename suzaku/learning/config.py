"""The settings of supervised training and of reward prediction.

- The settings of supervised training; read by `settings.py`.
- The settings of `suzaku train reward`; read by `suzaku/learning/settings.py`.
"""

from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from suzaku.learning.settings import above_zero, at_least
from suzaku.networks.bundled import bundled
from suzaku.networks.info import checkpoint_of
from suzaku.networks.spec import ModelSpec, model_spec, network_spec


@dataclass(frozen=True)
class Config:
    """What a run of `suzaku train supervised` does; with the same settings and data it does the same again."""

    network: str = "suphx-b10c128"  # see suzaku/networks/spec.py
    model: str = "discard"  # discard, riichi, chow, pong or kong: what the network has
    start: str = ""  # a bundled player, a checkpoint or a folder of them to start from; else fresh weights.
    # One of another model gives what both have: all but the last layers, and the channels that only one sees
    steps: int = 20_000  # optimiser steps
    batch: int = 512  # samples a step, of all machines together
    rate: float = 2e-3  # highest learning rate, after the warm-up; it then falls to zero by half a cosine
    warm_up: int = 500  # steps until the highest learning rate
    decay: float = 0.01  # weight decay of AdamW
    clip: float = 1.0  # longest gradient
    auxiliary: float = 0.0  # weight of the loss of predicting what the opponents hold and wait for (auxiliary.py)
    average: float = 0.0  # what is kept and looked at is a moving average of the weights, 0.999 over 1,000 steps
    balance: float = 0.0  # two-way models: 0 keeps the classes as they come, 1 weighs them equally
    dropout: bool = True  # Gao's networks: drop one half of the values while learning
    augment: bool = True  # exchange suits at random
    lookahead: bool = True  # False leaves the look-ahead channels empty
    select: str = (
        "paper"  # "all" decisions, "one" player a round as Gao et al., or "paper": what the network's paper did
    )
    players: str = ""  # only the decisions of these players, "Suphx,LuckyJ", or mixed by shares, "Suphx=1,others=1"
    part: int = 1  # train on one game in so many, for learning curves
    seed: int = 1
    eval_every: int = 1_000  # steps between two looks at the validation games
    eval_samples: int = 20_000  # samples of such a look
    save_every: int = 500  # steps between two checkpoints to resume from
    workers: int = 1  # threads that replay and encode games
    bfloat16: bool = True  # compute in bfloat16 where the machine has it

    def __post_init__(self) -> None:
        from suzaku.records.players import teachers  # here: it loads Numba, and a typo is told before

        at_least(self, 1, ("steps", "batch", "eval_every", "eval_samples", "save_every", "workers", "part"))
        at_least(self, 0, ("warm_up", "seed", "decay", "balance", "average", "auxiliary"))
        if self.average >= 1:
            raise ValueError(f"average must be below 1, not {self.average}")
        if self.auxiliary and network_spec(self.network).family.name != "suphx":
            raise ValueError(f"auxiliary must be 0 for {self.network}: only suphx networks have an auxiliary head")
        teachers(self.players)
        above_zero(self, ("rate", "clip"))
        if self.select not in ("all", "one", "paper"):
            raise ValueError(f"select must be all, one or paper, not {self.select!r}")

    def begins_with(self) -> Path | None:
        """The checkpoint to start from: of a bundled player, of a folder, or the one that is named."""
        if not self.start:
            return None
        player = bundled(self.start)
        return checkpoint_of(player if player.is_dir() and not Path(self.start).exists() else self.start, self.model)

    @cached_property
    def spec(self) -> ModelSpec:
        """The model that learns."""
        return model_spec(self.network, self.model)

    @property
    def one_player(self) -> bool:
        """Whether one player is followed in each round."""
        return self.select == "one" or (self.select == "paper" and network_spec(self.network).family.one_player)

    def to_dict(self) -> dict[str, Any]:
        """All settings, as they go into a checkpoint."""
        return asdict(self)


@dataclass(frozen=True)
class RewardConfig:
    """What a run of `suzaku train reward` does; with the same settings and data it does the same again."""

    network: str = "reward-h64"  # see suzaku/networks/spec.py
    target: str = "tenhou"  # what places are worth: tenhou, expert or uma, see reward.py
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
        from suzaku.learning.reward import rewards_of  # here: these load Numba, and a typo is told before
        from suzaku.riichi.rules import LENGTHS

        at_least(self, 1, ("steps", "batch", "eval_every", "save_every"))
        at_least(self, 0, ("warm_up", "seed", "decay", "places", "later"))
        above_zero(self, ("rate", "clip"))
        if self.later > 1:
            raise ValueError(f"later is a share: at most 1, not {self.later}")
        if self.length not in LENGTHS:
            raise ValueError(f"length must be one of {', '.join(LENGTHS)}, not {self.length!r}")
        rewards_of(self.target, self.length)  # refuses unknown targets
        if network_spec(self.network).family.name != "reward":
            raise ValueError(f"{self.network!r} is not a reward predictor: expected a name such as 'reward-h64'")
