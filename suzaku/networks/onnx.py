"""Export to ONNX, for playing without torch: the same graph, checked under onnxruntime before the file is in place.

Input "planes" uint8[n, ...], output "logits" float32[n, answers], any n. The file's metadata name network, model and
feature table as the checkpoint's JSON does. Matrices of a checkpoint in half precision stay so in the file;
they are widened on loading, and all is computed in single precision.
"""

import io
import os
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from suzaku.networks.checkpoint import load
from suzaku.networks.info import Info
from suzaku.networks.names import inputs

OPSET = 17
TOLERANCE = 1e-3  # of the largest logit, or absolute where all are below one
CHECKED = 16  # samples compared
FILLED = 0.15  # part of the planes that is not empty in these, about as in real states


class ExportError(ValueError):
    """An export that went wrong, and why."""


def export(path: str | Path, out: str | Path, half: bool = False) -> float:
    """Write the ONNX file of a checkpoint and give the largest difference to torch's outputs.

    `half` rounds the matrices to half precision first, where the checkpoint has not done so.
    """
    module, info = load(path)
    half = half or info["weights"].get("precision") == "half"
    if half:
        with torch.no_grad():
            for weight in module.parameters():
                if weight.ndim > 1:
                    weight.copy_(weight.half())
    shape = inputs(info["network"], info["model"]).shape
    model = _graph(module, shape)
    if half:
        _halve(model)
    _describe(model, info)
    data = model.SerializeToString()
    worst = difference(module, data, shape)
    out = Path(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    temporary = out.with_name(f"{out.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(data)
        temporary.replace(out)
    finally:
        temporary.unlink(missing_ok=True)
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


def _graph(module: nn.Module, shape: tuple[int, ...]) -> onnx.ModelProto:
    """The module as ONNX, tensors under their own names: onnxruntime folds the batch norms when it loads the file."""
    buffer: Any = io.BytesIO()  # the older exporter writes into it, though its types know paths alone
    example = torch.zeros((2, *shape), dtype=torch.uint8)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the newer exporter needs onnxscript for the same
        torch.onnx.export(
            module,
            (example,),
            buffer,
            dynamo=False,
            input_names=["planes"],
            output_names=["logits"],
            dynamic_axes={"planes": {0: "n"}, "logits": {0: "n"}},
            opset_version=OPSET,
            training=torch.onnx.TrainingMode.PRESERVE,
            do_constant_folding=False,
        )
    return onnx.load_from_string(buffer.getvalue())


def _halve(model: onnx.ModelProto) -> None:
    """Store matrices in half precision, each followed by a cast that onnxruntime does once, when it loads the file."""
    casts = []
    for tensor in model.graph.initializer:
        if tensor.data_type == TensorProto.FLOAT and len(tensor.dims) > 1:
            name = tensor.name
            tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor).astype(np.float16), f"{name}.half"))
            casts.append(helper.make_node("Cast", [f"{name}.half"], [name], to=TensorProto.FLOAT))
    nodes = list(model.graph.node)
    del model.graph.node[:]
    model.graph.node.extend(casts + nodes)


def _describe(model: onnx.ModelProto, info: Info) -> None:
    features = info["features"]
    told = {"network": info["network"], "model": info["model"], "suzaku": info.get("suzaku", "unknown")}
    told |= {f"features.{key}": str(features[key]) for key in ("table", "version", "hash")}
    helper.set_model_props(model, told)
    onnx.checker.check_model(model)
