"""Entropy control, eq. (2) and (3) of Suphx.

The gradient gets alpha times that of the policy's entropy (2), and alpha follows the entropy (3):

    alpha <- alpha + beta (H_target - H)

H is the mean entropy over the decisions of an iteration, of the policy at the temperature that plays. The target is a
multiple of the entropy at the start. alpha may fall below zero: an entropy that rises too high is held back as well.
"""

import torch
from torch import Tensor

from suzaku.rl.config import ALPHA_LIMIT


class EntropyControl:
    """The coefficient of the entropy term."""

    def __init__(self, factor: float, alpha: float, beta: float) -> None:
        self.factor, self.alpha, self.beta = factor, alpha, beta
        self.target = float("nan")  # set by the first iteration

    def follow(self, entropy: float) -> None:
        """Take the entropy of an iteration in."""
        if self.target != self.target:
            self.target = self.factor * entropy
        self.alpha = max(-ALPHA_LIMIT, min(ALPHA_LIMIT, self.alpha + self.beta * (self.target - entropy)))

    def state(self) -> dict[str, float]:
        """What is needed to go on."""
        return {"alpha": self.alpha, "target": self.target}

    def restore(self, state: dict[str, float]) -> None:
        """Go on from there."""
        self.alpha, self.target = state["alpha"], state["target"]


def categorical_entropy(log_probs: Tensor) -> Tensor:
    """The entropy of each row of log-probabilities, -inf where something cannot be chosen."""
    return -(log_probs.exp() * log_probs.masked_fill(torch.isinf(log_probs), 0)).sum(1)


def binary_entropy(logit: Tensor) -> Tensor:
    """The entropy of yes or no, for the logit of yes."""
    yes = torch.sigmoid(logit)
    return -(yes * torch.nn.functional.logsigmoid(logit) + (1 - yes) * torch.nn.functional.logsigmoid(-logit))
