"""The natural policy gradient over few weights (Amari 1998, Kakade 2002).

    theta <- theta + rate (F + damping)^-1 g,    F = E [ psi psi^T ],    psi = grad log pi_theta(a | s)

g = E [ c psi ] is the gradient of eq. (1) and (2) over all decisions of an iteration: c is a decision's importance
weight times its advantage, and for the entropy -alpha (log pi + H), whose mean gradient is alpha times that of H.

What luck adds to g moves the policy, as its KL divergence goes, by rate^2 / 2 times the number of weights over that of
decisions, whatever the weights are. A hundred thousand decisions tell something of some hundred directions, and next to
nothing of 300,000. So few weights learn: the last layer, and a scale and a shift of every channel behind the norms of
the last blocks. One step is taken an iteration; all other weights stay as they were. Where an answer is all but certain
psi is nearly nothing, and such positions can be left out: a quarter of `weak`'s discards.

Importance weights are not clipped here. Where a step made an answer likelier, clipping drops what the answer won and
keeps what it lost; since nearly all of an advantage is luck, that is no brake but a push back, far stronger than what
is to be learnt, and each step undoes the one before.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch
from torch import Tensor, nn

from suzaku.rl.policy import Minibatch, answers_of, log_policy, step_log_prob

MOST = 10_000  # weights: the Fisher matrix has 0.8 GB, and with what a step makes of it there are five of them


def surely_left_out(behaviour: np.ndarray, sure: float) -> np.ndarray:
    """bool[n]: decisions whose position will be left out as a sure one, by the log-probability of the given answer.

    It is the newest weights that leave positions out, whichever answer was given. Here only the given one is known: at
    the same limit the usual answer would go and the rare one might stay, which bends the gradient. So the limit is
    stricter.
    """
    return behaviour > math.log(1 - (1 - sure) / 4)


def last_layer(module: nn.Module) -> nn.Linear | nn.Conv2d:
    """The layer of a model that gives its answers."""
    found = getattr(getattr(module, "head", module), "last", None)
    if not isinstance(found, nn.Linear | nn.Conv2d):
        raise ValueError("natural needs networks with a last layer of their own: set natural=0")
    return found


def check_blocks(modules: dict[str, nn.Module], blocks: int) -> None:
    """Refuse more blocks than a network has."""
    for model, module in modules.items():
        if blocks > (has := len(getattr(module, "blocks", []))):
            raise ValueError(f"natural_blocks must be at most {has}, the blocks of the {model} model, not {blocks}")


def last_norms(module: nn.Module, blocks: int) -> list[nn.BatchNorm2d]:
    """The batch norms of the last blocks."""
    found = list(getattr(module, "blocks", []))[-blocks:] if blocks else []
    return [norm for block in found for norm in block.modules() if isinstance(norm, nn.BatchNorm2d)]


@contextmanager
def outputs_of(norms: list[nn.BatchNorm2d]) -> Iterator[list[Tensor]]:
    """What comes out of these norms: [n, channels, 1, tiles] each."""
    found: list[Tensor] = []

    def keep(_: nn.Module, given: tuple[Tensor], out: Tensor) -> Tensor:
        found.append(out if out.requires_grad else out.requires_grad_())
        return out.clone()  # what follows may write over it

    hooks = [norm.register_forward_hook(keep) for norm in norms]
    try:
        yield found
    finally:
        for hook in hooks:
            hook.remove()


def norm_scores(out: Tensor, wanted: Tensor) -> list[Tensor]:
    """psi of a scale and of a shift behind a norm, [n, channels] each; log pi has the gradient `wanted` in `out`."""
    return [(wanted * out.detach()).sum((2, 3)), wanted.sum((2, 3))]


def layer_scores(features: Tensor, wanted: Tensor) -> Tensor:
    """psi of a last layer, [n, weights and biases]; log pi has the gradient `wanted`[n, answers] in the logits."""
    if features.dim() == 4:  # one answer a tile, from the same weights
        each = torch.einsum("ncht,nt->nc", features, wanted)
        return torch.cat([each, wanted.sum(1, keepdim=True)], 1)
    return torch.cat([torch.einsum("nc,no->noc", features, wanted).flatten(1), wanted], 1)


class NaturalGradient:
    """The Fisher matrix and the gradient of an iteration, for each model, and the step that comes of them."""

    def __init__(
        self, modules: dict[str, nn.Module], temperature: float, blocks: int, damping: float, sure: float = 1.0
    ) -> None:
        self.modules, self.temperature, self.damping = modules, temperature, damping
        self.sure = math.log(sure)
        self.layers = {model: last_layer(module) for model, module in modules.items()}
        self.norms = {model: last_norms(module, blocks) for model, module in modules.items()}
        for model, module in modules.items():
            weights = sum(w.numel() for w in self.layers[model].parameters())
            weights += sum(2 * len(norm.weight) for norm in self.norms[model])
            if weights > MOST:
                raise ValueError(
                    f"the natural gradient over {weights:,} weights of the {model} model would need matrices of "
                    f"{8 * weights**2 / 1e9:,.1f} GB: at most {MOST:,} weights may learn, take fewer blocks or layers"
                )
            module.requires_grad_(False)  # gradients go to the norms' outputs alone
        self.clear()

    def clear(self) -> None:
        """Begin an iteration."""
        self.fisher: dict[str, Tensor] = {}
        self.gradient: dict[str, Tensor] = {}
        self.decisions = 0

    def answer(self, batch: Minibatch) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
        """By model: the logits at the steps of a batch, and psi of the answers given there.

        psi is 0 where some answer is surer than `sure`, whichever was given: without one answer alone it would be bent.
        """
        logits, psi = {}, {}
        for model, (steps, _) in batch.items():
            given: list[Tensor] = []
            hook = self.layers[model].register_forward_pre_hook(lambda _, x, given=given: given.append(x[0]))
            try:
                with torch.enable_grad(), outputs_of(self.norms[model]) as outputs:
                    said = answers_of(self.modules[model], steps)
            finally:
                hook.remove()
            said = said if outputs else said.requires_grad_()
            with torch.enable_grad():
                chosen, _ = step_log_prob(model, said, steps, self.temperature)
                wanted, *own = torch.autograd.grad(chosen.sum(), [said, *outputs])
            parts = [part for out, each in zip(outputs, own, strict=True) for part in norm_scores(out, each)]
            parts.append(layer_scores(given[0].detach().float(), wanted))
            logits[model] = said.detach()
            open_ = log_policy(logits[model], steps, self.temperature).amax(1) <= self.sure
            psi[model] = torch.cat(parts, 1) * open_[:, None]
        return logits, psi

    def add(self, batch: Minibatch, psi: dict[str, Tensor], worth: Tensor) -> None:
        """Take in a batch of decisions: psi of their steps, and c, what each is worth."""
        for model, one in psi.items():
            whose = torch.from_numpy(batch[model][1]).to(one.device)
            self.fisher[model] = self.fisher.get(model, 0) + (one.T @ one).double()
            self.gradient[model] = self.gradient.get(model, 0) + (one.T @ worth[whose]).double()
        self.decisions += len(worth)

    @torch.no_grad()
    def direction(self, model: str) -> tuple[Tensor, float, float]:
        """The step of rate 1; how far it moves the policy, as a KL divergence, and how far luck alone would move it."""
        fisher, gradient = self.fisher[model] / self.decisions, self.gradient[model] / self.decisions
        damped = fisher + self.damping * fisher.diagonal().mean() * torch.eye(len(fisher)).to(fisher)
        step, shrunk = torch.linalg.solve(damped, gradient), torch.linalg.solve(damped, fisher)
        luck = float((shrunk * shrunk.T).sum()) / (2 * self.decisions)  # the trace of its square
        return step.float(), float(step @ fisher @ step) / 2, luck

    def move(self, rate: float) -> dict[str, float]:
        """Take the step; how far it moves the policy, and how far luck alone would move it."""
        moved = luck = 0.0
        for model in self.fisher:
            step, far, by_luck = self.direction(model)
            moved, luck = moved + rate**2 * far, luck + rate**2 * by_luck
            self.take(model, rate * step)
        self.clear()
        return {"natural_step": moved, "natural_luck": luck}

    @torch.no_grad()
    def take(self, model: str, step: Tensor) -> None:
        """Put the step into the weights: in the order of psi."""
        for norm in self.norms[model]:
            scale, shift, step = step.split([len(norm.weight), len(norm.bias), len(step) - 2 * len(norm.weight)])
            norm.weight.mul_(1 + scale)
            norm.bias.mul_(1 + scale).add_(shift)
        for weight in self.layers[model].parameters():
            mine, step = step.split([weight.numel(), len(step) - weight.numel()])
            weight.add_(mine.reshape(weight.shape))
