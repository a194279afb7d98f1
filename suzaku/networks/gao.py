"""Gao et al.'s network: three blocks of 5x2 convolutions over 34 tiles x 4 copies, a dense layer, the answers.

Each block is a convolution with 100 filters that only looks where it fits (VALID), batch norm, dropout 0.5 and ReLU,
in the paper's order. 34 x 4 becomes 30 x 3, 26 x 2 and 22 x 1.

The paper leaves open, and is chosen here: ReLU after the dense layer of 300; weights that start as He et al.'s (2015)
for ReLU, the last layer small. A convolution before a batch norm has no bias of its own.
"""

import torch
from torch import Tensor, nn

from suzaku.networks.planes import as_numbers

FILTERS = 100
KERNEL = (5, 2)
DROPOUT = 0.5
WIDTH = 300
LEFT = 22  # 34 tiles less 4 in each of three convolutions; the four copies shrink to one
LAST_DEVIATION = 0.01


def _block(planes: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(planes, FILTERS, KERNEL, bias=False), nn.BatchNorm2d(FILTERS), nn.Dropout(DROPOUT), nn.ReLU()
    )


class Gao(nn.Module):
    """A model of Gao et al.: uint8[n, planes, 34, 4] of zeros and ones in, logits[n, outputs] out."""

    def __init__(self, planes: int, outputs: int) -> None:
        super().__init__()
        self.blocks = nn.Sequential(_block(planes), _block(FILTERS), _block(FILTERS))
        self.dense = nn.Linear(FILTERS * LEFT, WIDTH)
        self.last = nn.Linear(WIDTH, outputs)
        for part in self.modules():
            if isinstance(part, (nn.Conv2d, nn.Linear)):
                nn.init.kaiming_normal_(part.weight, nonlinearity="relu")
                if part.bias is not None:
                    nn.init.zeros_(part.bias)
        nn.init.normal_(self.last.weight, std=LAST_DEVIATION)

    def forward(self, planes: Tensor) -> Tensor:
        """Bytes in, logits out."""
        x = self.blocks(as_numbers(planes, self.dense.weight))
        return self.last(torch.relu(self.dense(x.flatten(1))))
