"""Fine-tuning a copy of the policy on trajectories by the policy gradient (eq. 1), within a KL bound.

- Ways from the offline weights along which a policy is adapted: what all trajectories so far say.
- Fine-tuning a copy of the policy on trajectories by the policy gradient (eq. 1), within a KL bound.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import log_softmax, logsigmoid

from suzaku.agents.network import NetworkAgent
from suzaku.networks.checkpoint import from_tensors
from suzaku.networks.modules import Network
from suzaku.networks.run import has_bfloat16
from suzaku.rl.adapt_config import AdaptConfig, Clock
from suzaku.rl.natural import NaturalGradient
from suzaku.rl.policy import Flow, Minibatch, log_probs, minibatch
from suzaku.rl.policy_gradient import policy_loss

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


PROBE = 512  # decisions at which the distance from the offline policy is measured
HALVINGS = 8  # of a step that goes beyond the bound
GRADIENT = 1.0  # longest gradient of an optimiser step
TRIALS, NEAR = 10, 0.9  # of the search for the step that reaches the bound: trials, near enough

Logits = dict[str, Tensor]  # by model


class Tuner:
    """The models of one seat in one round, as they are adapted.

    `adam`: an optimiser step for every batch of decisions, as long as the KL bound allows it. `gradient`: one step from
    the offline weights along the gradient of all decisions so far, as long as the KL bound. A gradient of some thousand
    trajectories is mostly noise: Adam makes it as large in every weight, the plain one stays within the few directions
    in which the policy moves most. `natural`: the same, but along the natural gradient of few weights.
    """

    def __init__(self, offline: NetworkAgent, config: AdaptConfig) -> None:
        self.config = config
        self.first = modules_of(offline, config.models)
        self.modules = modules_of(offline, config.models)
        layers = 0 if config.step == "natural" else config.layers
        self._weights = [w for module in self.modules.values() for w in chosen_weights(module, layers)]
        self._optimiser = torch.optim.Adam(self._weights, lr=config.rate)
        self._offline = [w for module in self.first.values() for w in chosen_weights(module, layers)]
        natural = config.step == "natural"
        self._way = NaturalWay(self.modules, config) if natural else PlainWay(self._weights, self._gradient)
        self._far = 0.0  # the length of the last step along it
        self.steps = 0
        self.kl = 0.0  # from the offline policy, where it was measured last
        self.bound = False  # whether the last step was cut off at the bound

    def learn(self, flow: Flow, advantage: np.ndarray, seed: tuple[int, ...], clock: Clock) -> None:
        """Learn from decisions, as long as there is time and the bound allows it."""
        rng = np.random.default_rng(seed)
        probe = minibatch(flow, rng.permutation(len(flow))[:PROBE])
        with torch.no_grad(), _autocast():
            start = {model: self.first[model](steps.planes).float() for model, (steps, _) in probe.items()}
        if self.config.step == "adam":
            self._go_through(flow, advantage, probe, start, rng, clock)
        else:
            self._go_along(flow, advantage, probe, start, clock)

    def _go_through(
        self, flow: Flow, advantage: np.ndarray, probe: Minibatch, start: Logits, rng: np.random.Generator, clock: Clock
    ) -> None:
        self.bound = False
        for _ in range(self.config.epochs):
            order = rng.permutation(len(flow))
            parts = max(1, round(len(order) / self.config.batch))
            for rows in np.array_split(order, parts):
                if self.bound or not self._gradient(flow, rows, advantage, clock):
                    return
                before = [w.detach().clone() for w in self._weights]
                nn.utils.clip_grad_norm_(self._weights, GRADIENT)
                self._optimiser.step()
                self.steps += 1
                self._stay_close(before, probe, start, clock)

    def _go_along(self, flow: Flow, advantage: np.ndarray, probe: Minibatch, start: Logits, clock: Clock) -> None:
        adapted = [w.detach().clone() for w in self._weights]
        self._set(self._offline)
        if not self._way.add(flow, advantage, clock):
            self._set(adapted)
            return
        self._far, self.steps = self._far or self._way.first(self.config.kl), self.steps + 1
        best, length = (0.0, 0.0), self._far  # the longest within the bound, with its divergence
        for _ in range(TRIALS):
            if not clock.keep_on():
                break
            self._go(length)
            kl = self._divergence(probe, start)
            if kl <= self.config.kl:
                best = max(best, (length, kl))
            if NEAR * self.config.kl < kl <= self.config.kl:
                break
            wanted = math.sqrt(math.sqrt(NEAR) * self.config.kl / max(kl, 1e-12))  # it grows as the square
            length *= min(max(wanted, 0.1), 10.0)
        if not best[0]:  # no trial was within the bound in time: play with what there is
            self._set(adapted)
            return
        self._far, self.kl = best
        self._go(self._far)

    def _go(self, length: float) -> None:
        self._set(self._offline)
        self._way.go(length)

    def _set(self, weights: Sequence[Tensor]) -> None:
        with torch.no_grad():
            for w, new in zip(self._weights, weights, strict=True):
                w.copy_(new)

    def _gradient(self, flow: Flow, rows: np.ndarray, advantage: np.ndarray, clock: Clock) -> bool:
        """Put the gradient of some decisions (the mean) into the weights; false if there is no time for it."""
        self._optimiser.zero_grad()
        for part in np.array_split(rows, -(-len(rows) // PIECE)):
            if not clock.keep_on():
                return False
            with _autocast():
                now, _ = log_probs(self.modules, minibatch(flow, part), len(part), self.config.temperature)
            behaviour = torch.from_numpy(flow.behaviour[part])
            fine = torch.isfinite(now.detach()) & torch.isfinite(behaviour)
            gained = torch.from_numpy(advantage[part])[fine]
            weighed = policy_loss(now[fine], behaviour[fine], gained, self.config.clip)
            (weighed.loss * (float(fine.sum()) / len(rows))).backward()
        return True

    def _stay_close(self, before: Sequence[Tensor], probe: Minibatch, start: Logits, clock: Clock) -> None:
        """Measure the distance from the offline policy; shorten a step that goes too far."""
        self.kl = self._divergence(probe, start)
        after = [w.detach().clone() for w in self._weights]
        for halving in range(1, HALVINGS + 2):
            if self.kl <= self.config.kl:
                return
            self.bound = True
            share = 0.0 if halving > HALVINGS or not clock.keep_on() else 0.5**halving
            with torch.no_grad():
                for w, old, new in zip(self._weights, before, after, strict=True):
                    w.copy_(torch.lerp(old, new, share))
            self.kl = self._divergence(probe, start)
            if share == 0:
                return

    def _divergence(self, probe: Minibatch, start: Logits) -> float:
        found = []
        with torch.no_grad(), _autocast():
            for model, (steps, _) in probe.items():
                logits = self.modules[model](steps.planes).float()
                found.append(divergence(logits, start[model], steps.legal, self.config.temperature))
        return float(torch.cat(found).mean())

    def tensors(self) -> dict[str, dict[str, Any]]:
        """The adapted weights by model."""
        return {model: module.state_dict() for model, module in self.modules.items()}


def modules_of(agent: NetworkAgent, models: tuple[str, ...]) -> dict[str, nn.Module]:
    """Copies of an agent's models as torch learns them, batch norms as they evaluate."""
    taken = {model: agent.models[model] for model in models}
    return {model: from_tensors(one.tensors, one.spec) for model, one in taken.items()}


def chosen_weights(module: nn.Module, layers: int) -> list[nn.Parameter]:
    """The weights that are adapted; the others need no gradient any more."""
    assert isinstance(module, Network)
    blocks = list(module.blocks)
    parts = [module] if not layers else [module.head, *(blocks[max(0, len(blocks) - (layers - 1)) :])]
    chosen = [w for part in parts for w in part.parameters()]
    kept = {id(w) for w in chosen}
    for w in module.parameters():
        w.requires_grad_(id(w) in kept)
    return chosen


def divergence(logits: Tensor, start: Tensor, legal: np.ndarray, temperature: float) -> Tensor:
    """KL(pi || offline) of each answer: of 34 kinds (where they can go), or of yes and no."""
    if logits.shape[1] != 2:
        barred = torch.from_numpy(~legal)
        new, old = (log_softmax(x.masked_fill(barred, -torch.inf) / temperature, 1) for x in (logits, start))
        return (new.exp() * (new - old).masked_fill(barred, 0)).sum(1)
    new, old = ((x[:, 1] - x[:, 0]) / temperature for x in (logits, start))
    yes = torch.sigmoid(new)
    return yes * (logsigmoid(new) - logsigmoid(old)) + (1 - yes) * (logsigmoid(-new) - logsigmoid(-old))


def _autocast() -> torch.autocast:
    return torch.autocast("cpu", torch.bfloat16, enabled=has_bfloat16("cpu"))
