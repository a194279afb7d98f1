"""The policy gradient with importance weights, eq. (1) of Suphx.

    L(theta) = E_{s,a ~ pi_theta'} [ pi_theta(a|s) / pi_theta'(a|s) A(s, a) ]

theta' are the weights that played: their log-probabilities were written down with the game. With `clip` the weight
counts only within 1 +- clip where going on would raise the objective (PPO): one batch cannot pull the policy far from
the one that was measured. With `reject` the pairs whose weight exceeds it are left out (3.3).
"""

from dataclasses import dataclass

import torch
from torch import Tensor


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
