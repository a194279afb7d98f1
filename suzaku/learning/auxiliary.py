"""What supervised learning may predict beside the decision: where the opponents' tiles and waits are.

Three planes say which kinds each opponent holds concealed, three which kinds each waits for, from the next seat on. The
records know both. The head is a 1x1 convolution of what the network's head sees; it is not part of the player.
"""

import numpy as np
from torch import Tensor, nn

from suzaku.features.sparse import SparsePlanes
from suzaku.networks.suphx import Suphx
from suzaku.tiles import KINDS

PLANES = 6


def hidden_tiles(records: np.ndarray) -> np.ndarray:
    """The targets, uint8[n, 6, 34] of 0 and 1."""
    rows = np.arange(len(records))
    out = np.zeros((len(records), PLANES, KINDS), np.uint8)
    kinds = np.arange(KINDS, dtype=np.uint64)
    for i in range(3):
        seat = (records["seat"] + 1 + i) % 4
        out[:, i] = records["hand"][rows, seat] > 0
        out[:, 3 + i] = records["waits"][rows, seat][:, None] >> kinds & np.uint64(1)
    return out


class WithAuxiliary(nn.Module):
    """A network and its auxiliary head: logits of the decision, and of the targets."""

    def __init__(self, network: Suphx) -> None:
        super().__init__()
        self.network = network
        self.hidden = nn.Conv2d(network.stem.out_channels, PLANES, 1)

    def forward(self, planes: Tensor | SparsePlanes) -> tuple[Tensor, Tensor]:
        """Bytes in, logits [n, outputs] and [n, 6, 34] out."""
        seen = self.network.trunk(planes)
        return self.network.head(seen), self.hidden(seen).flatten(2)
