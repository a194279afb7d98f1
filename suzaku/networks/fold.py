"""A network to play with: its batch norms folded into the convolutions before them, usually in bfloat16.

Converting once saves doing it for every batch, as autocast would.
"""

from itertools import pairwise

import torch
from torch import nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from suzaku.networks.fused_block import fuse
from suzaku.networks.suphx import Block, Suphx


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
