"""A network as a list of its layers: the one description that torch, ONNX and NumPy build it from.

- A `Layer` is plain data, so that the bots for Botzone can take the lists along.
- Names are those of the tensors in checkpoints. A stack or a residual block puts its own name before them.
- `modules.py` makes torch's modules of a list; `numpy_network.py` folds norms and scales into the layers beside them,
  and `onnx_graph.py` writes what is folded.
- The four architectures stand below; what their papers leave open is chosen there.
"""

from typing import NamedTuple


class Layer(NamedTuple):
    """One layer."""

    op: str
    name: str = ""  # of its tensors
    into: int = 0  # channels or values that go in
    out: int = 0
    span: tuple[int, int] = (1, 1)  # of a convolution: height, width
    pad: tuple[int, int] = (0, 0)  # zeros on either side
    bias: bool = False  # of a convolution without a norm behind it
    layers: "Layers" = ()  # inside


Layers = tuple[Layer, ...]

# How planes of bytes become a picture: [n, channels, height, width].
ROW = Layer("row")  # [n, channels, places], the places side by side: [n, channels, 1, places]
UNITS = Layer("units")  # [n, units, kinds], the kinds as channels: [n, kinds, 1, units]
PICTURE = Layer("picture")  # [n, channels, height, width] as it is
ROUNDS = Layer("rounds")  # [n, rounds, numbers] for a GRU

SCALE = Layer("scale")  # bytes 0..255 become 0..1: a norm or a dense layer behind it takes it in
RELU = Layer("relu")
FLATTEN = Layer("flatten")  # one row of values
DROPOUT = Layer("dropout")  # of one half, while the network learns


def conv(
    name: str, into: int, out: int, span: tuple[int, int] = (1, 1), pad: tuple[int, int] = (0, 0), bias: bool = False
) -> Layer:
    """A convolution."""
    return Layer("conv", name, into, out, span, pad, bias)


def norm(name: str, channels: int) -> Layer:
    """A batch norm."""
    return Layer("norm", name, channels, channels)


def norm_relu(name: str, channels: int) -> Layer:
    """A batch norm and the ReLU behind it, which training on a CPU does in one."""
    return Layer("norm_relu", name, channels, channels)


def dense(name: str, into: int, out: int) -> Layer:
    """A dense layer."""
    return Layer("dense", name, into, out)


def gru(name: str, into: int, out: int) -> Layer:
    """Two GRU layers; every round sees those before it."""
    return Layer("gru", name, into, out)


def stack(name: str, *layers: Layer) -> Layer:
    """Layers under one name."""
    return Layer("stack", name, layers=layers)


def residual(name: str, *layers: Layer) -> Layer:
    """Layers with a way around them: what went in is added before the last ReLU."""
    return Layer("residual", name, layers=layers)


def tensor_shapes(layers: Layers, prefix: str = "") -> dict[str, tuple[int, ...]]:
    """The tensors of a checkpoint, but for the counts of the batch norms."""
    found: dict[str, tuple[int, ...]] = {}
    for layer in layers:
        name, into, out = prefix + layer.name, layer.into, layer.out
        if layer.layers:
            found |= tensor_shapes(layer.layers, f"{name}.")
        elif layer.op == "conv":
            found[f"{name}.weight"] = out, into, *layer.span
        elif layer.op == "dense":
            found[f"{name}.weight"] = out, into
        elif layer.op in ("norm", "norm_relu"):
            found |= {f"{name}.{part}": (out,) for part in ("weight", "bias", "running_mean", "running_var")}
        elif layer.op == "gru":
            for i, wide in enumerate((into, out)):
                found |= {f"{name}.weight_ih_l{i}": (3 * out, wide), f"{name}.weight_hh_l{i}": (3 * out, out)}
                found |= {f"{name}.bias_{side}_l{i}": (3 * out,) for side in ("ih", "hh")}
        if layer.op == "dense" or layer.bias:
            found[f"{name}.bias"] = (out,)
    return found


TILES = 34
SPAN = (1, 3)  # of a convolution over a row
BESIDE = (0, 1)  # zeros at either end of it
HEAD_CHANNELS = 32
HEAD_WIDTH = 256


def suphx(planes: int, outputs: int, blocks: int, channels: int) -> Layers:
    """Suphx's network (Fig. 4 and 5): 3x1 convolutions over the 34 tiles, a deep stack of residual blocks, no pooling.

    34 outputs are one a tile. The paper leaves open, and is chosen here:
    - A block is convolution, batch norm, ReLU, convolution, batch norm, plus the block's input, ReLU.
    - Zeros stand beside the first and the last tile. A convolution before a batch norm has no bias of its own.
    - The suits are one row, as in the paper: 9m has 1p for a neighbour, and the network learns where a suit ends.
    - The dense head: 1x1 convolution to 32 channels, batch norm, ReLU, dense 256, ReLU, dense 2.
    - The discard head: 1x1 convolution to one value a tile, with a bias.
    """
    block = (
        conv("conv1", channels, channels, SPAN, BESIDE),
        norm_relu("norm1", channels),
        conv("conv2", channels, channels, SPAN, BESIDE),
        norm_relu("norm2", channels),
    )
    by_tile = (conv("last", channels, 1, bias=True), FLATTEN)
    return (
        ROW,
        conv("stem", planes, channels, SPAN, BESIDE),
        SCALE,  # here, where there are fewer channels
        norm_relu("norm", channels),
        stack("blocks", *(residual(str(i), *block) for i in range(blocks))),
        stack("head", *(by_tile if outputs == TILES else dense_head("norm", channels, TILES, outputs))),
    )


def dense_head(norm: str, channels: int, places: int, outputs: int) -> Layers:
    """A few values for the whole state."""
    return (
        conv("conv", channels, HEAD_CHANNELS),
        norm_relu(norm, HEAD_CHANNELS),
        FLATTEN,
        dense("dense", HEAD_CHANNELS * places, HEAD_WIDTH),
        RELU,
        dense("last", HEAD_WIDTH, outputs),
    )


FILTERS = 100
LEFT = 22  # 34 tiles less 4 in each of three convolutions; the four copies shrink to one
WIDTH = 300


def gao(planes: int, outputs: int) -> Layers:
    """Gao et al.'s network: three blocks of 5x2 convolutions over 34 tiles x 4 copies, a dense layer, the answers.

    A convolution only looks where it fits: 34 x 4 becomes 30 x 3, 26 x 2 and 22 x 1. The order of a block is the
    paper's. Chosen here: ReLU after the dense layer of 300.
    """
    blocks = (
        stack(str(i), conv("0", into, FILTERS, (5, 2)), norm("1", FILTERS), DROPOUT, RELU)
        for i, into in enumerate((planes, FILTERS, FILTERS))
    )
    return (
        PICTURE,
        stack("blocks", *blocks),
        FLATTEN,
        dense("dense", FILTERS * LEFT, WIDTH),
        RELU,
        dense("last", WIDTH, outputs),
    )


def mcr(units: int, outputs: int, blocks: int, depth: int, channels: int) -> Layers:
    """The network of the MCR paper (3.2, Fig. 2): convolutions over stacked units, the 34 kinds being the channels.

    Every convolution has a batch norm; three or five such layers with a way around them make a block. Chosen here:
    convolutions look at three neighbouring units, with zeros beside the first and the last; ReLU after every batch
    norm, in a block's last layer behind the sum; the layer before the blocks; the head.
    """
    block: Layers = ()
    for i in range(1, depth + 1):
        block += conv(f"conv{i}", channels, channels, SPAN, BESIDE), norm_relu(f"norm{i}", channels)
    return (
        UNITS,
        SCALE,
        conv("stem", TILES, channels, SPAN, BESIDE),
        norm_relu("norm", channels),
        stack("blocks", *(residual(str(i), *block) for i in range(blocks))),
        *dense_head("head_norm", channels, units, outputs),
    )


def reward(numbers: int, outputs: int, width: int) -> Layers:
    """The reward predictor (Suphx, Fig. 7): two GRU layers and two dense layers over the rounds of a game.

    The last layer gives the probabilities of the four places, and the predicted reward is their mean worth. So it
    never leaves the range of rewards, and the same network tells the expected place.
    """
    return ROUNDS, gru("gru", numbers, width), dense("dense", width, width), RELU, dense("head", width, outputs)
