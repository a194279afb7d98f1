"""A network with fresh weights, by its name; and one that goes on from another model's weights."""

import torch
from torch import nn

from suzaku.networks.names import inputs, outputs, parse


def build(network: str, model: str) -> nn.Module:
    """A model of a network, such as build("suphx-b10c128", "discard"); its weights follow torch's random seed."""
    wanted = parse(network)
    return wanted.family.build(wanted.sizes, inputs(network, model).channels, outputs(network, model))


@torch.no_grad()
def carried_over(learnt: nn.Module, fresh: nn.Module) -> nn.Module:
    """`fresh` with the layers that it has in common with another model of its network; its last one stays fresh.

    Models see the same channels first; those that only `fresh` sees start without weight.
    """
    known = learnt.state_dict()
    for name, tensor in fresh.state_dict().items():
        given = known.get(name)
        if given is None or name.split(".")[-2] == "last":
            continue
        if given.shape == tensor.shape:
            tensor.copy_(given)
        elif given.ndim == 4 and given.shape[0] == tensor.shape[0]:  # the first convolution
            both = min(given.shape[1], tensor.shape[1])
            tensor.zero_()
            tensor[:, :both] = given[:, :both]
    return fresh
