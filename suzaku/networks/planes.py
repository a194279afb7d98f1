"""Bytes to numbers, on the device: a batch travels as uint8, a quarter of its size in floats."""

import torch
from torch import Tensor


def as_numbers(planes: Tensor, weight: Tensor) -> Tensor:
    """The planes in the type the next layer computes in."""
    device = planes.device.type
    if torch.is_autocast_enabled(device):  # straight there: bytes are exact in bfloat16 too
        return planes.to(torch.get_autocast_dtype(device))
    return planes.to(weight.dtype)
