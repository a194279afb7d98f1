"""The critic: a value network that says what a round will bring to the seat that is asked.

It sees what the seat sees, or as an oracle critic (`critic=oracle`) all hands and the wall. Nothing else in the room
knows what it sees: `Critic.planes` is the one place.
"""

import copy
import re
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from suzaku.features.channels import ORACLE_CHANNELS, SUPHX_CHANNELS
from suzaku.features.oracle import encode_sparse
from suzaku.features.sparse import SparsePlanes
from suzaku.networks.layers import suphx
from suzaku.networks.modules import Network, carried_over, to_device
from suzaku.networks.run import Planes

STATES_AT_ONCE = 1024


START = "start"  # the size, and at first the layers, of the model to start from


def build_value(name: str, planes: int = SUPHX_CHANNELS, start: Network | None = None) -> Network:
    """A network with one value for an answer: of so many blocks and channels, such as b2c32, or like the start's."""
    if name == START:
        if start is None or start.picture != "row":
            raise ValueError("value_network=start needs a discard model of suphx; write a size such as b2c32")
        fresh = Network(suphx(planes, 1, len(start.blocks), start.stem.out_channels))
        return carried_over(start, fresh, answers=False)
    sizes = re.fullmatch(r"b([1-9]\d?)c([1-9]\d{0,2})", name)
    if not sizes:
        raise ValueError(f"value_network: {name!r} is not a size; write start, or blocks and channels such as b2c32")
    return Network(suphx(planes, 1, int(sizes[1]), int(sizes[2])))


def predict(module: nn.Module, planes: Planes, device: str, bfloat16: bool = False) -> np.ndarray:
    """float32[n]: the value of every state."""
    module.eval()
    out = []
    with torch.inference_mode(), torch.autocast(device.partition(":")[0], torch.bfloat16, enabled=bfloat16):
        for i in range(0, len(planes), STATES_AT_ONCE):
            out.append(module(place(planes[i : i + STATES_AT_ONCE], device))[:, 0].float().cpu().numpy())
    return np.concatenate(out)


def place(planes: Planes, device: str) -> Tensor | SparsePlanes:
    """Planes as a module takes them: sparse ones on the CPU alone."""
    return to_device(planes.dense() if isinstance(planes, SparsePlanes) and device != "cpu" else planes, device)


def explained(value: np.ndarray, reward: np.ndarray) -> float:
    """The share of the rewards' variance that the values explain."""
    return float(1 - np.var(reward - value) / max(1e-12, float(np.var(reward))))


# The value network judges every decision. It sees what the seat sees, or as an oracle critic (`everything`) all hands
# and the wall (Suphx, section 6): the policy it judges is none the wiser.
#
# A round's points are mostly noise, and a network that has just learnt from some rounds says too much of them. So what
# judges is a moving average of the weights: over about the last tenth of the steps, later over five hundred.

AT_ONCE = 512  # states of an optimiser step
JUDGED = 8192  # states whose planes are held together while they are judged
AVERAGE = 0.998  # share of the averaged weights that a step keeps


class Critic:
    """A network of one value, and how it learns."""

    def __init__(
        self,
        name: str,
        everything: bool,
        rate: float,
        gradient: float,
        device: str,
        bfloat16: bool,
        channels: int = SUPHX_CHANNELS,
        start: Network | None = None,
    ) -> None:
        """A network of a size over the first `channels` of what the policy sees, and behind them, if it is so, all.

        `start` is the model whose layers it begins with, if its size is "start".
        """
        self.everything, self.gradient, self.device, self.bfloat16 = everything, gradient, device, bfloat16
        self.channels = channels
        self.module = build_value(name, channels + (ORACLE_CHANNELS if everything else 0), start).to(device)
        self.mean = copy.deepcopy(self.module)  # what judges
        self.steps = 0
        self.optimiser = torch.optim.Adam(self.module.parameters(), lr=rate, fused=True)

    def planes(self, seen: Planes, records: np.ndarray) -> Planes:
        """What it sees of decisions, by what the policy saw, with or without perfect features."""
        if not isinstance(seen, SparsePlanes):
            return seen
        visible = seen.first(self.channels)
        return visible.before(encode_sparse(records)) if self.everything else visible

    def predict(self, planes: Planes) -> np.ndarray:
        """float32[n]: the value of every state."""
        return predict(self.mean, planes, self.device, self.bfloat16)

    def judge(self, seen: Planes, records: np.ndarray) -> np.ndarray:
        """The same by what the policy saw; what the critic sees is held for some states at a time."""
        parts = (slice(start, start + JUDGED) for start in range(0, len(records), JUDGED))
        return np.concatenate([self.predict(self.planes(seen[part], records[part])) for part in parts])

    def learn(self, planes: Planes, reward: np.ndarray) -> None:
        """Some steps towards the rewards of a batch."""
        for start in range(0, len(reward), AT_ONCE):
            self._step(planes[start : start + AT_ONCE], reward[start : start + AT_ONCE])

    def _step(self, planes: Planes, reward: np.ndarray) -> None:
        self.module.train()
        with torch.autocast(self.device.partition(":")[0], torch.bfloat16, enabled=self.bfloat16):
            said = self.module(place(planes, self.device))[:, 0]
        loss = nn.functional.mse_loss(said.float(), torch.from_numpy(reward).to(self.device))
        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.module.parameters(), self.gradient)
        self.optimiser.step()
        self.steps += 1
        self._follow(1 - min(AVERAGE, self.steps / (self.steps + 9)))

    @torch.no_grad()
    def _follow(self, share: float) -> None:
        """Let the averaged weights, and what the norms have seen, come nearer to the newest ones."""
        for mean, newest in zip(self.mean.state_dict().values(), self.module.state_dict().values(), strict=True):
            if mean.is_floating_point():
                mean.lerp_(newest, share)
            else:
                mean.copy_(newest)  # a count

    def state(self) -> dict[str, Any]:
        """Weights and optimiser."""
        return {
            "module": self.module.state_dict(),
            "mean": self.mean.state_dict(),
            "steps": self.steps,
            "optimiser": self.optimiser.state_dict(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self.module.load_state_dict(state["module"])
        self.mean.load_state_dict(state["mean"])
        self.steps = state["steps"]
        self.optimiser.load_state_dict(state["optimiser"])
