"""Networks as modules of torch, made from a list of layers (`layers.py`).

- A batch travels as uint8, a quarter of its size in floats. Bytes become numbers on the device.
- A picture is [n, channels, height, width], channels last: what CPUs and GPUs are fastest at. On two cores training
  goes 1.3 to 1.5 times as fast as with one-dimensional convolutions.
- Weights start as He et al.'s (2015) for ReLU. The last batch norm of each block starts at zero, so a block begins as
  the identity and fifty of them train from the first step. The last layer starts small, so all answers begin alike.
- `folded` makes a network to play with: batch norms folded into the convolutions, a block in two calls on a CPU.
- `carried_over` starts a network from the weights of another one.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.fusion import fuse_conv_bn_eval
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from suzaku.features.sparse import SparsePlanes
from suzaku.networks.cpu import norm_relu, sparse_convolution
from suzaku.networks.layers import BESIDE, Layer, Layers
from suzaku.networks.numpy_network import BYTE
from suzaku.networks.spec import model_spec

LAST_DEVIATION = 0.01


def to_device(planes: np.ndarray | SparsePlanes, device: str) -> Tensor | SparsePlanes:
    """What a module takes; sparse planes stay where they are."""
    return planes if isinstance(planes, SparsePlanes) else torch.from_numpy(planes).to(device)


def as_numbers(planes: Tensor, dtype: torch.dtype) -> Tensor:
    """The planes in the type the next layer computes in."""
    device = planes.device.type
    if torch.is_autocast_enabled(device):  # straight there: bytes are exact in bfloat16 too
        return planes.to(torch.get_autocast_dtype(device))
    return planes.to(dtype)


class NormRelu(nn.BatchNorm2d):
    """A batch norm with a ReLU behind it: `norm_relu` does both."""


class FoldedNorm(nn.Identity):
    """What is left of it in a network to play with: the ReLU."""


def run(parts: Iterable[nn.Module], x: Tensor) -> Tensor:
    """Layers one behind the other."""
    for part in parts:
        x = norm_relu(part, x) if isinstance(part, (NormRelu, FoldedNorm)) else part(x)
    return x


class Stack(nn.Sequential):
    """Layers under one name."""

    def __init__(self, layers: Layers) -> None:
        super().__init__()
        for i, layer in enumerate(layers):
            self.add_module(layer.name or f"{layer.op}{i}", made(layer))

    def forward(self, x: Tensor) -> Tensor:
        """A picture in, a picture or values out."""
        return run(self, x)


class Residual(Stack):
    """Layers with a way around them."""

    def forward(self, x: Tensor) -> Tensor:
        """Channels in, as many channels out."""
        *first, last = self
        return norm_relu(last, run(first, x), x)


class Scale(nn.Module):
    """Bytes 0..255 become 0..1."""

    def forward(self, x: Tensor) -> Tensor:
        """Numbers in, as many out."""
        return x * BYTE


class Gru(nn.GRU):
    """Two GRU layers; with `counts`, on the CPU, the rows beyond so many are not worked out."""

    def forward(self, rows: Tensor, counts: Tensor | None = None) -> Tensor:  # type: ignore[override]
        """Rows of numbers in, [n, rounds, width] out: each sees the rows up to it."""
        if counts is None:
            return super().forward(rows)[0]
        packed = pack_padded_sequence(rows, counts, batch_first=True, enforce_sorted=False)
        return pad_packed_sequence(super().forward(packed)[0], batch_first=True, total_length=rows.shape[1])[0]


class ColumnConv(nn.Conv2d):
    """A convolution over few columns that, in training, takes these as channels: each has filters of its own.

    CPUs are slow at convolutions over four columns. On two cores this and `Dropout` double the speed of training.
    """

    def forward(self, x: Tensor) -> Tensor:
        """Planes in, filters out, channels last."""
        if not self.training:
            return super().forward(x)
        n, planes, _, columns = x.shape
        height, width = self.kernel_size
        left = columns - width + 1
        wide = self.weight.new_zeros(left, self.out_channels, columns, planes, height)
        for i in range(left):
            wide[i, :, i : i + width] = self.weight.permute(0, 3, 1, 2)
        rows = x.permute(0, 3, 1, 2).reshape(n, columns * planes, 1, -1)
        y = nn.functional.conv2d(rows, wide.reshape(left * self.out_channels, columns * planes, 1, height))
        return y.reshape(n, left, self.out_channels, -1).permute(0, 2, 3, 1)


class Dropout(nn.Module):
    """Dropout of one half, from single random bits; it can be turned off to learn without."""

    on = True

    def forward(self, x: Tensor) -> Tensor:
        """In training, half of the values at twice their size and zeros."""
        if not (self.training and self.on):
            return x
        bits = torch.empty((x.numel() + 7) // 8, dtype=torch.uint8, device=x.device).random_()
        ones = torch.arange(8, dtype=torch.uint8, device=x.device)
        keep = ((bits[:, None] >> ones) & 1).flatten()[: x.numel()]
        return x * (keep.to(x.dtype) * 2).view(x.shape)


NORMS = {"norm": nn.BatchNorm2d, "norm_relu": NormRelu}
PLAIN = {"relu": nn.ReLU, "scale": Scale, "flatten": nn.Flatten, "dropout": Dropout}


def made(layer: Layer) -> nn.Module:
    """The module of a layer."""
    name, into, out = layer.op, layer.into, layer.out
    if name == "conv":
        kind = ColumnConv if layer.span[0] > 1 and not any(layer.pad) else nn.Conv2d
        return kind(into, out, layer.span, padding=layer.pad, bias=layer.bias)
    if name == "dense":
        return nn.Linear(into, out)
    if name in NORMS:
        return NORMS[name](out)
    if layer.layers:
        return (Stack if name == "stack" else Residual)(layer.layers)
    if name == "gru":
        return Gru(into, out, num_layers=2, batch_first=True)
    return PLAIN[name]()


class Network(Stack):
    """A model: uint8[n, planes, ...] or sparse planes in, logits[n, outputs] out."""

    # of the families that have them
    stem: nn.Conv2d
    blocks: Stack
    head: Stack

    def __init__(self, layers: Layers) -> None:
        super().__init__(layers[1:])
        self.picture = layers[0].op
        self._start()

    def _start(self) -> None:
        """The weights to begin with."""
        parts = list(self.modules())
        trained = [part for part in parts if isinstance(part, (nn.Conv2d, nn.Linear))]
        if trained[-1].weight.is_meta or any(isinstance(part, nn.GRU) for part in parts):
            return  # torch would load its compiler, a second of work, to draw no weights; and it starts GRUs well
        for part in trained:
            nn.init.kaiming_normal_(part.weight, nonlinearity="relu")
            if part.bias is not None:
                nn.init.zeros_(part.bias)
        nn.init.normal_(trained[-1].weight, std=LAST_DEVIATION)
        for block in parts:
            if isinstance(block, Residual):
                nn.init.zeros_(block[-1].weight)  # type: ignore[arg-type]

    def forward(self, planes: Tensor | SparsePlanes, counts: Tensor | None = None) -> Tensor:
        """Bytes in, logits out. Sparse planes are for the CPU, `counts` for a GRU: the rows of each game."""
        x, parts = self._enter(planes, counts)
        return run(parts, x)

    def trunk(self, planes: Tensor | SparsePlanes) -> Tensor:
        """What the last part, the head, is given."""
        x, parts = self._enter(planes)
        return run(parts[:-1], x)

    def _enter(self, planes: Any, counts: Tensor | None = None) -> tuple[Tensor, list[nn.Module]]:
        """The planes as a picture, or what comes of them in the first layer, and the layers behind."""
        first, *behind = parts = list(self)
        if isinstance(planes, SparsePlanes):
            return first_layer(first, planes), behind[1:]  # the scale is done
        if self.picture == "rounds":
            return first(planes, counts), behind
        if self.picture == "units":
            x = planes.permute(0, 2, 1)[:, :, None]  # channels last as it is
        else:
            x = planes[:, :, None] if self.picture == "row" else planes
            x = x.contiguous(memory_format=torch.channels_last)
        return as_numbers(x, next(self.parameters()).dtype), parts


def first_layer(conv: nn.Module, planes: SparsePlanes) -> Tensor:
    """The first convolution on sparse planes, with the scale behind it."""
    assert isinstance(conv, nn.Conv2d)
    x = sparse_convolution(planes, conv.weight)
    if conv.bias is not None:  # a network to play with
        x = x + (conv.bias * BYTE)[:, None, None]
    return x.to(conv.weight.dtype)


def build(network: str, model: str) -> Network:
    """A model of a network, such as build("suphx-b10c128", "discard"); its weights follow torch's random seed."""
    return Network(model_spec(network, model).layers)


@torch.no_grad()
def carried_over(learnt: nn.Module, fresh: Network, answers: bool) -> Network:
    """`fresh` with the weights of a network no larger than it is; with `answers` its last layer too.

    What `fresh` has more of, inputs, channels or residual blocks, starts without weight in what was learnt: where the
    answers are carried over too, it answers as `learnt` does, and has room to learn more.
    """
    known = learnt.state_dict()
    for name, tensor in fresh.state_dict().items():
        given = known.get(name)
        if given is None or (not answers and name.split(".")[-2] == "last"):
            continue
        both = tuple(slice(min(lengths)) for lengths in zip(given.shape, tensor.shape, strict=True))
        if tensor.ndim > 1:
            tensor[both[0]] = 0
        tensor[both] = given[both]
    return fresh


# A block to play with on a CPU: each convolution with its ReLU, and the way around, in one call of oneDNN. These calls
# of torch's are its compiler's own and may change; where one is missing, the plain block plays.

STEP = [1, 1]
TOLERANCE = 0.05, 0.05  # relative and absolute: some roundings of bfloat16


class FusedBlock(nn.Module):
    """A folded block of two convolutions in two calls; it answers as the block does, and rounds less often."""

    def __init__(self, conv1: nn.Conv2d, conv2: nn.Conv2d) -> None:
        super().__init__()
        self.conv1, self.conv2 = conv1, conv2

    def forward(self, x: Tensor) -> Tensor:
        """Channels in, as many channels out."""
        call = torch.ops.mkldnn._convolution_pointwise
        first, second = self.conv1, self.conv2
        y = call(x, first.weight, first.bias, BESIDE, STEP, STEP, 1, "relu", [], "")
        return call.binary(y, x, second.weight, second.bias, BESIDE, STEP, STEP, 1, "add", 1.0, "relu", [], "")


def fuse(block: nn.Module) -> nn.Module:
    """The block in fewer calls if this torch and its processor can, else as it is."""
    convolutions = [part for part in block.children() if isinstance(part, nn.Conv2d)]
    if not isinstance(block, Residual) or len(convolutions) != 2:
        return block
    fused, weight = FusedBlock(*convolutions), convolutions[0].weight
    tried = torch.ones(2, weight.shape[1], 1, 4, dtype=weight.dtype).contiguous(memory_format=torch.channels_last)
    try:
        with torch.inference_mode():
            same = torch.allclose(fused(tried).float(), block(tried).float(), *TOLERANCE)
    except (RuntimeError, AttributeError, NotImplementedError):
        return block
    return fused if same else block


def folded(module: nn.Module, precision: torch.dtype = torch.bfloat16) -> nn.Module:
    """The network, changed in place: it answers as before but for rounding, and can learn no more.

    Its batch norms are folded into the convolutions before them. Converting it once saves doing so for every batch, as
    autocast would.
    """
    for part in list(module.modules()):
        _fold(part)
    module = module.to(precision)
    for part in module.modules():
        if isinstance(part, nn.Conv2d):
            part.weight.data = part.weight.data.contiguous(memory_format=torch.channels_last)
    if next(module.parameters()).device.type == "cpu" and isinstance(module, Network):
        for part in list(module.modules()):
            for name, block in part.named_children():
                setattr(part, name, fuse(block))
    return module


def _fold(part: nn.Module) -> None:
    """Fold the norms among the layers of a module."""
    name, conv, scaled = "", None, False
    for own, layer in list(part.named_children()):
        if isinstance(layer, nn.Conv2d):
            name, conv, scaled = own, layer, False
        elif isinstance(layer, Scale):
            scaled = True
        elif isinstance(layer, nn.BatchNorm2d) and conv is not None:
            fused = fuse_conv_bn_eval(conv, layer)
            if scaled and fused.bias is not None:
                with torch.no_grad():
                    fused.bias *= 255  # the convolution's results are scaled down before the norm
            setattr(part, name, fused)
            setattr(part, own, FoldedNorm() if isinstance(layer, NormRelu) else nn.Identity())
