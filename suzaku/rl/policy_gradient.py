"""The policy gradient of Suphx, 3.1: advantages, importance weights, entropy control.

- Advantages: how much better than expected a decision turned out. The paper leaves open how A(s, a) is estimated.
- Entropy control, eq. (2) and (3) of Suphx.
- The policy gradient with importance weights, eq. (1) of Suphx.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from suzaku.kernel import kernel
from suzaku.rl.config import ALPHA_LIMIT

# A seat's decisions in a round are one sequence, and nothing is discounted. The reward of a decision is what comes
# from there on: the same for all of a sequence if it is given at its end, less and less if every decision has its
# own.
#
# - mean: the reward less the mean of all rewards.
# - value: the reward less what a value network expected before the decision.
# - gae: the value network's errors over the rest of the sequence, each weighed less by lambda a decision (Schulman et
#   al. 2016); lambda 1 is "value", lambda 0 looks one decision ahead.


@kernel
def _gae(sequence, value, reward, discount, out):
    """Decisions of one sequence stand one behind the other, in their order."""
    following = 0.0
    for i in range(len(sequence) - 1, -1, -1):
        last = i + 1 == len(sequence) or sequence[i + 1] != sequence[i]
        if last:
            error, following = reward[i] - value[i], 0.0
        else:
            error = reward[i] - reward[i + 1] + value[i + 1] - value[i]
        following = error + discount * following
        out[i] = following


def gae(sequence: np.ndarray, reward: np.ndarray, value: np.ndarray, discount: float) -> np.ndarray:
    """float32[n]: the value network's errors from each decision on, weighed by lambda (`discount`)."""
    out = np.empty(len(reward), np.float32)
    plain = np.ascontiguousarray(value, np.float32), np.ascontiguousarray(reward, np.float32)
    _gae(np.ascontiguousarray(sequence, np.int64), *plain, discount, out)
    return out


def advantages(
    method: str, sequence: np.ndarray, reward: np.ndarray, value: np.ndarray | None, discount: float
) -> np.ndarray:
    """float32[n]: of decisions in sequences (their numbers, equal ones together), with what comes from each on.

    They have mean 0 and deviation 1.
    """
    reward = np.ascontiguousarray(reward, np.float32)
    if method == "mean" or value is None:
        out = reward - reward.mean()
    elif method == "value":
        out = reward - value
    else:
        out = gae(sequence, reward, value, discount)
    return ((out - out.mean()) / max(1e-8, float(out.std()))).astype(np.float32)


# The gradient gets alpha times that of the policy's entropy (2), and alpha follows the entropy (3):
#
#     alpha <- alpha + beta (H_target - H)
#
# H is the mean entropy over the decisions of an iteration, of the policy at the temperature that plays. The target is
# a multiple of the entropy at the start. alpha may fall below zero: an entropy that rises too high is held back as
# well.


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


# L(theta) = E_{s,a ~ pi_theta'} [ pi_theta(a|s) / pi_theta'(a|s) A(s, a) ]
#
# theta' are the weights that played: their log-probabilities were written down with the game. With `clip` the weight
# counts only within 1 +- clip where going on would raise the objective (PPO): one batch cannot pull the policy far
# from the one that was measured. With `reject` the pairs whose weight exceeds it are left out (3.3).


@dataclass
class Weighed:
    """What came of a batch."""

    loss: Tensor  # to be made small
    weights: Tensor  # pi_theta / pi_theta', without gradient
    clipped: float  # share of the decisions whose weight earns nothing more
    kept: Tensor  # float32[n]: 0 for the pairs that are left out, 1 for the others


def policy_loss(log_prob: Tensor, behaviour: Tensor, advantage: Tensor, clip: float, reject: float = 0.0) -> Weighed:
    """The negative of eq. (1) for decisions whose log-probabilities are `log_prob` now and were `behaviour` then."""
    weights = torch.exp((log_prob - behaviour).clamp(-20, 20))
    gain = weights * advantage
    if clip > 0:
        gain = torch.minimum(gain, weights.clamp(1 - clip, 1 + clip) * advantage)
    with torch.no_grad():
        beyond = ((weights - 1) * advantage.sign() > clip).float().mean() if clip > 0 else torch.zeros(())
        kept = (weights <= reject).float() if reject > 0 else torch.ones_like(weights)
    # a weight without bound times 0 would be no number
    loss = -torch.where(kept > 0, gain, 0.0).sum() / kept.sum().clamp(min=1)
    return Weighed(loss, weights.detach(), float(beyond), kept)


def effective_share(weights: Tensor) -> float:
    """The effective sample size of importance weights, as a share of their number: 1 if all are equal."""
    total = weights.sum()
    return float(total * total / (len(weights) * (weights * weights).sum()).clamp(min=1e-12))


def warm_up() -> None:
    """Advantages."""
    advantages("gae", np.zeros(1, np.int64), np.zeros(1), np.zeros(1), 1.0)
