"""Networks on a CPU while they learn: what torch is helped with.

- Kernels beside torch, on as many threads as torch uses.
- The first convolution on sparse planes for torch, with the gradient of its weights; the planes have none.
- Batch norm, the way around a block and ReLU in one step where a network learns on a CPU.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from suzaku.features.sparse import SparsePlanes
from suzaku.networks.cpu_kernels import (
    TILES,
    add_gradient,
    add_up,
    arrange,
    arranged_back,
    convolve,
    cut_gradient,
    norm_and_cut,
    norm_gradient,
)


def in_parts(n: int, work: Callable[[int, int, int], None]) -> None:
    """Share n things among threads: work(part, start, end)."""
    parts = torch.get_num_threads()
    ends = [n * i // parts for i in range(parts + 1)]
    if parts == 1:
        work(0, 0, n)
    else:
        list(_threads(parts).map(work, range(parts), ends[:-1], ends[1:]))


@cache
def _threads(number: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(number, "kernels beside torch")


def sparse_convolution(planes: SparsePlanes, weight: Tensor) -> Tensor:
    """As a convolution over a row of dense planes, bytes as 0..1: float32[n, filters, 1, 34], channels last."""
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


# torch goes over the numbers once for each of them, and moving the numbers is most of what they take. Elsewhere (GPUs,
# playing) torch's own are used. Weights and statistics are those of torch's module; results differ by rounding.

OWN = (torch.float32, torch.bfloat16)


def norm_relu(norm: nn.Module, x: Tensor, around: Tensor | None = None) -> Tensor:
    """relu(norm(x) + around), for pictures one pixel high, channels last."""
    if isinstance(norm, nn.BatchNorm2d) and norm.training and x.device.type == "cpu" and x.dtype in OWN:
        return _learning(norm, x, around)
    y = norm(x)
    return torch.relu_(y if around is None else around + y)


def _learning(norm: nn.BatchNorm2d, x: Tensor, around: Tensor | None) -> Tensor:
    assert norm.momentum is not None
    assert norm.num_batches_tracked is not None
    assert norm.running_mean is not None
    assert norm.running_var is not None
    y, mean, variance = _NormRelu.apply(x, around, norm.weight, norm.bias, norm.eps)
    with torch.no_grad():
        n = x.numel() // x.shape[1]
        norm.num_batches_tracked.add_(1)
        norm.running_mean.lerp_(mean, norm.momentum)
        norm.running_var.lerp_(variance * (n / max(1, n - 1)), norm.momentum)
    return y


class _NormRelu(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, x: Tensor, around: Tensor | None, weight: Tensor, bias: Tensor, epsilon: float
    ) -> tuple[Tensor, Tensor, Tensor]:
        rows = _rows(x)
        sums = _summed(len(rows), rows.shape[1], lambda start, end, into: add_up(rows, start, end, into)) / len(rows)
        with np.errstate(invalid="ignore"):  # a run that diverges finds it in its loss
            mean, variance = sums[0], np.maximum(0, sums[1] - sums[0] ** 2)
        scale = 1 / np.sqrt(variance + epsilon)
        factor = weight.detach().numpy() * scale
        shift = bias.detach().numpy() - mean * factor
        out = np.empty_like(rows)
        beside = rows[:0] if around is None else _rows(around.to(x.dtype))
        a, b = factor.astype(np.float32), shift.astype(np.float32)
        in_parts(len(rows), lambda _, start, end: norm_and_cut(rows, beside, a, b, start, end, out))
        ctx.rows, ctx.out, ctx.mean, ctx.scale, ctx.factor = rows, out, mean, scale, factor
        ctx.shape, ctx.around = x.shape, around is not None
        told = torch.from_numpy(mean.astype(np.float32)), torch.from_numpy(variance.astype(np.float32))
        ctx.mark_non_differentiable(*told)
        return _picture(out, x.shape), *told

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor, *_: Tensor) -> tuple[Tensor | None, ...]:
        rows, given = ctx.rows, _rows(gradient)
        n, channels = rows.shape
        cut = np.empty_like(rows)
        mean = ctx.mean.astype(np.float32)
        sums = _summed(
            n, channels, lambda start, end, into: cut_gradient(rows, ctx.out, given, mean, start, end, into, cut)
        )
        slope = -ctx.factor * ctx.scale**2 * sums[1] / n
        shift = -ctx.factor * sums[0] / n - slope * ctx.mean
        a, b, c = (value.astype(np.float32) for value in (ctx.factor, slope, shift))
        out = np.empty_like(rows)  # not over `cut`: a loop that might read what it wrote goes number by number
        in_parts(n, lambda _, start, end: norm_gradient(rows, cut, a, b, c, start, end, out))
        by_weight, by_bias = (sums[1] * ctx.scale).astype(np.float32), sums[0].astype(np.float32)
        return (
            _picture(out, ctx.shape),
            _picture(cut, ctx.shape) if ctx.around else None,
            torch.from_numpy(by_weight),
            torch.from_numpy(by_bias),
            None,
        )


def _summed(n: int, channels: int, work: Any) -> np.ndarray:
    """Two sums of each channel, float64[2, channels], of rows that are shared among threads."""
    parts = np.zeros((torch.get_num_threads(), 2, channels))
    in_parts(n, lambda part, start, end: work(start, end, parts[part]))
    return parts.sum(0)


def _rows(picture: Tensor) -> np.ndarray:
    """[n, channels, 1, tiles] as rows of channels, without a copy where the channels are last already."""
    rows = picture.detach().permute(0, 2, 3, 1).reshape(-1, picture.shape[1]).contiguous()
    return rows.view(torch.uint16).numpy() if rows.dtype == torch.bfloat16 else rows.numpy()


def _picture(rows: np.ndarray, shape: torch.Size) -> Tensor:
    """The opposite."""
    n, channels, height, width = shape
    picture = torch.from_numpy(rows)
    if rows.dtype == np.uint16:
        picture = picture.view(torch.bfloat16)
    return picture.reshape(n, height, width, channels).permute(0, 3, 1, 2)


def warm_up() -> None:
    """Layers to learn."""
    planes = SparsePlanes(np.zeros(1, np.uint32), np.array([0, 1]), np.ones(1, np.int32), 1)
    add_gradient(planes, np.zeros((1, TILES, 1), np.float32), np.zeros((1, 3), np.float32), 0, 1)
    x, one, sums = np.zeros((1, 1), np.float32), np.zeros(1, np.float32), np.zeros((2, 1))
    add_up(x, 0, 1, sums)
    norm_and_cut(x, x, one, one, 0, 1, x)
    cut_gradient(x, x, x, one, 0, 1, sums, x)
    norm_gradient(x, x, one, one, one, 0, 1, x)
