"""The reward predictor in NumPy: it is small, and whoever only looks at games has no torch."""

from collections.abc import Mapping

import numpy as np

Weights = Mapping[str, np.ndarray]


def _sigmoid(x: np.ndarray) -> np.ndarray:
    """In place, by tanh, which never overflows."""
    x *= 0.5
    np.tanh(x, out=x)
    x += 1
    x *= 0.5
    return x


def _gru_layer(weights: Weights, layer: int, x: np.ndarray) -> np.ndarray:
    """One layer of torch's GRU: [n, rounds, width] of [n, rounds, anything]."""
    w, u = weights[f"gru.weight_ih_l{layer}"].T, weights[f"gru.weight_hh_l{layer}"].T
    b, c = weights[f"gru.bias_ih_l{layer}"], weights[f"gru.bias_hh_l{layer}"]
    width = len(u)
    inputs = x @ w + b
    out = np.empty((*x.shape[:2], width), np.float32)
    h = np.zeros((len(x), width), np.float32)
    for t in range(x.shape[1]):
        before = h @ u + c
        gates = _sigmoid(inputs[:, t, : 2 * width] + before[:, : 2 * width])
        reset, keep = gates[:, :width], gates[:, width:]
        new = np.tanh(inputs[:, t, 2 * width :] + reset * before[:, 2 * width :])
        h = new + keep * (h - new)
        out[:, t] = h
    return out


def place_probabilities(weights: Weights, rows: np.ndarray) -> np.ndarray:
    """float32[n, rounds, 4]: the probability of each place after each row of float32[n, rounds, channels]."""
    x = _gru_layer(weights, 1, _gru_layer(weights, 0, rows))
    x = np.maximum(x @ weights["dense.weight"].T + weights["dense.bias"], 0)
    logits = x @ weights["head.weight"].T + weights["head.bias"]
    likely = np.exp(logits - logits.max(-1, keepdims=True))
    return likely / likely.sum(-1, keepdims=True)
