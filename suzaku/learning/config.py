"""The settings of supervised training and of reward prediction."""

from pathlib import Path
from typing import Annotated, ClassVar, Literal

from suzaku.learning.settings import BelowOne, Count, NonNegative, Positive, Seed, Settings, Share, Whole, doc
from suzaku.networks.bundled import bundled
from suzaku.networks.info import checkpoint_of
from suzaku.networks.spec import ModelSpec, model_spec, network_spec


class Config(Settings, frozen=True):
    """What a run of `suzaku train supervised` does; with the same settings and data it does the same again."""

    GROUPS: ClassVar = {"network": "network", "steps": "steps", "auxiliary": "loss", "augment": "data", "seed": "run"}

    network: Annotated[str, doc("the network's name: suphx-b10c128, gao-86, mcr-55-b3x3c64 ...")] = "suphx-b10c128"
    model: Annotated[str, doc("discard, riichi, chow, pong or kong: what the network has")] = "discard"
    start: Annotated[
        str,
        doc(
            "a bundled player, a checkpoint or a folder of them to start from; else fresh weights. One of another "
            "model gives what both have: all but the last layers, and the channels that only one sees"
        ),
    ] = ""
    steps: Annotated[Count, doc("optimiser steps")] = 20_000
    batch: Annotated[Count, doc("samples a step, of all machines together")] = 512
    rate: Annotated[Positive, doc("highest learning rate, after the warm-up; then half a cosine to zero")] = 2e-3
    warm_up: Annotated[Whole, doc("steps until the highest learning rate")] = 500
    decay: Annotated[NonNegative, doc("weight decay of AdamW")] = 0.01
    clip: Annotated[Positive, doc("longest gradient")] = 1.0
    auxiliary: Annotated[NonNegative, doc("weight of the loss of predicting what opponents hold and wait for")] = 0.0
    average: Annotated[
        BelowOne,
        doc("what is kept and evaluated is a moving average of the weights, 0.999 over 1,000 steps; 0: the newest"),
    ] = 0.0
    balance: Annotated[NonNegative, doc("two-way models: 0 takes classes as they come, 1 weighs them equally")] = 0.0
    dropout: Annotated[bool, doc("Gao's networks: drop one half of the values while learning")] = True
    augment: Annotated[bool, doc("exchange suits at random")] = True
    lookahead: Annotated[bool, doc("false leaves the look-ahead channels empty")] = True
    select: Annotated[
        Literal["all", "one", "paper"],
        doc("all decisions, one player a round as Gao et al., or what the network's paper did"),
    ] = "paper"
    players: Annotated[str, doc("only decisions of these players, A,B, or mixed by shares, A=1,others=1")] = ""
    part: Annotated[Count, doc("train on one game in so many, for learning curves")] = 1
    seed: Seed = 1
    eval_every: Annotated[Count, doc("steps between two evaluations on the validation games")] = 1_000
    eval_samples: Annotated[Count, doc("samples of such an evaluation")] = 20_000
    save_every: Annotated[Count, doc("steps between two checkpoints to resume from")] = 500
    workers: Annotated[Count, doc("threads that replay and encode games")] = 1
    bfloat16: Annotated[bool, doc("compute in bfloat16 where the machine has it")] = True

    def check(self) -> None:
        """Refuse settings that do not fit together."""
        from suzaku.records.players import teachers  # here: it loads Numba, and a typo is told before

        if self.auxiliary and network_spec(self.network).family.name != "suphx":
            raise ValueError(f"auxiliary must be 0 for {self.network}: only suphx networks have an auxiliary head")
        teachers(self.players)

    def begins_with(self) -> Path | None:
        """The checkpoint to start from: of a bundled player, of a folder, or the one that is named."""
        if not self.start:
            return None
        player = bundled(self.start)
        return checkpoint_of(player if player.is_dir() and not Path(self.start).exists() else self.start, self.model)

    @property
    def spec(self) -> ModelSpec:
        """The model that learns."""
        return model_spec(self.network, self.model)

    @property
    def one_player(self) -> bool:
        """Whether one player is followed in each round."""
        return self.select == "one" or (self.select == "paper" and network_spec(self.network).family.one_player)


class RewardConfig(Settings, frozen=True):
    """What a run of `suzaku train reward` does; with the same settings and data it does the same again."""

    GROUPS: ClassVar = {"network": "network", "later": "data", "steps": "steps", "seed": "run"}

    network: Annotated[str, doc("the network's name, by its hidden units")] = "reward-h64"
    target: Annotated[str, doc("what places are worth: tenhou, expert or uma (suzaku/learning/reward.py)")] = "tenhou"
    length: Annotated[str, doc("of the games to learn from: hanchan or east")] = "hanchan"
    places: Annotated[NonNegative, doc("weight of the cross entropy of the places beside equation (4); 0: none")] = 0.1
    later: Annotated[Share, doc("share of games that are seen as if they had begun at a later round")] = 0.5
    steps: Annotated[Count, doc("optimiser steps")] = 3_000
    batch: Annotated[Count, doc("games a step, each seen from all four seats")] = 128
    rate: Annotated[Positive, doc("highest learning rate, after the warm-up; then half a cosine to zero")] = 4e-3
    warm_up: Annotated[Whole, doc("steps until the highest learning rate")] = 200
    decay: Annotated[NonNegative, doc("weight decay of AdamW")] = 0.01
    clip: Annotated[Positive, doc("longest gradient")] = 1.0
    seed: Seed = 1
    eval_every: Annotated[Count, doc("steps between two evaluations on the validation games")] = 250
    save_every: Annotated[Count, doc("steps between two checkpoints to resume from")] = 500

    def check(self) -> None:
        """Refuse settings that do not fit together."""
        from suzaku.learning.reward import rewards_of  # here: they load Numba, and a typo is told before
        from suzaku.riichi.rules import LENGTHS

        if self.length not in LENGTHS:
            raise ValueError(f"length must be one of {', '.join(LENGTHS)}, not {self.length!r}")
        rewards_of(self.target, self.length)  # refuses unknown targets
        if network_spec(self.network).family.name != "reward":
            raise ValueError(f"{self.network!r} is not a reward predictor: expected a name such as 'reward-h64'")
