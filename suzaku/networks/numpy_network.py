"""Small networks in NumPy alone, where neither torch nor onnxruntime is: `mcr-...` and `suphx-...`, dense planes.

A checkpoint becomes one .npz (`to_npz`), which this file alone can play: it imports nothing of the package, and is
copied into the bots for Botzone (`suzaku/agents/botzone/package.py`), so it keeps to what old versions of NumPy know.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

EPSILON = 1e-5  # of torch's batch norms
Layers = Mapping[str, np.ndarray]


def folded_layers(tensors: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The weights of a checkpoint as layers: matrices [inputs, outputs] and biases, in the order they are used."""
    units = "conv.weight" in tensors  # the paper's network of MCR has its head without a name of its own
    out: dict[str, np.ndarray] = {"kinds_are_channels": np.array(units)}

    def convolution(name: str, conv: str, norm: str, scale: float = 1.0) -> None:
        factor = tensors[f"{norm}.weight"] / np.sqrt(tensors[f"{norm}.running_var"] + EPSILON)
        weight = tensors[f"{conv}.weight"][:, :, 0] * (scale * factor)[:, None, None]  # [out, in, places]
        out[f"{name}.weight"] = weight.transpose(2, 1, 0).reshape(-1, len(weight))
        out[f"{name}.bias"] = tensors[f"{norm}.bias"] - tensors[f"{norm}.running_mean"] * factor

    def dense(name: str, layer: str) -> None:
        weight = tensors[f"{layer}.weight"]
        out[f"{name}.weight"], out[f"{name}.bias"] = weight.reshape(len(weight), -1).T, tensors[f"{layer}.bias"]

    convolution("stem", "stem", "norm", 1 / 255)
    block = 0
    while f"blocks.{block}.conv1.weight" in tensors:
        layer = 1
        while f"blocks.{block}.conv{layer}.weight" in tensors:
            convolution(f"blocks.{block}.{layer}", f"blocks.{block}.conv{layer}", f"blocks.{block}.norm{layer}")
            layer += 1
        block += 1
    head = "" if units else "head."
    if f"{head}conv.weight" in tensors:
        convolution("head", f"{head}conv", "head_norm" if units else "head.norm")
        dense("dense", f"{head}dense")
    dense("last", f"{head}last")
    return {name: np.ascontiguousarray(value) for name, value in out.items()}


def _convolve(x: np.ndarray, layers: Layers, name: str) -> np.ndarray:
    """Three neighbouring places at a time, zeros at either end: [n, places, channels]."""
    weight = layers[f"{name}.weight"]
    if len(weight) != x.shape[2]:
        beside = np.pad(x, ((0, 0), (1, 1), (0, 0)), "constant")
        x = np.concatenate([beside[:, :-2], x, beside[:, 2:]], 2)
    return x @ weight + layers[f"{name}.bias"]


def logits(layers: Layers, planes: np.ndarray) -> np.ndarray:
    """float32[n, answers] of planes uint8[n, channels, 34]."""
    x = planes.astype(np.float32)
    if not layers["kinds_are_channels"]:
        x = x.transpose(0, 2, 1)
    x = np.maximum(_convolve(x, layers, "stem"), 0)
    block = 0
    while f"blocks.{block}.1.weight" in layers:
        around, layer = x, 1
        while f"blocks.{block}.{layer}.weight" in layers:
            x = _convolve(x, layers, f"blocks.{block}.{layer}")
            layer += 1
            last = f"blocks.{block}.{layer}.weight" not in layers
            x = np.maximum(x + around if last else x, 0)
        block += 1
    if "head.weight" in layers:
        x = np.maximum(_convolve(x, layers, "head"), 0).transpose(0, 2, 1).reshape(len(x), -1)
        x = np.maximum(x @ layers["dense.weight"] + layers["dense.bias"], 0)
        return x @ layers["last.weight"] + layers["last.bias"]
    return (x @ layers["last.weight"] + layers["last.bias"])[:, :, 0]


def to_npz(tensors: Mapping[str, np.ndarray], path: Any) -> None:
    """Write a checkpoint's weights in half precision, as the bundled ones are: nothing of those is lost."""
    with np.errstate(over="ignore"):
        kept: Any = {name: np.asarray(value, np.float16) for name, value in tensors.items() if np.ndim(value)}
    for name, value in kept.items():
        if not np.isfinite(value).all():
            raise ValueError(f"{name} has numbers too large for half precision: this model cannot be packed")
    np.savez_compressed(path, **kept)


def read_npz(path: Any) -> dict[str, np.ndarray]:
    """The layers of what `to_npz` wrote (a file, or its path), in single precision."""
    with np.load(path) as file:
        return folded_layers({name: file[name].astype(np.float32) for name in file.files})
