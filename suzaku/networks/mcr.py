"""The network of the MCR paper (3.2): convolutions over stacked units, the 34 kinds being the channels.

Every convolution is followed by a batch norm; three or five such layers with a way around them make a block (Fig. 2).

The paper leaves open, and is chosen here: convolutions look at three neighbouring units, zeros beside the first and
the last; ReLU after every batch norm, in a block's last layer behind the sum; a first layer before the blocks; the head
of 1x1 convolution to 32 channels, batch norm, ReLU, dense 256, ReLU and the answers; starting weights as in `suphx.py`.
Bytes 0..255 become 0..1.
"""

import torch
from torch import Tensor, nn

from suzaku.networks.norm_relu import norm_relu
from suzaku.networks.planes import as_numbers
from suzaku.networks.start import start_weights
from suzaku.networks.suphx import BESIDE, HEAD_CHANNELS, HEAD_WIDTH, SPAN

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
