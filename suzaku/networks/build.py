"""A network with fresh weights, by its name."""

from torch import nn

from suzaku.networks.gao import Gao
from suzaku.networks.names import inputs, outputs, parse
from suzaku.networks.suphx import Suphx


def build(network: str, model: str) -> nn.Module:
    """A model of a network, such as build("suphx-b10c128", "discard"); its weights follow torch's random seed."""
    wanted = parse(network)
    planes = inputs(network, model).shape[0]
    if wanted.family == "gao":
        return Gao(planes, outputs(network, model))
    return Suphx(planes, wanted.blocks, wanted.channels, outputs(network, model))
