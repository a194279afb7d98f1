"""Suphx's network (Fig. 4 and 5): 3x1 convolutions over the 34 tiles, a deep stack of residual blocks, no pooling.

The paper leaves open, and is chosen here:
- A block is convolution, batch norm, ReLU, convolution, batch norm, plus the block's input, ReLU. Zeros stand beside
  the first and the last tile ("same" padding). A convolution before a batch norm has no bias of its own.
- The suits are one row, as in the paper: 9m has 1p for a neighbour, and the network learns where a suit ends.
- The dense head: 1x1 convolution to 32 channels, batch norm, ReLU, dense 256, ReLU, dense 2.
- The discard head: 1x1 convolution to one value a tile, with a bias.
- Weights start as He et al.'s (2015) for ReLU. The last batch norm of each block starts at zero, so a block begins as
  the identity and fifty of them train from the first step; the last layer starts small, so all answers begin alike.
- Bytes 0..255 become 0..1.

The row of tiles is laid out as a picture one pixel high, channels last: what CPUs and GPUs are fastest at (on two cores
training goes 1.3 to 1.5 times as fast as with one-dimensional convolutions).
"""

import torch
from torch import Tensor, nn

from suzaku.features.sparse import SparsePlanes
from suzaku.networks.norm_relu import norm_relu
from suzaku.networks.planes import as_numbers
from suzaku.networks.sparse_convolution import sparse_convolution
from suzaku.networks.start import start_weights

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
