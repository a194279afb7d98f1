"""The weights that networks start with."""

from torch import nn

LAST_DEVIATION = 0.01


def start_weights(network: nn.Module, last: nn.Conv2d | nn.Linear) -> None:
    """He et al.'s (2015) for ReLU, no biases; the last layer starts small, so that all answers begin alike."""
    if last.weight.is_meta:
        return  # a network without weights; torch would load its compiler, a second of work, to draw none
    for part in network.modules():
        if isinstance(part, (nn.Conv2d, nn.Linear)):
            nn.init.kaiming_normal_(part.weight, nonlinearity="relu")
            if part.bias is not None:
                nn.init.zeros_(part.bias)
    nn.init.normal_(last.weight, std=LAST_DEVIATION)
