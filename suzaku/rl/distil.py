"""Distillation from an oracle that is kept close (Suphx, section 6): both learn from the games of the player.

The oracle has the player's network with the oracle channels. It follows the same policy gradient, eq. (1), with its own
importance weights; its distance from the player and the player's from it are held down by

    closeness * KL(pi_oracle || pi_player)

each by its own weights: what the oracle knows reaches the player as far as the player can tell it from what it sees.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import kl_div

from suzaku.features.oracle import encode_sparse
from suzaku.features.sparse import SparsePlanes
from suzaku.rl.config import RlConfig
from suzaku.rl.policy import Flow, Minibatch, Steps, combine, log_policy, logits_of
from suzaku.rl.policy_gradient import policy_loss
from suzaku.table.tables import take


def divergence(of: dict[str, Tensor], other: dict[str, Tensor], batch: Minibatch, temperature: float) -> Tensor:
    """The mean over the steps of a batch of KL(of || other), each given by logits."""
    found = []
    for model, (steps, _) in batch.items():
        p, q = (log_policy(logits[model], steps, temperature) for logits in (of, other))
        each = kl_div(q.clamp(min=-1e9), p.clamp(min=-1e9), reduction="none", log_target=True)
        found.append(each.sum(1))
    return torch.cat(found).mean()


class Distillation:
    """The oracle beside the player."""

    def __init__(self, modules: dict[str, nn.Module], config: RlConfig, autocast: torch.autocast) -> None:
        self.modules, self.config, self._autocast = modules, config, autocast
        self._parameters = [weight for module in modules.values() for weight in module.parameters()]
        self.optimiser = torch.optim.Adam(self._parameters, lr=config.rate, fused=True)

    def learn(
        self, flow: Flow, batch: Minibatch, player: dict[str, Tensor], behaviour: Tensor, advantage: Tensor
    ) -> tuple[Tensor, dict[str, float]]:
        """One step of the oracle; the term that draws the player, given by its logits, after it, and figures."""
        closeness, temperature = self.config.closeness, self.config.temperature
        seen = {model: (self._with_hidden(flow, steps), place) for model, (steps, place) in batch.items()}
        with self._autocast:
            logits = logits_of(self.modules, seen)
        now, _ = combine(logits, seen, len(behaviour), temperature)
        now = torch.where(torch.isinf(now.detach()), behaviour, now)
        weighed = policy_loss(now, behaviour, advantage, self.config.clip)
        fixed = {model: one.detach() for model, one in player.items()}
        apart = divergence(logits, fixed, batch, temperature)
        loss = weighed.loss + closeness * apart
        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self._parameters, self.config.gradient)
        self.optimiser.step()
        taught = {model: one.detach() for model, one in logits.items()}
        term = closeness * divergence(taught, player, batch, temperature)
        return term, {"kl_oracle": float(apart.detach()), "oracle_clipped": weighed.clipped}

    @staticmethod
    def _with_hidden(flow: Flow, steps: Steps) -> Steps:
        assert isinstance(steps.planes, SparsePlanes)
        hidden = encode_sparse(take(flow.decisions.records, np.asarray(steps.row)))
        return replace(steps, planes=steps.planes.before(hidden))

    def state(self) -> dict[str, Any]:
        """Weights and optimiser."""
        weights = {model: module.state_dict() for model, module in self.modules.items()}
        return {"modules": weights, "optimiser": self.optimiser.state_dict()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        for model, module in self.modules.items():
            module.load_state_dict(state["modules"][model])
        self.optimiser.load_state_dict(state["optimiser"])
