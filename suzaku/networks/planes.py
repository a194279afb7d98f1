"""Bytes to numbers, on the device: a batch travels as uint8, a quarter of its size in floats."""

import numpy as np
import torch
from torch import Tensor

from suzaku.features.sparse import SparsePlanes


def to_device(planes: np.ndarray | SparsePlanes, device: str) -> Tensor | SparsePlanes:
    """What a module takes; sparse planes stay where they are."""
    return planes if isinstance(planes, SparsePlanes) else torch.from_numpy(planes).to(device)


def as_numbers(planes: Tensor, weight: Tensor) -> Tensor:
    """The planes in the type the next layer computes in."""
    device = planes.device.type
    if torch.is_autocast_enabled(device):  # straight there: bytes are exact in bfloat16 too
        return planes.to(torch.get_autocast_dtype(device))
    return planes.to(weight.dtype)
