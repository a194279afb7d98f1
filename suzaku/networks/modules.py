"""The torch modules of all families.

- Bytes to numbers, on the device: a batch travels as uint8, a quarter of its size in floats.
- The weights that networks start with.
- Suphx's network (Fig. 4 and 5): 3x1 convolutions over the 34 tiles, a deep stack of residual blocks, no pooling.
- Gao et al.'s network: three blocks of 5x2 convolutions over 34 tiles x 4 copies, a dense layer, the answers.
- The network of the MCR paper (3.2): convolutions over stacked units, the 34 kinds being the channels.
- The reward predictor (Suphx, Fig. 7): two GRU layers and two dense layers over the rounds of a game.
- A network with fresh weights, by its name; and one that goes on from another model's weights.
"""

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from suzaku.features.sparse import SparsePlanes
from suzaku.networks.cpu import norm_relu, sparse_convolution
from suzaku.networks.names import inputs, outputs, parse


def to_device(planes: np.ndarray | SparsePlanes, device: str) -> Tensor | SparsePlanes:
    """What a module takes; sparse planes stay where they are."""
    return planes if isinstance(planes, SparsePlanes) else torch.from_numpy(planes).to(device)


def as_numbers(planes: Tensor, weight: Tensor) -> Tensor:
    """The planes in the type the next layer computes in."""
    device = planes.device.type
    if torch.is_autocast_enabled(device):  # straight there: bytes are exact in bfloat16 too
        return planes.to(torch.get_autocast_dtype(device))
    return planes.to(weight.dtype)


LAST_DEVIATION = 0.01


def start_weights(network: nn.Module, last: nn.Conv2d | nn.Linear) -> None:
    """He et al.'s (2015) for ReLU, no biases; the last layer starts small, so that all answers begin alike."""
    if last.weight.is_meta:
        return  # a network without weights; torch would load its compiler, a second of work, to draw none
    for part in network.modules():
        if isinstance(part, (nn.Conv2d, nn.Linear)):
            nn.init.kaiming_normal_(part.weight, nonlinearity="relu")
            if part.bias is not None:
                nn.init.zeros_(part.bias)
    nn.init.normal_(last.weight, std=LAST_DEVIATION)


# The paper leaves open, and is chosen here: - A block is convolution, batch norm, ReLU, convolution, batch norm, plus
# the block's input, ReLU. Zeros stand beside   the first and the last tile ("same" padding). A convolution before a
# batch norm has no bias of its own. - The suits are one row, as in the paper: 9m has 1p for a neighbour, and the
# network learns where a suit ends. - The dense head: 1x1 convolution to 32 channels, batch norm, ReLU, dense 256,
# ReLU, dense 2. - The discard head: 1x1 convolution to one value a tile, with a bias. - Weights start as He et al.'s
# (2015) for ReLU. The last batch norm of each block starts at zero, so a block begins as   the identity and fifty of
# them train from the first step; the last layer starts small, so all answers begin alike. - Bytes 0..255 become 0..1.
#
# The row of tiles is laid out as a picture one pixel high, channels last: what CPUs and GPUs are fastest at (on two
# cores training goes 1.3 to 1.5 times as fast as with one-dimensional convolutions).

TILES = 34
SPAN = (1, 3)  # of a convolution
BESIDE = (0, 1)  # zeros at either end
HEAD_CHANNELS = 32
HEAD_WIDTH = 256


class Block(nn.Module):
    """Two convolutions with a way around them."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, SPAN, padding=BESIDE, bias=False)
        self.norm1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, SPAN, padding=BESIDE, bias=False)
        self.norm2 = nn.BatchNorm2d(channels)

    def forward(self, x: Tensor) -> Tensor:
        """Channels in, as many channels out."""
        y = norm_relu(self.norm1, self.conv1(x))
        return norm_relu(self.norm2, self.conv2(y), x)


class TileHead(nn.Module):
    """One value a tile."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.last = nn.Conv2d(channels, 1, 1)

    def forward(self, x: Tensor) -> Tensor:
        """Channels in, 34 values out."""
        return self.last(x).flatten(1)


class DenseHead(nn.Module):
    """A few values for the whole state."""

    def __init__(self, channels: int, outputs: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels, HEAD_CHANNELS, 1, bias=False)
        self.norm = nn.BatchNorm2d(HEAD_CHANNELS)
        self.dense = nn.Linear(HEAD_CHANNELS * TILES, HEAD_WIDTH)
        self.last = nn.Linear(HEAD_WIDTH, outputs)

    def forward(self, x: Tensor) -> Tensor:
        """Channels in, a value an answer out."""
        y = norm_relu(self.norm, self.conv(x))
        return self.last(torch.relu(self.dense(y.flatten(1))))


class Suphx(nn.Module):
    """A Suphx model: uint8[n, planes, 34] or their cells in, logits[n, outputs] out; 34 outputs are one a tile."""

    def __init__(self, planes: int, blocks: int, channels: int, outputs: int) -> None:
        super().__init__()
        self.stem = nn.Conv2d(planes, channels, SPAN, padding=BESIDE, bias=False)
        self.norm = nn.BatchNorm2d(channels)
        self.blocks = nn.Sequential(*(Block(channels) for _ in range(blocks)))
        self.head: TileHead | DenseHead = TileHead(channels) if outputs == TILES else DenseHead(channels, outputs)
        start_weights(self, self.head.last)
        for block in self.blocks:
            nn.init.zeros_(block.norm2.weight)  # type: ignore[arg-type, union-attr]

    def forward(self, planes: Tensor | SparsePlanes) -> Tensor:
        """Bytes in, logits out; sparse planes are for the CPU."""
        return self.head(self.trunk(planes))

    def trunk(self, planes: Tensor | SparsePlanes) -> Tensor:
        """Bytes in, what the head sees out."""
        if isinstance(planes, SparsePlanes):
            x = sparse_convolution(planes, self.stem.weight)
            if self.stem.bias is not None:  # a network to play with (`fold.py`)
                x = x + (self.stem.bias * (1 / 255))[:, None, None]
            x = x.to(self.stem.weight.dtype)
        else:
            x = planes[:, :, None].contiguous(memory_format=torch.channels_last)
            x = self.stem(as_numbers(x, self.stem.weight)) * (1 / 255)  # here, where there are fewer channels
        return self.blocks(norm_relu(self.norm, x))


# Each block is a convolution with 100 filters that only looks where it fits (VALID), batch norm, dropout 0.5 and ReLU,
# in the paper's order. 34 x 4 becomes 30 x 3, 26 x 2 and 22 x 1.
#
# The paper leaves open, and is chosen here: ReLU after the dense layer of 300; weights that start as He et al.'s
# (2015) for ReLU, the last layer small. A convolution before a batch norm has no bias of its own.
#
# While it learns, the network computes the same in another way: CPUs are slow at convolutions over four columns and at
# drawing single random numbers. On two cores this doubles the speed of training.

FILTERS = 100
KERNEL = (5, 2)
WIDTH = 300
LEFT = 22  # 34 tiles less 4 in each of three convolutions; the four copies shrink to one


class Convolution(nn.Conv2d):
    """A convolution that, in training, takes the columns as channels: each column of the output its own filters."""

    def forward(self, x: Tensor) -> Tensor:
        """Planes in, filters out, channels last."""
        if not self.training:
            return super().forward(x)
        n, planes, _, columns = x.shape
        left = columns - KERNEL[1] + 1
        wide = self.weight.new_zeros(left, self.out_channels, columns, planes, KERNEL[0])
        for i in range(left):
            wide[i, :, i : i + KERNEL[1]] = self.weight.permute(0, 3, 1, 2)
        rows = x.permute(0, 3, 1, 2).reshape(n, columns * planes, 1, -1)
        y = nn.functional.conv2d(rows, wide.reshape(left * self.out_channels, columns * planes, 1, KERNEL[0]))
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


def _block(planes: int) -> nn.Sequential:
    return nn.Sequential(
        Convolution(planes, FILTERS, KERNEL, bias=False), nn.BatchNorm2d(FILTERS), Dropout(), nn.ReLU()
    )


class Gao(nn.Module):
    """A model of Gao et al.: uint8[n, planes, 34, 4] of zeros and ones in, logits[n, outputs] out."""

    def __init__(self, planes: int, outputs: int) -> None:
        super().__init__()
        self.blocks = nn.Sequential(_block(planes), _block(FILTERS), _block(FILTERS))
        self.dense = nn.Linear(FILTERS * LEFT, WIDTH)
        self.last = nn.Linear(WIDTH, outputs)
        start_weights(self, self.last)

    def forward(self, planes: Tensor) -> Tensor:
        """Bytes in, logits out."""
        x = self.blocks(as_numbers(planes.contiguous(memory_format=torch.channels_last), self.dense.weight))
        return self.last(torch.relu(self.dense(x.flatten(1))))


# Every convolution is followed by a batch norm; three or five such layers with a way around them make a block (Fig.
# 2).
#
# The paper leaves open, and is chosen here: convolutions look at three neighbouring units, zeros beside the first and
# the last; ReLU after every batch norm, in a block's last layer behind the sum; a first layer before the blocks; the
# head of 1x1 convolution to 32 channels, batch norm, ReLU, dense 256, ReLU and the answers; starting weights as in
# `suphx.py`. Bytes 0..255 become 0..1.

KINDS = 34


class McrBlock(nn.Module):
    """Some layers of convolution and batch norm with a way around them."""

    def __init__(self, channels: int, layers: int) -> None:
        super().__init__()
        self.layers = layers
        for i in range(1, layers + 1):  # one behind the other, as `fold.py` looks for them
            self.add_module(f"conv{i}", nn.Conv2d(channels, channels, SPAN, padding=BESIDE, bias=False))
            self.add_module(f"norm{i}", nn.BatchNorm2d(channels))

    def forward(self, x: Tensor) -> Tensor:
        """Channels in, as many channels out."""
        y = x
        for i in range(1, self.layers + 1):
            conv, norm = self.get_submodule(f"conv{i}"), self.get_submodule(f"norm{i}")
            y = norm_relu(norm, conv(y), x if i == self.layers else None)
        return y


class Mcr(nn.Module):
    """A model of the paper: uint8[n, units, 34] in, logits[n, outputs] out."""

    def __init__(self, units: int, blocks: int, layers: int, channels: int, outputs: int) -> None:
        super().__init__()
        self.stem = nn.Conv2d(KINDS, channels, SPAN, padding=BESIDE, bias=False)
        self.norm = nn.BatchNorm2d(channels)
        self.blocks = nn.Sequential(*(McrBlock(channels, layers) for _ in range(blocks)))
        self.conv = nn.Conv2d(channels, HEAD_CHANNELS, 1, bias=False)
        self.head_norm = nn.BatchNorm2d(HEAD_CHANNELS)
        self.dense = nn.Linear(HEAD_CHANNELS * units, HEAD_WIDTH)
        self.last = nn.Linear(HEAD_WIDTH, outputs)
        start_weights(self, self.last)
        for block in self.blocks:
            nn.init.zeros_(block.get_submodule(f"norm{layers}").weight)  # type: ignore[arg-type]

    def forward(self, planes: Tensor) -> Tensor:
        """Bytes in, logits out."""
        x = planes.permute(0, 2, 1)[:, :, None]  # channels last as it is
        x = self.stem(as_numbers(x, self.stem.weight) * (1 / 255))
        x = self.blocks(norm_relu(self.norm, x))
        x = norm_relu(self.head_norm, self.conv(x))
        return self.last(torch.relu(self.dense(x.flatten(1))))


# The last layer gives the probabilities of the four places, and the predicted reward is their mean worth. So it never
# leaves the range of rewards, and the same network tells the expected place.

PLACES = 4


class Reward(nn.Module):
    """Logits of the places [n, rounds, 4] from rows of numbers [n, rounds, channels]; each sees the rows up to it."""

    def __init__(self, channels: int, width: int, outputs: int = PLACES) -> None:
        super().__init__()
        self.gru = nn.GRU(channels, width, num_layers=2, batch_first=True)
        self.dense = nn.Linear(width, width)
        self.head = nn.Linear(width, outputs)

    def forward(self, rows: Tensor, counts: Tensor | None = None) -> Tensor:
        """The logits after each row; with `counts`, on the CPU, the rows beyond so many are not worked out."""
        if counts is None:
            seen = self.gru(rows)[0]
        else:
            packed = pack_padded_sequence(rows, counts, batch_first=True, enforce_sorted=False)
            seen = pad_packed_sequence(self.gru(packed)[0], batch_first=True, total_length=rows.shape[1])[0]
        return self.head(torch.relu(self.dense(seen)))


def build(network: str, model: str) -> nn.Module:
    """A model of a network, such as build("suphx-b10c128", "discard"); its weights follow torch's random seed."""
    wanted = parse(network)
    return wanted.family.build(wanted.sizes, inputs(network, model).channels, outputs(network, model))


@torch.no_grad()
def carried_over(learnt: nn.Module, fresh: nn.Module, answers: bool) -> nn.Module:
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
