"""The first convolution on sparse planes for torch, with the gradient of its weights; the planes have none."""

from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from suzaku.features.sparse import SparsePlanes
from suzaku.networks.first_layer import TILES, add_gradient, arrange, arranged_back, convolve
from suzaku.networks.threads import in_parts


def sparse_convolution(planes: SparsePlanes, weight: Tensor) -> Tensor:
    """As the stem of `suphx.py` on dense planes, bytes as 0..1: float32[n, filters, 1, 34], channels last."""
    return _Convolution.apply(planes, weight)


class _Convolution(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, planes: SparsePlanes, weight: Tensor) -> Tensor:
        ctx.planes = planes
        rows = arrange(weight.detach().float().numpy())
        out = np.empty((len(planes), TILES, len(weight)), np.float32)
        in_parts(len(planes), lambda _, start, end: convolve(planes, rows, out, start, end))
        return _from_rows(out)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[None, Tensor]:
        planes, given = ctx.planes, _to_rows(gradient)
        parts = np.zeros((torch.get_num_threads(), planes.channels, 3 * given.shape[2]), np.float32)
        in_parts(len(planes), lambda part, start, end: add_gradient(planes, given, parts[part], start, end))
        return None, torch.from_numpy(arranged_back(parts.sum(0)))


def _from_rows(rows: np.ndarray) -> Tensor:
    """float32[n, 34, filters] as torch lays a picture out, channels last, without a copy."""
    return torch.from_numpy(rows).permute(0, 2, 1)[:, :, None]


def _to_rows(picture: Tensor) -> np.ndarray:
    """The opposite."""
    return picture.detach()[:, :, 0].permute(0, 2, 1).float().contiguous().numpy()
