"""The learning rate over the steps of a run."""

import math
from typing import Protocol


class Rates(Protocol):
    """The settings that it follows from."""

    @property
    def rate(self) -> float: ...
    @property
    def warm_up(self) -> int: ...
    @property
    def steps(self) -> int: ...


def learning_rate(config: Rates, step: int) -> float:
    """Up in a line, then down by half a cosine."""
    if step < config.warm_up:
        return config.rate * (step + 1) / config.warm_up
    done = (step - config.warm_up) / max(1, config.steps - config.warm_up)
    return config.rate * 0.5 * (1 + math.cos(math.pi * min(1.0, done)))
