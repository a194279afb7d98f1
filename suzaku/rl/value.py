"""The value network: what a round will bring to the seat that is asked."""

import re

import numpy as np
import torch
from torch import Tensor, nn

from suzaku.features.groups import SUPHX_CHANNELS
from suzaku.features.sparse import SparsePlanes
from suzaku.networks.build import carried_over
from suzaku.networks.planes import to_device
from suzaku.networks.run import Planes
from suzaku.networks.suphx import Suphx

AT_ONCE = 1024


START = "start"  # the size, and at first the layers, of the model to start from


def build_value(name: str, planes: int = SUPHX_CHANNELS, start: nn.Module | None = None) -> nn.Module:
    """A network with one value for an answer: of so many blocks and channels, such as b2c32, or like the start's."""
    if name == START:
        if not isinstance(start, Suphx):
            raise ValueError("value_network=start needs a discard model of suphx; write a size such as b2c32")
        return carried_over(start, Suphx(planes, len(start.blocks), start.stem.out_channels, 1), answers=False)
    sizes = re.fullmatch(r"b([1-9]\d?)c([1-9]\d{0,2})", name)
    if not sizes:
        raise ValueError(f"value_network: {name!r} is not a size; write start, or blocks and channels such as b2c32")
    return Suphx(planes, int(sizes[1]), int(sizes[2]), 1)


def predict(module: nn.Module, planes: Planes, device: str, bfloat16: bool = False) -> np.ndarray:
    """float32[n]: the value of every state."""
    module.eval()
    out = []
    with torch.inference_mode(), torch.autocast(device.partition(":")[0], torch.bfloat16, enabled=bfloat16):
        for i in range(0, len(planes), AT_ONCE):
            out.append(module(place(planes[i : i + AT_ONCE], device))[:, 0].float().cpu().numpy())
    return np.concatenate(out)


def place(planes: Planes, device: str) -> Tensor | SparsePlanes:
    """Planes as a module takes them: sparse ones on the CPU alone."""
    return to_device(planes.dense() if isinstance(planes, SparsePlanes) and device != "cpu" else planes, device)


def explained(value: np.ndarray, reward: np.ndarray) -> float:
    """The share of the rewards' variance that the values explain."""
    return float(1 - np.var(reward - value) / max(1e-12, float(np.var(reward))))
