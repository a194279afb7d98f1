"""A checkpoint as an ONNX graph, straight from its weights: what onnxruntime plays with. Needs no torch.

Input "planes" uint8[n, ...], output "logits" float32[n, answers], any n. Batch norms are folded into the convolutions
before them; so is the scale of Suphx's bytes. The metadata name network, model and feature table. A graph for sparse
planes begins behind the first layer, with input "first" float32[n, filters, 1, 34]: `first_layer.py` computes that.
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
SUPHX_HEAD, SUPHX_WIDTH = 32, 256  # as in suphx.py, which needs torch
GAO_FILTERS, GAO_WIDTH = 100, 300  # as in gao.py


def to_onnx(tensors: dict[str, np.ndarray], info: Info) -> bytes:
    """The serialised graph of a checkpoint's weights."""
    return _serialised(Graph(tensors), info)


def to_onnx_behind(tensors: dict[str, np.ndarray], info: Info) -> tuple[bytes, np.ndarray, np.ndarray]:
    """The graph behind the first layer, for families with one for sparse planes, and that layer's weight and bias."""
    graph = Graph(tensors, behind=True)
    data = _serialised(graph, info)
    return data, *graph.first_layer


def _serialised(graph: "Graph", info: Info) -> bytes:
    network = parse(info["network"])
    answers = outputs(info["network"], info["model"])
    if network.family.graph is None:
        raise CheckpointError(f"{network.name} has no ONNX graph: its family needs one in suzaku/networks/names.py")
    shape = inputs(info["network"], info["model"]).shape
    network.family.graph(graph, network.sizes, shape[0], answers)
    graph.check_all_taken()
    made = helper.make_graph(
        graph.nodes,
        info["model"],
        [graph.input(shape)],
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

    def __init__(self, tensors: dict[str, np.ndarray], behind: bool = False) -> None:
        self.tensors, self.behind = tensors, behind
        self.first_layer: tuple[np.ndarray, np.ndarray] = np.zeros(0), np.zeros(0)
        self.taken: set[str] = set()
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []
        self.x = "first" if behind else "planes"

    def input(self, shape: tuple[int, ...]) -> onnx.ValueInfoProto:
        """What goes in, for planes of a shape."""
        if self.behind:
            return helper.make_tensor_value_info("first", TensorProto.FLOAT, ["n", len(self.first_layer[1]), 1, 34])
        return helper.make_tensor_value_info("planes", TensorProto.UINT8, ["n", *shape])

    def suphx(self, planes: int, blocks: int, channels: int, answers: int) -> None:
        """The network of suphx.py."""
        if (has := len(self.take("stem.weight"))) != channels:
            raise CheckpointError(
                f"the weights are not of suphx-b{blocks}c{channels}: expected {channels} channels, they have {has}"
            )
        if self.behind:
            self.first_layer = self.folded("stem", "norm", (channels, planes, 1, 3))
        else:
            self.node("Cast", to=TensorProto.FLOAT)
            self.node("Unsqueeze", self.constant(np.array([2], np.int64)))
            self.convolution("stem", "norm", (channels, planes, 1, 3), pads=[0, 1, 0, 1], scale=1 / 255)
            self.node("Relu")
        inner = (channels, channels, 1, 3)
        for i in range(blocks):
            around = self.x
            self.convolution(f"blocks.{i}.conv1", f"blocks.{i}.norm1", inner, pads=[0, 1, 0, 1])
            self.node("Relu")
            self.convolution(f"blocks.{i}.conv2", f"blocks.{i}.norm2", inner, pads=[0, 1, 0, 1])
            self.node("Add", around)
            self.node("Relu")
        if answers == 34:
            weight = self.take("head.last.weight", 1, channels, 1, 1)
            self.node("Conv", self.constant(weight), self.constant(self.take("head.last.bias", 1)))
            self.node("Flatten", out="logits")
        else:
            self.convolution("head.conv", "head.norm", (SUPHX_HEAD, channels, 1, 1))
            self.node("Relu")
            self.node("Flatten")
            self.dense("head.dense", SUPHX_HEAD * 34, SUPHX_WIDTH)
            self.node("Relu")
            self.dense("head.last", SUPHX_WIDTH, answers, "logits")

    def gao(self, planes: int, answers: int) -> None:
        """The network of gao.py."""
        self.node("Cast", to=TensorProto.FLOAT)
        for i in range(3):
            self.convolution(f"blocks.{i}.0", f"blocks.{i}.1", (GAO_FILTERS, GAO_FILTERS if i else planes, 5, 2))
            self.node("Relu")
        self.node("Flatten")
        self.dense("dense", GAO_FILTERS * 22, GAO_WIDTH)
        self.node("Relu")
        self.dense("last", GAO_WIDTH, answers, "logits")

    def mcr(self, units: int, blocks: int, layers: int, channels: int, answers: int) -> None:
        """The network of mcr.py."""
        self.node("Cast", to=TensorProto.FLOAT)
        self.node("Transpose", perm=[0, 2, 1])
        self.node("Unsqueeze", self.constant(np.array([2], np.int64)))
        self.convolution("stem", "norm", (channels, 34, 1, 3), pads=[0, 1, 0, 1], scale=1 / 255)
        self.node("Relu")
        for i in range(blocks):
            around = self.x
            for j in range(1, layers + 1):
                inner = (channels, channels, 1, 3)
                self.convolution(f"blocks.{i}.conv{j}", f"blocks.{i}.norm{j}", inner, pads=[0, 1, 0, 1])
                if j == layers:
                    self.node("Add", around)
                self.node("Relu")
        self.convolution("conv", "head_norm", (SUPHX_HEAD, channels, 1, 1))
        self.node("Relu")
        self.node("Flatten")
        self.dense("dense", SUPHX_HEAD * units, SUPHX_WIDTH)
        self.node("Relu")
        self.dense("last", SUPHX_WIDTH, answers, "logits")

    def take(self, name: str, *shape: int) -> np.ndarray:
        """A tensor of the checkpoint, of this shape."""
        if name not in self.tensors:
            raise CheckpointError(f"the checkpoint lacks the tensor {name!r}")
        self.taken.add(name)
        value = self.tensors[name]
        if shape and value.shape != shape:
            raise CheckpointError(
                f"the checkpoint holds {name!r} in shape {list(value.shape)}, the network needs {list(shape)}"
            )
        return value

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

    def node(self, operator: str, *more: str, out: str = "", **settings: Any) -> None:
        """Compute something from the last result."""
        out = out or f"x{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, [self.x, *more], [out], **settings))
        self.x = out

    def folded(self, name: str, norm: str, shape: tuple[int, ...], scale: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
        """Weight and bias of a convolution and the batch norm after it, in one."""
        n = shape[0]
        factor = self.take(f"{norm}.weight", n) / np.sqrt(self.take(f"{norm}.running_var", n) + EPSILON)
        weight = self.take(f"{name}.weight", *shape) * (scale * factor)[:, None, None, None]
        bias = self.take(f"{norm}.bias", n) - self.take(f"{norm}.running_mean", n) * factor
        return weight.astype(np.float32), bias

    def convolution(self, name: str, norm: str, shape: tuple[int, ...], scale: float = 1.0, **settings: Any) -> None:
        """A convolution and the batch norm after it, in one."""
        weight, bias = self.folded(name, norm, shape, scale)
        self.node("Conv", self.constant(weight), self.constant(bias), **settings)

    def dense(self, name: str, wide: int, narrow: int, out: str = "") -> None:
        """A dense layer."""
        weight, bias = self.take(f"{name}.weight", narrow, wide), self.take(f"{name}.bias", narrow)
        self.node("Gemm", self.constant(weight), self.constant(bias), out=out, transB=1)
