"""Which networks there are: their families, their names, and the specification of each of their models.

- A family has a grammar of names, its models with what they see and answer, and a list of layers (`layers.py`).
- A model is one decision with weights of its own: the same network with another head.
- `model_spec` resolves the two names of a model once; whoever runs or trains it keeps the `ModelSpec`.

| name             | network                                                                     |
|------------------|-----------------------------------------------------------------------------|
| `suphx-b50c256`  | Suphx's residual network with 50 blocks of 256 channels; any sizes will do  |
| `oracle-b50c256` | the same, but it sees the hidden tiles too: for oracle guiding              |
| `gao-86`         | Gao et al.'s network over 86 planes                                         |
| `reward-h64`     | Suphx's reward predictor, its GRU layers 64 wide; a model a target          |
| `mcr-55-b3x3c64` | the MCR paper's network over 55 units: 3 blocks of 3 layers of 64 channels  |
| `mcr-plan-b3c32` | a Suphx network over planes of MCR with plans                               |
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from suzaku.features.channels import FeatureSet
from suzaku.features.sets import feature_set
from suzaku.networks.layers import Layers, gao, mcr, reward, suphx

FIRST_LAYER = ["row", "conv", "scale", "norm_relu"]  # what sparse planes can go into, on the CPU


@dataclass(frozen=True)
class ModelType:
    """What one decision of a family takes and gives."""

    outputs: int  # values for a sample
    features: str  # the feature set it sees (`suzaku/features/sets.py`)


@dataclass(frozen=True, eq=False)
class Family:
    """Networks of one design, in any size."""

    name: str
    game: str
    grammar: re.Pattern[str]  # of its names; the groups are the sizes
    form: str  # the same for people
    models: dict[str, ModelType]
    layers: Callable[..., Layers]  # called with the channels, the outputs and the sizes
    one_player: bool = False  # whether its paper follows one player a round
    agent: str = ""  # the player that its networks make up; the one of its name if not given

    @property
    def player(self) -> str:
        """The name of the player that its networks make up."""
        return self.agent or self.name


@dataclass(frozen=True)
class NetworkSpec:
    """What the name of a network stands for."""

    name: str
    family: Family
    sizes: tuple[int, ...] = ()  # of a Suphx network: blocks and channels

    def model(self, decision: str) -> "ModelSpec":
        """One of its models."""
        if decision not in self.family.models:
            known = ", ".join(self.family.models)
            raise ValueError(f"{decision!r} is not a model of {self.name}: expected one of {known}")
        found = self.family.models[decision]
        return ModelSpec(self, decision, found.outputs, feature_set(found.features))


@dataclass(frozen=True)
class ModelSpec:
    """One model of a network."""

    network: NetworkSpec
    decision: str  # discard, riichi, chow ...; of a reward predictor its target
    outputs: int  # values for a sample
    features: FeatureSet = field(compare=False)  # what it sees, as this installation encodes it

    @property
    def family(self) -> Family:
        """The family of its network."""
        return self.network.family

    @property
    def game(self) -> str:
        """The game it plays."""
        return self.family.game

    @cached_property
    def layers(self) -> Layers:
        """The layers of its network."""
        return self.family.layers(self.features.channels, self.outputs, *self.network.sizes)

    @cached_property
    def sparse(self) -> bool:
        """Whether its first layer is one for sparse planes."""
        return self.features.sparse_encoder is not None and [one.op for one in self.layers[:4]] == FIRST_LAYER

    def takes_sparse(self, device: str) -> bool:
        """Whether it takes sparse planes on a device of torch ("cpu", "cuda:0" ...); GPUs are fast at dense ones."""
        return device == "cpu" and self.sparse

    def describe_features(self) -> dict[str, Any]:
        """What a checkpoint says of the features."""
        return {"table": self.features.name, "version": self.features.version, "hash": self.features.hash}


FAMILIES: dict[str, Family] = {}


def network_spec(name: str) -> NetworkSpec:
    """The network of a name."""
    for family in FAMILIES.values():
        if found := family.grammar.fullmatch(name):
            return NetworkSpec(name, family, tuple(map(int, found.groups())))
    forms = ", or ".join(family.form for family in FAMILIES.values())
    raise ValueError(f"{name!r} is not a network: expected {forms}")


@cache
def model_spec(network: str, decision: str) -> ModelSpec:
    """The model of a network, by their names."""
    return network_spec(network).model(decision)


def spec_of(info: Mapping[str, Any]) -> ModelSpec:
    """The model that a checkpoint says it is."""
    return model_spec(info["network"], info["model"])


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


BLOCKS = r"b([1-9][0-9]{0,2})c([1-9][0-9]{0,3})"  # residual blocks, channels

SUPHX = register(
    Family(
        "suphx",
        "riichi",
        re.compile(f"suphx-{BLOCKS}"),
        "suphx-bBLOCKScCHANNELS such as 'suphx-b10c128' (blocks to 999, channels to 9999)",
        {
            "discard": ModelType(34, "suphx"),
            "riichi": ModelType(2, "suphx"),
            **dict.fromkeys(("chow", "pong", "kong"), ModelType(2, "suphx+claim")),
        },
        suphx,
    )
)
ORACLE = register(
    Family(
        "oracle",
        "riichi",
        re.compile(f"oracle-{BLOCKS}"),
        "oracle-bBLOCKScCHANNELS, the same network with its first layer widened to what the seat cannot see",
        {name: ModelType(model.outputs, f"{model.features}+oracle") for name, model in SUPHX.models.items()},
        suphx,
    )
)
GAO = register(
    Family(
        "gao",
        "riichi",
        re.compile("gao-86"),
        "'gao-86'",
        {
            "discard": ModelType(34, "gao"),
            "riichi": ModelType(2, "gao"),
            "chow": ModelType(4, "gao"),  # no, called tile lowest, middle, highest
            "pong": ModelType(2, "gao"),
        },
        gao,
        one_player=True,
    )
)
REWARD = register(
    Family(
        "reward",
        "riichi",
        re.compile("reward-h([1-9][0-9]{0,2})"),
        "reward-hWIDTH such as 'reward-h64' (width to 999)",
        dict.fromkeys(("tenhou", "expert", "uma"), ModelType(4, "rounds")),  # logits of the places
        reward,
    )
)


def _mcr(name: str, grammar: str, form: str, claim: str, layers: Callable[..., Layers]) -> Family:
    """Networks of MCR over the feature set of the same name."""
    models = {"discard": ModelType(34, name), **dict.fromkeys(("pong", "chow"), ModelType(2, f"{name}+{claim}"))}
    return register(Family(name, "mcr", re.compile(f"{name}-{grammar}"), f"{name}-{form}", models, layers, agent="mcr"))


MCR = tuple(
    _mcr(
        f"mcr-{units}",
        r"b([1-9][0-9]?)x([35])c([1-9][0-9]{0,3})",
        f"bBLOCKSxLAYERScCHANNELS such as 'mcr-{units}-b3x3c64' (layers of a block: 3 or 5)",
        "offer",
        mcr,
    )
    for units in (55, 27, 17, 15)
)
MCR_PLAN = _mcr("mcr-plan", BLOCKS, "bBLOCKScCHANNELS, a Suphx network over planes with plans", "claim", suphx)
