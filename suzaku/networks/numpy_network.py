"""Networks in NumPy alone, where neither torch nor onnxruntime is.

- `folded` turns a list of layers and the weights of a checkpoint into steps: batch norms and scales are folded into the
  layers beside them. The ONNX writer goes on from these.
- `logits` runs them. A picture is [n, height, width, channels] here: a convolution is one product of matrices.
- The file imports nothing of the package: it is copied into the bots for Botzone (`suzaku/agents/botzone/package.py`).
  So it keeps to what old versions of Python and NumPy know. `to_npz` writes a checkpoint for them.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from suzaku.networks.layers import Layers

EPSILON = 1e-5  # of torch's batch norms
BYTE = 1 / 255
Step = tuple[Any, ...]  # its name, and what it needs


def folded(layers: "Layers", tensors: Mapping[str, np.ndarray], prefix: str = "") -> list[Step]:
    """The steps of a network: conv (weight[out, into, height, width], bias, pad), dense (weight[out, into], bias) and
    others. Tensors are those of a checkpoint, by name."""
    out: list[Step] = []
    scale = 1.0  # that a norm or a dense layer still has to take in
    for layer in layers:
        name = prefix + layer.name
        if scale != 1.0 and layer.op in ("gru", "stack", "residual"):
            raise ValueError(f"{layer.op} {name} stands behind a scale: only norms and dense layers take it in")
        if layer.op == "scale":
            scale = BYTE
        elif layer.op == "conv":
            out.append(("conv", tensors[f"{name}.weight"], tensors.get(f"{name}.bias"), layer.pad))
        elif layer.op in ("norm", "norm_relu"):
            _, weight, _, pad = out.pop()
            factor = tensors[f"{name}.weight"] / np.sqrt(tensors[f"{name}.running_var"] + EPSILON)
            bias = tensors[f"{name}.bias"] - tensors[f"{name}.running_mean"] * factor
            out.append(("conv", (weight * (scale * factor)[:, None, None, None]).astype(np.float32), bias, pad))
            scale = 1.0
        elif layer.op == "dense":
            weight = tensors[f"{name}.weight"]
            out.append(("dense", weight if scale == 1.0 else weight * np.float32(scale), tensors[f"{name}.bias"]))
            scale = 1.0
        elif layer.op == "gru":
            parts = "weight_ih", "weight_hh", "bias_ih", "bias_hh"
            out += [("gru", *(tensors[f"{name}.{part}_l{i}"] for part in parts)) for i in range(2)]
        elif layer.op == "stack":
            out += folded(layer.layers, tensors, f"{name}.")
        elif layer.op == "residual":
            out.append(("residual", folded(layer.layers, tensors, f"{name}.")[:-1]))  # its ReLU comes behind the sum
        elif layer.op != "dropout":
            out.append((layer.op,))
        if layer.op in ("norm_relu", "residual"):
            out.append(("relu",))
    return out


def matrices(steps: list[Step]) -> list[Step]:
    """The same steps with weights as matrices [inputs, outputs], as `logits` takes them."""
    out: list[Step] = []
    for op, *given in steps:
        if op == "conv":
            weight, bias, pad = given
            matrix = np.ascontiguousarray(weight.transpose(2, 3, 1, 0).reshape(-1, len(weight)))
            given = [matrix, bias, weight.shape[2:], pad]
        elif op == "dense":
            given[0] = np.ascontiguousarray(given[0].T)
        elif op == "residual":
            given[0] = matrices(given[0])
        out.append((op, *given))
    return out


def logits(steps: list[Step], planes: np.ndarray) -> np.ndarray:
    """float32[n, answers] of planes uint8[n, channels, ...], by the steps that `matrices` gives."""
    return _run(steps, planes.astype(np.float32))


def _run(steps: list[Step], x: np.ndarray) -> np.ndarray:
    for op, *given in steps:
        if op == "row":
            x = x.transpose(0, 2, 1)[:, None]
        elif op == "units":
            x = x[:, None]
        elif op == "picture":
            x = x.transpose(0, 2, 3, 1)
        elif op == "conv":
            x = _convolve(x, *given)
        elif op == "residual":
            x = _run(given[0], x) + x
        elif op == "relu":
            x = np.maximum(x, 0)
        elif op == "flatten":
            x = x.transpose(0, 3, 1, 2).reshape(len(x), -1)
        elif op == "dense":
            x = x @ given[0] + given[1]
        elif op == "gru":
            x = _gru_layer(x, *given)
    return x


def _convolve(x: np.ndarray, matrix: np.ndarray, bias: np.ndarray, span: Any, pad: Any) -> np.ndarray:
    """Neighbouring places side by side, and one product: [n, height, width, channels]."""
    if span != (1, 1):
        x = np.pad(x, ((0, 0), (pad[0], pad[0]), (pad[1], pad[1]), (0, 0)), "constant")
        height, width = x.shape[1] - span[0] + 1, x.shape[2] - span[1] + 1
        places = [(i, j) for i in range(span[0]) for j in range(span[1])]
        x = np.concatenate([x[:, i : i + height, j : j + width] for i, j in places], 3)
    return x @ matrix + bias


def _gru_layer(x: np.ndarray, w: np.ndarray, u: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """One layer of torch's GRU: [n, rounds, width] of [n, rounds, anything]."""
    width = u.shape[1]
    inputs = x @ w.T + b
    out = np.empty((*x.shape[:2], width), np.float32)
    h = np.zeros((len(x), width), np.float32)
    for t in range(x.shape[1]):
        before = h @ u.T + c
        gates = _sigmoid(inputs[:, t, : 2 * width] + before[:, : 2 * width])
        reset, keep = gates[:, :width], gates[:, width:]
        new = np.tanh(inputs[:, t, 2 * width :] + reset * before[:, 2 * width :])
        h = new + keep * (h - new)
        out[:, t] = h
    return out


def _sigmoid(x: np.ndarray) -> np.ndarray:
    """In place, by tanh, which never overflows."""
    x *= 0.5
    np.tanh(x, out=x)
    x += 1
    x *= 0.5
    return x


def to_npz(tensors: Mapping[str, np.ndarray], path: Any) -> None:
    """Write a checkpoint's weights in half precision, as the bundled ones are: nothing of those is lost."""
    with np.errstate(over="ignore"):
        kept: Any = {name: np.asarray(value, np.float16) for name, value in tensors.items() if np.ndim(value)}
    for name, value in kept.items():
        if not np.isfinite(value).all():
            raise ValueError(f"{name} has numbers too large for half precision: this model cannot be packed")
    np.savez_compressed(path, **kept)


def read_npz(layers: "Layers", path: Any) -> list[Step]:
    """What `logits` takes, of the weights that `to_npz` wrote (a file, or its path), in single precision."""
    with np.load(path) as file:
        return matrices(folded(layers, {name: file[name].astype(np.float32) for name in file.files}))
