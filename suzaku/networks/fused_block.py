"""A block to play with on a CPU: each convolution with its ReLU, and the way around, in one call of oneDNN.

These calls of torch's are its compiler's own and may change; where one is missing, the plain block plays.
"""

import torch
from torch import Tensor, nn

from suzaku.networks.suphx import BESIDE, Block

STEP = [1, 1]
TOLERANCE = 0.05, 0.05  # relative and absolute: some roundings of bfloat16


class FusedBlock(nn.Module):
    """A folded block (`fold.py`) in two calls; it answers as the block does, and rounds less often."""

    def __init__(self, block: Block) -> None:
        super().__init__()
        self.conv1, self.conv2 = block.conv1, block.conv2

    def forward(self, x: Tensor) -> Tensor:
        """Channels in, as many channels out."""
        call = torch.ops.mkldnn._convolution_pointwise
        first, second = self.conv1, self.conv2
        y = call(x, first.weight, first.bias, BESIDE, STEP, STEP, 1, "relu", [], "")
        return call.binary(y, x, second.weight, second.bias, BESIDE, STEP, STEP, 1, "add", 1.0, "relu", [], "")


def fuse(block: Block) -> nn.Module:
    """The block in fewer calls if this torch and its processor can, else as it is."""
    fused = FusedBlock(block)
    weight = block.conv1.weight
    tried = torch.ones(2, weight.shape[1], 1, 4, dtype=weight.dtype).contiguous(memory_format=torch.channels_last)
    try:
        with torch.inference_mode():
            same = torch.allclose(fused(tried).float(), block(tried).float(), *TOLERANCE)
    except (RuntimeError, AttributeError, NotImplementedError):
        return block
    return fused if same else block
