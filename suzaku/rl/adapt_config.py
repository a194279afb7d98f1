"""The settings of run-time adaptation, and a limit of time that is kept.

- The settings of run-time adaptation; in the name of an agent they stand as `adapt=K,adapt_rate=R` and so on.
- A limit of time that is kept: whether another piece of work fits in, reckoned from the longest piece so far.
"""

import math
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Annotated, ClassVar, Literal

from suzaku.learning.settings import Count, NonNegative, Positive, Seed, Settings, Whole, doc, read_settings
from suzaku.networks.spec import SUPHX

PREFIX = "adapt"


class AdaptConfig(Settings, frozen=True):
    """How a policy is adapted; with the same settings and no limit of time it becomes the same again."""

    GROUPS: ClassVar = {"rollouts": "trajectories", "step": "learning", "reward": "rollouts", "seed": "run"}

    rollouts: Annotated[Whole, doc("K: trajectories at the start of a round")] = 512
    seconds: Annotated[
        NonNegative, doc("longest time of an adaptation, be it at the start of a round or in it; 0: no limit")
    ] = 0.0
    more: Annotated[
        Whole, doc("trajectories at each of the own turns, from the position there (amortised); 0: none")
    ] = 0
    step: Annotated[
        Literal["adam", "gradient", "natural"],
        doc(
            "adam: by batches, at a rate; gradient: one step along the whole gradient, as long as the bound; natural: "
            "the same along the natural gradient of few weights"
        ),
    ] = "adam"
    rate: Annotated[NonNegative, doc("learning rate of Adam")] = 1e-4
    epochs: Annotated[Count, doc("times that the decisions of the trajectories are gone through")] = 1
    batch: Annotated[Count, doc("decisions of an optimiser step")] = 512
    clip: Annotated[
        NonNegative, doc("importance weights beyond 1 ± clip earn nothing (PPO); 0: eq. (1) as it stands")
    ] = 0.2
    kl: Annotated[
        Positive, doc("bound of the mean KL divergence from the offline policy, at the temperature of the rollouts")
    ] = 0.1
    layers: Annotated[
        Whole,
        doc(
            "0: all weights; 1: the head alone; 1 + n: the head and the last n residual blocks; with step=natural the "
            "last layer and the norms of these blocks"
        ),
    ] = 0
    damping: Annotated[
        Positive, doc("of the natural gradient, as a share of the mean of the Fisher matrix' diagonal")
    ] = 0.1
    learn: Annotated[str, doc("the models that are adapted, joined by +")] = "discard"
    reward: Annotated[
        Literal["round", "global"], doc("the points of the round, or the predicted reward of the game")
    ] = "round"
    reward_model: Annotated[str, doc("with reward=global: a checkpoint of `suzaku train reward`, or a bundled one")] = (
        "tenhou"
    )
    temperature: Annotated[Positive, doc("of the own seat in the rollouts; the others play as the agent does")] = 0.5
    repeat: Annotated[
        Count, doc("plays of each redrawn table: each is compared with the others; 1: with the mean of all")
    ] = 16
    chunk: Annotated[
        Count, doc("trajectories between two updates: the next are rolled out with the newest weights")
    ] = 1024
    seed: Seed = 0

    def check(self) -> None:
        """Refuse models that there are not."""
        for model in self.models:
            if model not in SUPHX.models:
                raise ValueError(f"learn: there is no model {model!r}; there are {', '.join(SUPHX.models)}")

    @property
    def models(self) -> tuple[str, ...]:
        """The models that are adapted."""
        return tuple(self.learn.split("+"))

    @property
    def idle(self) -> bool:
        """Whether nothing would be adapted: the agent is the plain one."""
        return not self.rate or not (self.rollouts or self.more)


def read_adapt(given: Mapping[str, str]) -> AdaptConfig:
    """The settings in an agent's name: `adapt` is the number of rollouts, `adapt_NAME` any other."""
    names = {PREFIX: "rollouts"}
    if f"{PREFIX}_rollouts" in given:
        raise ValueError(f"{PREFIX}_rollouts is written {PREFIX}: {PREFIX}=512")
    if PREFIX not in given:
        if f"{PREFIX}_more" not in given:
            raise ValueError(f"{PREFIX}: say by how many rollouts, as in {PREFIX}=512")
        given = {PREFIX: "0", **given}  # amortised alone
    texts = [f"{names.get(key, key.removeprefix(PREFIX + '_'))}={value}" for key, value in given.items()]
    try:
        return read_settings(AdaptConfig, None, texts)
    except ValueError as problem:
        raise ValueError(f"{PREFIX}: {problem}") from None


class Clock:
    """Asked before every piece of work; a piece is what happens between two questions."""

    def __init__(
        self, seconds: float = math.inf, longest: float = 0.0, stopped: Callable[[], bool] = lambda: False
    ) -> None:
        """`longest` is what a piece took before, where that is known; once `stopped`, time is up."""
        self._began = self._asked = monotonic()
        self._stopped = stopped
        self._end = self._began + seconds
        self.longest = longest

    @property
    def limited(self) -> bool:
        """Whether there is a limit."""
        return self._end < math.inf

    def spent(self) -> float:
        """The seconds that are gone."""
        return monotonic() - self._began

    def left(self) -> float:
        """The seconds that are left."""
        return self._end - monotonic()

    def keep_on(self) -> bool:
        """Whether there is time for another piece as long as the longest so far."""
        now = monotonic()
        self.longest = max(self.longest, now - self._asked)
        self._asked = now
        return now + self.longest <= self._end and not self._stopped()
