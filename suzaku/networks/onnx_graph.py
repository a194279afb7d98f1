"""A checkpoint as an ONNX graph, straight from its weights: what onnxruntime plays with. Needs no torch.

- Input "planes" uint8[n, ...], output "logits" float32[n, answers], any n.
- Norms and scales are folded into the layers beside them (`numpy_network.py`).
- The metadata name network, model and feature table.
- A graph for sparse planes begins behind the first layer, with input "first" float32[n, filters, 1, 34]:
  `cpu_kernels.py` computes that.
- `export` writes a graph for other programs, once onnxruntime answers as torch does. It alone needs torch.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from suzaku.networks.info import CheckpointError, Info, check_shapes, read_weights
from suzaku.networks.numpy_network import Step, folded
from suzaku.networks.spec import ModelSpec, spec_of
from suzaku.system import write_whole

if TYPE_CHECKING:
    from torch import nn

OPSET = 17
IR_VERSION = 8  # what onnxruntime 1.18 reads


def to_onnx(tensors: dict[str, np.ndarray], info: Info) -> bytes:
    """The serialised graph of a checkpoint's weights."""
    spec = spec_of(info)
    check_shapes(tensors, spec, "the checkpoint")
    planes = helper.make_tensor_value_info("planes", TensorProto.UINT8, ["n", *spec.features.shape])
    return _serialised(folded(spec.layers, tensors), planes, spec, info)


def to_onnx_behind(tensors: dict[str, np.ndarray], info: Info) -> tuple[bytes, np.ndarray, np.ndarray]:
    """The graph behind the first layer, for models with one for sparse planes, and that layer's weight and bias."""
    spec = spec_of(info)
    check_shapes(tensors, spec, "the checkpoint")
    row, conv, _, *rest = spec.layers  # the kernels scale the bytes themselves
    _, (_, weight, bias, _), _, *behind = folded((row, conv, *rest), tensors)  # row, convolution, ReLU
    first = helper.make_tensor_value_info("first", TensorProto.FLOAT, ["n", len(bias), 1, spec.features.shape[1]])
    return _serialised(behind, first, spec, info), weight, bias


def _serialised(steps: list[Step], given: onnx.ValueInfoProto, spec: ModelSpec, info: Info) -> bytes:
    graph = Graph(given.name)
    graph.add(steps)
    graph.nodes[-1].output[0] = "logits"
    logits = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["n", spec.outputs])
    made = helper.make_graph(graph.nodes, spec.decision, [given], [logits], graph.constants)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    features = info["features"]
    told = {"network": info["network"], "model": info["model"], "suzaku": info.get("suzaku", "unknown")}
    helper.set_model_props(model, told | {f"features.{key}": str(value) for key, value in features.items()})
    onnx.checker.check_model(model)
    return model.SerializeToString()


class Graph:
    """Nodes in the order they are computed; `x` is the name of the last result."""

    def __init__(self, x: str) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []
        self.x = x

    def add(self, steps: list[Step]) -> None:
        """Nodes of folded layers."""
        for op, *given in steps:
            if op in ("row", "units", "picture"):
                self.node("Cast", to=TensorProto.FLOAT)
                if op == "units":
                    self.node("Transpose", perm=[0, 2, 1])
                if op != "picture":
                    self.node("Unsqueeze", np.array([2], np.int64))
            elif op == "conv":
                weight, bias, pad = given
                self.node("Conv", weight, bias, **({"pads": [*pad, *pad]} if any(pad) else {}))
            elif op == "dense":
                self.node("Gemm", *given, transB=1)
            elif op == "residual":
                around = self.x
                self.add(given[0])
                self.node("Add", around)
            elif op == "relu":
                self.node("Relu")
            elif op == "flatten":
                self.node("Flatten")
            else:
                raise CheckpointError(f"a network with {op} has no ONNX graph: NumPy runs it")

    def constant(self, value: np.ndarray) -> str:
        """Keep a value in the file; its name."""
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(value, name))
        return name

    def node(self, operator: str, *more: np.ndarray | str, **settings: Any) -> None:
        """Compute something from the last result."""
        beside = [one if isinstance(one, str) else self.constant(one) for one in more]
        out = f"x{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, [self.x, *beside], [out], **settings))
        self.x = out


TOLERANCE = 1e-3  # of the largest logit, or absolute where all are below one
CHECKED = 16  # samples compared
FILLED = 0.15  # part of the planes that is not empty in these, about as in real states


class ExportError(ValueError):
    """An export that went wrong, and why."""


def export(path: str | Path, out: str | Path) -> float:
    """Write the ONNX file of a checkpoint and give the largest difference to torch's outputs."""
    from suzaku.networks.checkpoint import load

    data = to_onnx(*read_weights(path))
    module, info = load(path)
    worst = difference(module, data, spec_of(info).features.shape)
    out = Path(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    write_whole(out, data)
    return worst


def difference(module: "nn.Module", data: bytes, shape: tuple[int, ...]) -> float:
    """The largest difference between torch's outputs and onnxruntime's on made-up planes; an error if it matters."""
    import onnxruntime
    import torch

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
