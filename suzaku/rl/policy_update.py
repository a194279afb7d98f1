"""One step of the policy: eq. (1) with what holds it back (entropy, distance from the start)."""

import copy
from contextlib import nullcontext
from typing import Any

import numpy as np
import torch
from torch import nn

from suzaku.learning.learner import DivergedError
from suzaku.rl.config import RlConfig
from suzaku.rl.natural import NaturalGradient, check_blocks
from suzaku.rl.oracle import cut_back, hastened
from suzaku.rl.policy import Flow, combine, log_probs, logits_of, minibatch
from suzaku.rl.policy_gradient import EntropyControl, effective_share, policy_loss

DISTANCE_EVERY = 5  # iterations between two times that the distance from the start is reckoned


class PolicyUpdate:
    """The models that learn, and their optimiser."""

    def __init__(self, modules: dict[str, nn.Module], config: RlConfig, autocast: torch.autocast) -> None:
        self.modules, self.config = modules, config
        self.first = copy.deepcopy(modules)  # where it started, for the KL divergence
        self.mean = copy.deepcopy(modules) if config.average else modules  # the player that is saved
        self.optimiser = torch.optim.Adam(self._parameters(), lr=config.rate, fused=True)
        if config.natural:
            check_blocks(modules, config.natural_blocks)
        about = config.temperature, config.natural_blocks, config.damping, config.sure
        self.natural = NaturalGradient(modules, *about) if config.natural else None
        self.clip = 0.0 if config.natural else config.clip  # why not: natural.py
        self.wide = bool(config.oracle)  # it has the oracle channels
        self.entropy = EntropyControl(config.entropy, config.alpha, config.beta)
        self._autocast = autocast

    def _parameters(self) -> list[nn.Parameter]:
        return [weight for module in self.modules.values() for weight in module.parameters()]

    def set_rate(self, factor: float) -> None:
        """Learn at a share of the rate."""
        for group in self.optimiser.param_groups:
            group["lr"] = self.config.rate * factor

    def cut_back(self) -> None:
        """Go on without the oracle channels."""
        self.wide = False
        for model, module in self.modules.items():
            cut_back(module, self.optimiser)
            cut_back(self.first[model])
            if self.config.average:
                cut_back(self.mean[model])

    def end_iteration(self) -> dict[str, float]:
        """Take the natural gradient's one step, if it is that; then let the average follow."""
        moved = self.natural.move(self.config.natural) if self.natural else {}
        self._move_mean()
        return moved

    @torch.no_grad()
    def _move_mean(self) -> None:
        """Let the averaged weights follow the newest ones, once an iteration; so the noise of single steps goes."""
        for model, module in self.modules.items() if self.config.average else ():
            for mean, newest in zip(self.mean[model].parameters(), module.parameters(), strict=True):
                mean.lerp_(newest, 1 - self.config.average)

    def step(
        self, flow: Flow, rows: np.ndarray, gained: np.ndarray, version: int, begun: bool, reject: float
    ) -> dict[str, float]:
        """Learn from some decisions, unless it has not `begun`; pairs with weights above `reject` (if any) are out."""
        config = self.config
        batch = minibatch(flow, rows)
        device = self._parameters()[0].device
        behaviour, advantage = (torch.from_numpy(part[rows]).to(device) for part in (flow.behaviour, gained))
        with self._autocast, torch.set_grad_enabled(begun):
            logits, psi = self.natural.answer(batch) if self.natural and begun else (logits_of(self.modules, batch), {})
            now, entropy = combine(logits, batch, len(rows), config.temperature)
            illegal = torch.isinf(now.detach())  # an alarm; the others are learnt from
            now = torch.where(illegal, behaviour, now)
            if psi:
                now.requires_grad_()  # how the loss depends on it is what a decision is worth
            weighed = policy_loss(now, behaviour, advantage, self.clip, reject)
            loss = weighed.loss - self.entropy.alpha * entropy
        figures = {
            "entropy": float(entropy.detach()),
            "effective": effective_share(weighed.weights),
            "clipped": weighed.clipped,
            "illegal": float(illegal.float().mean()),
            "kl_behaviour": float((behaviour - now.detach()).mean()),
        }
        if reject:
            figures["rejected"] = float(1 - weighed.kept.mean())
        if config.anchor or version % DISTANCE_EVERY == 0:
            with torch.set_grad_enabled(False), self._autocast:
                before, _ = log_probs(self.first, batch, len(rows), config.temperature)
                before = torch.where(illegal, behaviour, before)
            figures["kl_start"] = float((weighed.weights * (now.detach() - before)).mean())
            if config.anchor and begun:
                # half the squared log-ratio has the gradient of KL(pi || start), where the weights make it pi's
                weights = weighed.weights * weighed.kept
                loss = loss + config.anchor * (weights * (now - before) ** 2).mean() / 2
        if not begun:
            return figures
        if not torch.isfinite(loss):
            step = "natural" if self.natural else "rate"  # what says how far a step goes
            raise DivergedError(
                f"the loss is no longer a finite number at iteration {version + 1:,}: try a lower {step}"
            )
        if self.natural:
            (slope,) = torch.autograd.grad(loss, now)
            surprise = weighed.weights * weighed.kept * (now.detach() + entropy)
            worth = -len(rows) * slope - self.entropy.alpha * surprise
            self.natural.add(batch, psi, worth.masked_fill(illegal, 0.0))
            return figures
        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self._parameters(), config.gradient)
        with hastened(self.modules.values(), config.oracle_rate) if self.wide else nullcontext():
            self.optimiser.step()
        return figures

    def log_prob(self, flow: Flow, rows: np.ndarray) -> np.ndarray:
        """float32[rows]: the log-probability that the newest weights give to the answers of some decisions."""
        with torch.no_grad(), self._autocast:
            found, _ = log_probs(self.modules, minibatch(flow, rows), len(rows), self.config.temperature)
        return found.float().cpu().numpy()

    def state(self) -> dict[str, Any]:
        """Weights, optimiser and entropy control."""
        return {
            "modules": {model: module.state_dict() for model, module in self.modules.items()},
            "mean": {model: module.state_dict() for model, module in self.mean.items()},
            "optimiser": self.optimiser.state_dict(),
            "entropy": self.entropy.state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        for model, module in self.modules.items():
            module.load_state_dict(state["modules"][model])
            if self.config.average:
                self.mean[model].load_state_dict(state["mean"][model])
        self.optimiser.load_state_dict(state["optimiser"])
        self.entropy.restore(state["entropy"])
