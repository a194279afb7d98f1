"""The settings of run-time adaptation, and a limit of time that is kept.

- The settings of run-time adaptation; in the name of an agent they stand as `adapt=K,adapt_rate=R` and so on.
- A limit of time that is kept: whether another piece of work fits in, reckoned from the longest piece so far.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import monotonic

from suzaku.learning.settings import above_zero, at_least, read_settings
from suzaku.networks.spec import SUPHX

REWARDS = ("round", "global")
STEPS = ("adam", "gradient", "natural")
PREFIX = "adapt"


@dataclass(frozen=True)
class AdaptConfig:
    """How a policy is adapted; with the same settings and no limit of time it becomes the same again."""

    rollouts: int = 512  # K: trajectories at the start of a round
    seconds: float = 0.0  # longest time of an adaptation, be it at the start of a round or in it; 0: no limit
    more: int = 0  # trajectories at each of the own turns, from the position there (amortised); 0: none
    step: str = "adam"  # adam: by batches, at a rate; gradient: one step along the whole gradient, as long as the
    # bound; natural: the same along the natural gradient of few weights
    rate: float = 1e-4  # learning rate of Adam
    epochs: int = 1  # times that the decisions of the trajectories are gone through
    batch: int = 512  # decisions of an optimiser step
    clip: float = 0.2  # importance weights beyond 1 +- clip earn nothing (PPO); 0: eq. (1) as it stands
    kl: float = 0.1  # bound of the mean KL divergence from the offline policy, at the temperature of the rollouts
    layers: int = 0  # 0: all weights; 1: the head alone; 1 + n: the head and the last n residual blocks; with
    # step=natural the last layer and the norms of these blocks
    damping: float = 0.1  # of the natural gradient, as a share of the mean of the Fisher matrix' diagonal
    learn: str = "discard"  # the models that are adapted, joined by +
    reward: str = "round"  # "round": the points of the round; "global": the predicted reward of the game
    reward_model: str = "tenhou"  # with reward=global: a checkpoint of `suzaku train reward`, or a bundled one
    temperature: float = 0.5  # of the own seat in the rollouts; the others play as the agent does
    repeat: int = 16  # plays of each redrawn table: each is compared with the others; 1: with the mean of all
    chunk: int = 1024  # trajectories between two updates: the next are rolled out with the newest weights
    seed: int = 0

    def __post_init__(self) -> None:
        at_least(self, 1, ("epochs", "batch", "repeat", "chunk"))
        at_least(self, 0, ("rollouts", "seconds", "more", "rate", "clip", "layers", "seed"))
        above_zero(self, ("kl", "damping", "temperature"))
        for name, known in (("reward", REWARDS), ("step", STEPS)):
            if getattr(self, name) not in known:
                raise ValueError(f"{name} must be one of {', '.join(known)}, not {getattr(self, name)!r}")
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
