"""A network to play with: batch norms folded into the convolutions, each block in one call on a CPU.

- A block to play with on a CPU: each convolution with its ReLU, and the way around, in one call of oneDNN.
- A network to play with: its batch norms folded into the convolutions before them, usually in bfloat16.
"""

from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from suzaku.networks.modules import BESIDE, Block, Suphx

# These calls of torch's are its compiler's own and may change; where one is missing, the plain block plays.

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


# Converting once saves doing it for every batch, as autocast would.


def folded(module: nn.Module, precision: torch.dtype = torch.bfloat16) -> nn.Module:
    """The network, changed in place: it answers as before but for rounding, and can learn no more."""
    for part in list(module.modules()):
        for (first, conv), (second, norm) in pairwise(list(part.named_children())):
            if isinstance(conv, nn.Conv2d) and isinstance(norm, nn.BatchNorm2d):
                setattr(part, first, fuse_conv_bn_eval(conv, norm))
                setattr(part, second, nn.Identity())
    if isinstance(module, Suphx) and module.stem.bias is not None:
        with torch.no_grad():
            module.stem.bias *= 255  # the stem's results are divided by this before the norm
    module = module.to(precision)
    for part in module.modules():
        if isinstance(part, nn.Conv2d):
            part.weight.data = part.weight.data.contiguous(memory_format=torch.channels_last)
    if isinstance(module, Suphx) and module.stem.weight.device.type == "cpu":
        module.blocks = nn.Sequential(*(fuse(block) for block in module.blocks if isinstance(block, Block)))
    return module
