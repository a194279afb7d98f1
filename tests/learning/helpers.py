"""What several tests of learning share: a linear network, and Adam in plain NumPy."""

import math
import re

import numpy as np
import torch
from torch import nn


class Linear(nn.Module):
    """Logits that are linear in what is seen, whatever its shape."""

    def __init__(self, weight, bias):
        super().__init__()
        self.layer = nn.Linear(weight.shape[1], weight.shape[0])
        with torch.no_grad():
            self.layer.weight.copy_(torch.from_numpy(weight))
            self.layer.bias.copy_(torch.from_numpy(bias))

    def forward(self, planes):
        return self.layer(planes.flatten(1).float())


def flat(module):
    """All weights of a linear network, its biases last."""
    return np.concatenate([part.detach().numpy().ravel() for part in module.parameters()])


class Adam:
    """Adam with weight decay (AdamW) and a longest gradient, over a vector of weights."""

    def __init__(self, weights, longest, decay=0.0):
        self.weights, self.longest, self.decay = weights.astype(float), longest, decay
        self.first, self.second, self.times = np.zeros(len(weights)), np.zeros(len(weights)), 0

    def step(self, rate, gradient):
        """One step down the gradient."""
        gradient = gradient * min(1, self.longest / np.linalg.norm(gradient))
        self.times += 1
        self.first = 0.9 * self.first + 0.1 * gradient
        self.second = 0.999 * self.second + 0.001 * gradient**2
        corrected = np.sqrt(self.second / (1 - 0.999**self.times)) + 1e-8
        self.weights = self.weights * (1 - rate * self.decay) - rate * self.first / (1 - 0.9**self.times) / corrected


class LinearAdam(Adam):
    """The same over the weight and the bias of a linear network."""

    def __init__(self, weight, bias, longest, decay=0.0):
        super().__init__(np.concatenate([weight.ravel(), bias]), longest, decay)
        self.shape = weight.shape

    @property
    def weight(self):
        return self.weights[: np.prod(self.shape)].reshape(self.shape)

    @property
    def bias(self):
        return self.weights[np.prod(self.shape) :]

    def learn(self, rate, seen, wanted):
        """One step; `wanted` is the gradient in the logits of the decisions that are seen."""
        self.step(rate, np.concatenate([(wanted.T @ seen).ravel(), wanted.sum(0)]))


def rate_at(config, step):
    """Up in a line over the warm-up, then down by half a cosine over what is left."""
    if step < config.warm_up:
        return config.rate * (step + 1) / config.warm_up
    done = (step - config.warm_up) / (config.steps - config.warm_up)
    return config.rate * (1 + math.cos(math.pi * done)) / 2


def every_setting_has_a_test(settings, here, elsewhere, path):
    """Each setting is tested in the file at `path`, or by the test that is named as FILE::TEST in its folder."""
    assert here | elsewhere.keys() == set(settings.__struct_fields__)
    assert not here & elsewhere.keys()
    for place in elsewhere.values():
        file, name = place.split("::")
        assert re.search(rf"^def {name}\(", path.with_name(f"{file}.py").read_text("utf-8"), re.MULTILINE), place
