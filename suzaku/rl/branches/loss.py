"""The loss of learning by rolled-out branches: what the answers are expected to lose, and an anchor at the start.

    L = - E[ d p ] / s  +  anchor * E[ KL(p || p_start) ]

p is the probability of yes, d the labelled difference between yes and no, s the root mean square of all differences:
E[d p] is what the policy gains over always answering no. It is the policy gradient with both actions known: no
importance weights, no baseline. It is linear in d, so labels may be as noisy as they like: few rollouts of many
positions are learnt from without bias. (A logistic loss on the sign of d, weighted by its size, is not linear: noise
without a mean would move it.) With the anchor alone against it, the best log odds of yes are those of the start plus
d / (s anchor).
"""

import torch
from torch import Tensor
from torch.nn.functional import logsigmoid


def branch_loss(logit: Tensor, start: Tensor, difference: Tensor, anchor: float) -> tuple[Tensor, Tensor]:
    """The loss of log odds of yes, for the start's log odds and differences in units of s; and the KL divergence."""
    yes = torch.sigmoid(logit)
    kl = yes * (logsigmoid(logit) - logsigmoid(start)) + (1 - yes) * (logsigmoid(-logit) - logsigmoid(-start))
    return -(difference * yes).mean() + anchor * kl.mean(), kl.mean()
