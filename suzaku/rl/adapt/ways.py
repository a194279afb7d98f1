"""Ways from the offline weights along which a policy is adapted: what all trajectories so far say."""

import math
from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor, nn

from suzaku.rl.adapt.clock import Clock
from suzaku.rl.adapt.config import AdaptConfig
from suzaku.rl.natural import NaturalGradient
from suzaku.rl.policy import Flow, minibatch

PIECE = 128  # decisions of which the gradient is worked out at once: the clock is looked at between two
EVERY = 1_000  # more blocks than a network has
FIRST = 0.1  # length of the first trial of a plain step

# puts the mean gradient of the loss over some decisions (rows) into the weights; false if there is no time for it
Gradient = Callable[[Flow, np.ndarray, np.ndarray, Clock], bool]


class PlainWay:
    """The gradient, as it stands."""

    def __init__(self, weights: Sequence[nn.Parameter], gradient: Gradient) -> None:
        self._weights, self._gradient = weights, gradient
        self._sum = [torch.zeros_like(w) for w in weights]

    def add(self, flow: Flow, advantage: np.ndarray, clock: Clock) -> bool:
        """Take in some decisions of the offline policy; false, and nothing, if there is no time for all."""
        if not self._gradient(flow, np.arange(len(flow)), advantage, clock):
            return False
        for total, w in zip(self._sum, self._weights, strict=True):
            if w.grad is not None:  # a model that was not asked has none
                total -= w.grad * len(flow)
        return True

    def first(self, kl: float) -> float:
        """How far to go at first."""
        del kl  # what a weight does to the policy is not known
        return FIRST / max(math.sqrt(sum(float((total * total).sum()) for total in self._sum)), 1e-12)

    @torch.no_grad()
    def go(self, length: float) -> None:
        """Move the weights, from the offline ones."""
        for w, total in zip(self._weights, self._sum, strict=True):
            w.add_(total, alpha=length)


class NaturalWay:
    """The natural gradient of few weights: the last layer, and the norms of the last blocks."""

    def __init__(self, modules: dict[str, nn.Module], config: AdaptConfig) -> None:
        blocks = config.layers - 1 if config.layers else EVERY
        self._natural = NaturalGradient(modules, config.temperature, blocks, config.damping)
        self._steps: dict[str, Tensor] = {}
        self._far = 0.0  # how far they move the policy, as a KL divergence

    def add(self, flow: Flow, advantage: np.ndarray, clock: Clock) -> bool:
        """Take in some decisions of the offline policy; false, and nothing, if there is no time for all."""
        natural = self._natural
        before = dict(natural.fisher), dict(natural.gradient), natural.decisions
        for rows in np.array_split(np.arange(len(flow)), -(-len(flow) // PIECE)):
            if not clock.keep_on():
                natural.fisher, natural.gradient, natural.decisions = before
                return False
            batch = minibatch(flow, rows)
            natural.add(batch, natural.answer(batch)[1], torch.from_numpy(advantage[rows]))
        found = {model: natural.direction(model) for model in natural.fisher}
        self._steps = {model: step for model, (step, _, _) in found.items()}
        self._far = sum(far for _, far, _ in found.values())
        return True

    def first(self, kl: float) -> float:
        """How far to go at first: what the Fisher matrix says."""
        return math.sqrt(kl / max(self._far, 1e-12))

    def go(self, length: float) -> None:
        """Move the weights, from the offline ones."""
        for model, step in self._steps.items():
            self._natural.take(model, length * step)
