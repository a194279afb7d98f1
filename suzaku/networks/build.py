"""A network with fresh weights, by its name; and one that goes on from another model's weights."""

import torch
from torch import nn

from suzaku.networks.names import inputs, outputs, parse


def build(network: str, model: str) -> nn.Module:
    """A model of a network, such as build("suphx-b10c128", "discard"); its weights follow torch's random seed."""
    wanted = parse(network)
    return wanted.family.build(wanted.sizes, inputs(network, model).channels, outputs(network, model))


@torch.no_grad()
def carried_over(learnt: nn.Module, fresh: nn.Module, answers: bool) -> nn.Module:
    """`fresh` with the weights of a network no larger than it is; with `answers` its last layer too.

    What `fresh` has more of, inputs, channels or residual blocks, starts without weight in what was learnt: where the
    answers are carried over too, it answers as `learnt` does, and has room to learn more.
    """
    known = learnt.state_dict()
    for name, tensor in fresh.state_dict().items():
        given = known.get(name)
        if given is None or (not answers and name.split(".")[-2] == "last"):
            continue
        both = tuple(slice(min(lengths)) for lengths in zip(given.shape, tensor.shape, strict=True))
        if tensor.ndim > 1:
            tensor[both[0]] = 0
        tensor[both] = given[both]
    return fresh
