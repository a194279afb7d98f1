"""The names of networks, and what goes in and out of their models.

| name             | network                                                                     |
|------------------|-----------------------------------------------------------------------------|
| `suphx-b50c256`  | Suphx's residual network with 50 blocks of 256 channels; any sizes will do  |
| `oracle-b50c256` | the same, but it sees the hidden tiles too: for oracle guiding              |
| `gao-86`         | Gao et al.'s network over 86 planes                                         |
| `reward-h64`     | Suphx's reward predictor, its GRU layers 64 wide; a model a target          |
| `mcr-55-b3x3c64` | the MCR paper's network over 55 units: 3 blocks of 3 layers of 64 channels  |
| `mcr-plan-b3c32` | a Suphx network over planes of MCR with plans                               |
"""

from dataclasses import dataclass

from suzaku.features.feature_set import FeatureSet
from suzaku.features.sets import feature_set
from suzaku.networks.families import FAMILIES, Family, ModelType, Sizes


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
