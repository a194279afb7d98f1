"""A checkpoint as an ONNX graph, straight from its weights: what onnxruntime plays with. Needs no torch.

Input "planes" uint8[n, ...], output "logits" float32[n, answers], any n. Batch norms are folded into the convolutions
before them; so is the scale of Suphx's bytes. The metadata name network, model and feature table.
"""

from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from suzaku.networks.info import CheckpointError, Info
from suzaku.networks.names import inputs, outputs, parse

OPSET = 17
IR_VERSION = 8  # what onnxruntime 1.18 reads
EPSILON = 1e-5  # of torch's batch norms


def to_onnx(tensors: dict[str, np.ndarray], info: Info) -> bytes:
    """The serialised graph of a checkpoint's weights."""
    graph = Graph(tensors)
    network = parse(info["network"])
    answers = outputs(info["network"], info["model"])
    if network.family.graph is None:
        raise CheckpointError(f"{network.name} has no ONNX graph: its family needs one in suzaku/networks/families.py")
    network.family.graph(graph, network.sizes, answers)
    graph.check_all_taken()
    shape = inputs(info["network"], info["model"]).shape
    made = helper.make_graph(
        graph.nodes,
        info["model"],
        [helper.make_tensor_value_info("planes", TensorProto.UINT8, ["n", *shape])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["n", answers])],
        graph.constants,
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    features = info["features"]
    told = {"network": info["network"], "model": info["model"], "suzaku": info.get("suzaku", "unknown")}
    helper.set_model_props(model, told | {f"features.{key}": str(value) for key, value in features.items()})
    onnx.checker.check_model(model)
    return model.SerializeToString()


class Graph:
    """Nodes in the order they are computed; `x` is the name of the last result."""

    def __init__(self, tensors: dict[str, np.ndarray]) -> None:
        self.tensors = tensors
        self.taken: set[str] = set()
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []
        self.x = "planes"

    def suphx(self, blocks: int, channels: int, answers: int) -> None:
        """The network of suphx.py."""
        if len(self.take("stem.weight")) != channels:
            raise CheckpointError(
                f"the weights are no suphx-b{blocks}c{channels}: they have {len(self.take('stem.weight'))} channels"
            )
        self.node("Cast", to=TensorProto.FLOAT)
        self.node("Unsqueeze", self.constant(np.array([2], np.int64)))
        self.convolution("stem", "norm", pads=[0, 1, 0, 1], scale=1 / 255)
        self.node("Relu")
        for i in range(blocks):
            around = self.x
            self.convolution(f"blocks.{i}.conv1", f"blocks.{i}.norm1", pads=[0, 1, 0, 1])
            self.node("Relu")
            self.convolution(f"blocks.{i}.conv2", f"blocks.{i}.norm2", pads=[0, 1, 0, 1])
            self.node("Add", around)
            self.node("Relu")
        if answers == 34:
            weights = self.constant(self.take("head.last.weight")), self.constant(self.take("head.last.bias"))
            self.node("Conv", *weights)
            self.node("Flatten", out="logits")
        else:
            self.convolution("head.conv", "head.norm")
            self.node("Relu")
            self.node("Flatten")
            self.dense("head.dense")
            self.node("Relu")
            self.dense("head.last", "logits")

    def gao(self) -> None:
        """The network of gao.py."""
        self.node("Cast", to=TensorProto.FLOAT)
        for i in range(3):
            self.convolution(f"blocks.{i}.0", f"blocks.{i}.1")
            self.node("Relu")
        self.node("Flatten")
        self.dense("dense")
        self.node("Relu")
        self.dense("last", "logits")

    def take(self, name: str) -> np.ndarray:
        """A tensor of the checkpoint."""
        if name not in self.tensors:
            raise CheckpointError(f"the checkpoint lacks the tensor {name!r}")
        self.taken.add(name)
        return self.tensors[name]

    def check_all_taken(self) -> None:
        """Refuse weights that hold more than the network they are said to be."""
        extra = [name for name in self.tensors if name not in self.taken and not name.endswith("num_batches_tracked")]
        if extra:
            raise CheckpointError(f"the checkpoint holds the unknown tensor {extra[0]!r} ({len(extra)} unknown in all)")

    def constant(self, value: np.ndarray) -> str:
        """Keep a value in the file; its name."""
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(value, name))
        return name

    def node(self, kind: str, *more: str, out: str = "", **settings: Any) -> None:
        """Compute something from the last result."""
        out = out or f"x{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, [self.x, *more], [out], **settings))
        self.x = out

    def convolution(self, name: str, norm: str, scale: float = 1.0, **settings: Any) -> None:
        """A convolution and the batch norm after it, in one."""
        factor = self.take(f"{norm}.weight") / np.sqrt(self.take(f"{norm}.running_var") + EPSILON)
        weight = self.take(f"{name}.weight") * (scale * factor)[:, None, None, None]
        bias = self.take(f"{norm}.bias") - self.take(f"{norm}.running_mean") * factor
        self.node("Conv", self.constant(weight.astype(np.float32)), self.constant(bias), **settings)

    def dense(self, name: str, out: str = "") -> None:
        """A dense layer."""
        weights = self.constant(self.take(f"{name}.weight")), self.constant(self.take(f"{name}.bias"))
        self.node("Gemm", *weights, out=out, transB=1)
