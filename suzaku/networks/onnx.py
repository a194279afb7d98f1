"""Export to an ONNX file for other programs, checked under onnxruntime against torch before it is in place."""

from pathlib import Path

import numpy as np
import onnxruntime
import torch
from torch import nn

from suzaku.networks.checkpoint import load
from suzaku.networks.info import read_weights
from suzaku.networks.names import inputs
from suzaku.networks.onnx_graph import to_onnx
from suzaku.system import write_whole

TOLERANCE = 1e-3  # of the largest logit, or absolute where all are below one
CHECKED = 16  # samples compared
FILLED = 0.15  # part of the planes that is not empty in these, about as in real states


class ExportError(ValueError):
    """An export that went wrong, and why."""


def export(path: str | Path, out: str | Path) -> float:
    """Write the ONNX file of a checkpoint and give the largest difference to torch's outputs."""
    data = to_onnx(*read_weights(path))
    module, info = load(path)
    worst = difference(module, data, inputs(info["network"], info["model"]).shape)
    out = Path(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    write_whole(out, data)
    return worst


def difference(module: nn.Module, data: bytes, shape: tuple[int, ...]) -> float:
    """The largest difference between torch's outputs and onnxruntime's on made-up planes; an error if it matters."""
    rng = np.random.default_rng(1)
    planes = rng.integers(0, 256, (CHECKED, *shape)) * (rng.random((CHECKED, *shape)) < FILLED)
    planes = planes.astype(np.uint8) if len(shape) == 2 else (planes > 0).astype(np.uint8)
    with torch.inference_mode():
        expected = module(torch.from_numpy(planes)).numpy()
    session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
    worst = 0.0
    for n in (1, CHECKED):
        (given,) = session.run(["logits"], {"planes": planes[:n]})
        worst = max(worst, float(np.abs(given - expected[:n]).max()))
    if not worst <= TOLERANCE * max(1.0, float(np.abs(expected).max())):
        raise ExportError(f"onnxruntime's outputs differ from torch's by {worst:.2g}: nothing is written")
    return worst
