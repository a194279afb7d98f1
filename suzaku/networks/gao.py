"""Gao et al.'s network: three blocks of 5x2 convolutions over 34 tiles x 4 copies, a dense layer, the answers.

Each block is a convolution with 100 filters that only looks where it fits (VALID), batch norm, dropout 0.5 and ReLU,
in the paper's order. 34 x 4 becomes 30 x 3, 26 x 2 and 22 x 1.

The paper leaves open, and is chosen here: ReLU after the dense layer of 300; weights that start as He et al.'s (2015)
for ReLU, the last layer small. A convolution before a batch norm has no bias of its own.

While it learns, the network computes the same in another way: CPUs are slow at convolutions over four columns and at
drawing single random numbers. On two cores this doubles the speed of training.
"""

import torch
from torch import Tensor, nn

from suzaku.networks.planes import as_numbers
from suzaku.networks.start import start_weights

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
