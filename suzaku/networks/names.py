"""The families of networks, their names, and what goes in and out of their models.

- The families of networks: how their names read, which models they have, what each sees, and how it is built.
- The names of networks, and what goes in and out of their models.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from suzaku.features.groups import FeatureSet
from suzaku.features.sets import feature_set

if TYPE_CHECKING:
    from torch import nn

    from suzaku.networks.onnx_graph import Graph


# A model is one decision with weights of its own: the same network with another head.

Sizes = tuple[int, ...]  # the numbers in a network's name


@dataclass(frozen=True)
class ModelType:
    """What one decision of a family takes and gives."""

    outputs: int  # values for a sample
    features: str  # the feature set it sees (`suzaku/features/sets.py`)


@dataclass(frozen=True)
class Family:
    """Networks of one design, in any size."""

    name: str
    game: str
    grammar: re.Pattern[str]  # of its names; the groups are the sizes
    form: str  # the same for people
    models: dict[str, ModelType]
    build: "Callable[[Sizes, int, int], nn.Module]"  # called with the sizes, the channels and the outputs
    graph: "Callable[[Graph, Sizes, int, int], None] | None" = None  # adds it to an ONNX graph; called likewise
    one_player: bool = False  # whether its paper follows one player a round
    sparse: bool = False  # whether it has a first layer for sparse planes, on the CPU
    agent: str = ""  # the player that its networks make up; the one of its name if not given

    @property
    def player(self) -> str:
        """The name of the player that its networks make up."""
        return self.agent or self.name


def _build_suphx(sizes: Sizes, channels: int, outputs: int) -> "nn.Module":
    from suzaku.networks.modules import Suphx

    blocks, width = sizes
    return Suphx(channels, blocks, width, outputs)


def _build_gao(sizes: Sizes, channels: int, outputs: int) -> "nn.Module":
    from suzaku.networks.modules import Gao

    return Gao(channels, outputs)


def _build_mcr(sizes: Sizes, channels: int, outputs: int) -> "nn.Module":
    from suzaku.networks.modules import Mcr

    blocks, layers, width = sizes
    return Mcr(channels, blocks, layers, width, outputs)


def _build_reward(sizes: Sizes, channels: int, outputs: int) -> "nn.Module":
    from suzaku.networks.modules import Reward

    return Reward(channels, sizes[0], outputs)


def _graph_suphx(graph: "Graph", sizes: Sizes, channels: int, outputs: int) -> None:
    blocks, width = sizes
    graph.suphx(channels, blocks, width, outputs)


def _graph_gao(graph: "Graph", sizes: Sizes, channels: int, outputs: int) -> None:
    graph.gao(channels, outputs)


def _graph_mcr(graph: "Graph", sizes: Sizes, channels: int, outputs: int) -> None:
    blocks, layers, width = sizes
    graph.mcr(channels, blocks, layers, width, outputs)


FAMILIES: dict[str, Family] = {}


def register(family: Family) -> Family:
    """Add a family; names are given once, and its models see what is encoded of its own game."""
    if family.name in FAMILIES:
        raise ValueError(f"there is a family of networks {family.name!r} already: choose another name")
    for name, model in family.models.items():
        game = feature_set(model.features).game
        if game != family.game:
            raise ValueError(
                f"networks {family.name!r} are of {family.game}, and the feature set {model.features!r} of their model "
                f"{name!r} is of {game}"
            )
    FAMILIES[family.name] = family
    return family


SUPHX = register(
    Family(
        "suphx",
        "riichi",
        re.compile(r"suphx-b([1-9][0-9]{0,2})c([1-9][0-9]{0,3})"),
        "suphx-bBLOCKScCHANNELS such as 'suphx-b10c128' (blocks to 999, channels to 9999)",
        {
            "discard": ModelType(34, "suphx"),
            "riichi": ModelType(2, "suphx"),
            "chow": ModelType(2, "suphx+claim"),
            "pong": ModelType(2, "suphx+claim"),
            "kong": ModelType(2, "suphx+claim"),
        },
        _build_suphx,
        _graph_suphx,
        sparse=True,
    )
)
ORACLE = register(
    Family(
        "oracle",
        "riichi",
        re.compile(r"oracle-b([1-9][0-9]{0,2})c([1-9][0-9]{0,3})"),
        "oracle-bBLOCKScCHANNELS, the same network with its first layer widened to what the seat cannot see",
        {name: ModelType(model.outputs, f"{model.features}+oracle") for name, model in SUPHX.models.items()},
        _build_suphx,
        _graph_suphx,
        sparse=True,
    )
)
GAO = register(
    Family(
        "gao",
        "riichi",
        re.compile(r"gao-86"),
        "'gao-86'",
        {
            "discard": ModelType(34, "gao"),
            "riichi": ModelType(2, "gao"),
            "chow": ModelType(4, "gao"),  # no, called tile lowest, middle, highest
            "pong": ModelType(2, "gao"),
        },
        _build_gao,
        _graph_gao,
        one_player=True,
    )
)
REWARD = register(
    Family(
        "reward",
        "riichi",
        re.compile(r"reward-h([1-9][0-9]{0,2})"),
        "reward-hWIDTH such as 'reward-h64' (width to 999)",
        {target: ModelType(4, "rounds") for target in ("tenhou", "expert", "uma")},  # logits of the places
        _build_reward,
    )
)


def _mcr(units: int) -> Family:
    """The paper's networks over so many units."""
    return Family(
        f"mcr-{units}",
        "mcr",
        re.compile(rf"mcr-{units}-b([1-9][0-9]?)x([35])c([1-9][0-9]{{0,3}})"),
        f"mcr-{units}-bBLOCKSxLAYERScCHANNELS such as 'mcr-{units}-b3x3c64' (layers of a block: 3 or 5)",
        {
            "discard": ModelType(34, f"mcr-{units}"),
            "pong": ModelType(2, f"mcr-{units}+offer"),
            "chow": ModelType(2, f"mcr-{units}+offer"),
        },
        _build_mcr,
        _graph_mcr,
        agent="mcr",
    )


MCR = tuple(register(_mcr(units)) for units in (55, 27, 17, 15))
MCR_PLAN = register(
    Family(
        "mcr-plan",
        "mcr",
        re.compile(r"mcr-plan-b([1-9][0-9]{0,2})c([1-9][0-9]{0,3})"),
        "mcr-plan-bBLOCKScCHANNELS, a Suphx network over planes with plans",
        {
            "discard": ModelType(34, "mcr-plan"),
            "pong": ModelType(2, "mcr-plan+claim"),
            "chow": ModelType(2, "mcr-plan+claim"),
        },
        _build_suphx,
        _graph_suphx,
        sparse=True,
        agent="mcr",
    )
)


# | name             | network                                                                     |
# |------------------|-----------------------------------------------------------------------------|
# | `suphx-b50c256`  | Suphx's residual network with 50 blocks of 256 channels; any sizes will do  |
# | `oracle-b50c256` | the same, but it sees the hidden tiles too: for oracle guiding              |
# | `gao-86`         | Gao et al.'s network over 86 planes                                         |
# | `reward-h64`     | Suphx's reward predictor, its GRU layers 64 wide; a model a target          |
# | `mcr-55-b3x3c64` | the MCR paper's network over 55 units: 3 blocks of 3 layers of 64 channels  |
# | `mcr-plan-b3c32` | a Suphx network over planes of MCR with plans                               |


@dataclass(frozen=True)
class Network:
    """What a name stands for."""

    name: str
    family: Family
    sizes: Sizes = ()  # of a Suphx network: blocks and channels

    def model(self, name: str) -> ModelType:
        """One of its models."""
        if name not in self.family.models:
            raise ValueError(f"{name!r} is not a model of {self.name}: expected one of {', '.join(self.family.models)}")
        return self.family.models[name]


def parse(name: str) -> Network:
    """The network of a name."""
    for family in FAMILIES.values():
        if found := family.grammar.fullmatch(name):
            return Network(name, family, tuple(map(int, found.groups())))
    forms = ", or ".join(family.form for family in FAMILIES.values())
    raise ValueError(f"{name!r} is not a network: expected {forms}")


def outputs(name: str, model: str) -> int:
    """The number of values a model gives for a sample."""
    return parse(name).model(model).outputs


def inputs(name: str, model: str) -> FeatureSet:
    """What a model sees, as this installation encodes it."""
    return feature_set(parse(name).model(model).features)


def takes_sparse(name: str, device: str) -> bool:
    """Whether a network takes sparse planes on a device of torch ("cpu", "cuda:0" ...); GPUs are fast at dense ones."""
    return device == "cpu" and parse(name).family.sparse
