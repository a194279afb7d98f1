"""Fine-tuning a copy of the policy on trajectories by the policy gradient (eq. 1), within a KL bound."""

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import log_softmax, logsigmoid

from suzaku.agents.network import NetworkAgent
from suzaku.networks.bfloat16 import has_bfloat16
from suzaku.networks.checkpoint import from_tensors
from suzaku.networks.suphx import Suphx
from suzaku.rl.adapt.config import AdaptConfig
from suzaku.rl.adapt.rollouts import KeepOn
from suzaku.rl.loss import policy_loss
from suzaku.rl.policy import Flow, Steps, log_probs, minibatch

PROBE = 512  # decisions at which the distance from the offline policy is measured
HALVINGS = 8  # of a step that goes beyond the bound
GRADIENT = 1.0  # longest gradient


class Tuner:
    """The models of one seat in one round, as they are adapted."""

    def __init__(self, offline: NetworkAgent, config: AdaptConfig) -> None:
        self.config = config
        self.first = modules_of(offline, config.models)
        self.modules = modules_of(offline, config.models)
        self._weights = [w for module in self.modules.values() for w in chosen_weights(module, config.layers)]
        self._optimiser = torch.optim.Adam(self._weights, lr=config.rate)
        self.steps = 0
        self.kl = 0.0  # from the offline policy, where it was measured last
        self.bound = False  # whether the last step was cut off at the bound

    def learn(self, flow: Flow, advantage: np.ndarray, seed: tuple[int, ...], keep_on: KeepOn) -> None:
        """Go through decisions, as long as there is time and the bound allows it."""
        config, rng = self.config, np.random.default_rng(seed)
        self.bound = False
        probe = minibatch(flow, rng.permutation(len(flow))[:PROBE])
        with torch.no_grad(), _autocast():
            start = {model: self.first[model](steps.planes).float() for model, (steps, _) in probe.items()}
        for _ in range(config.epochs):
            order = rng.permutation(len(flow))
            parts = max(1, round(len(order) / config.batch))
            for rows in np.array_split(order, parts):
                if self.bound or not keep_on():
                    return
                self._step(flow, rows, advantage)
                self._stay_close(probe, start)

    def _step(self, flow: Flow, rows: np.ndarray, advantage: np.ndarray) -> None:
        self._before = [w.detach().clone() for w in self._weights]
        with _autocast():
            now, _ = log_probs(self.modules, minibatch(flow, rows), len(rows), self.config.temperature)
        behaviour = torch.from_numpy(flow.behaviour[rows])
        fine = torch.isfinite(now.detach()) & torch.isfinite(behaviour)
        weighed = policy_loss(now[fine], behaviour[fine], torch.from_numpy(advantage[rows])[fine], self.config.clip)
        self._optimiser.zero_grad()
        weighed.loss.backward()
        nn.utils.clip_grad_norm_(self._weights, GRADIENT)
        self._optimiser.step()
        self.steps += 1

    def _stay_close(self, probe: dict[str, tuple[Steps, np.ndarray]], start: dict[str, Tensor]) -> None:
        """Measure the distance from the offline policy; shorten a step that goes too far."""
        self.kl = self._divergence(probe, start)
        after = [w.detach().clone() for w in self._weights]
        for halving in range(1, HALVINGS + 2):
            if self.kl <= self.config.kl:
                return
            self.bound = True
            share = 0.0 if halving > HALVINGS else 0.5**halving
            with torch.no_grad():
                for w, old, new in zip(self._weights, self._before, after, strict=True):
                    w.copy_(torch.lerp(old, new, share))
            self.kl = self._divergence(probe, start)
            if share == 0:
                return

    def _divergence(self, probe: dict[str, tuple[Steps, np.ndarray]], start: dict[str, Tensor]) -> float:
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
    found = {}
    for model in models:
        tensors, info = agent.models[model].tensors, agent.models[model].info
        found[model] = from_tensors(tensors, info["network"], info["model"])
    return found


def chosen_weights(module: nn.Module, layers: int) -> list[nn.Parameter]:
    """The weights that are adapted; the others need no gradient any more."""
    assert isinstance(module, Suphx)
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
