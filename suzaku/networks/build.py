"""A network with fresh weights, by its name."""

from torch import nn

from suzaku.networks.names import inputs, outputs, parse


def build(network: str, model: str) -> nn.Module:
    """A model of a network, such as build("suphx-b10c128", "discard"); its weights follow torch's random seed."""
    wanted = parse(network)
    return wanted.family.build(wanted.sizes, inputs(network, model).channels, outputs(network, model))
