"""The names of networks, the models each has, and what goes in and out of them.

| name            | network                                                                     |
|-----------------|-----------------------------------------------------------------------------|
| `suphx-b50c256` | Suphx's residual network with 50 blocks of 256 channels; any sizes will do  |
| `gao-86`        | Gao et al.'s network over 86 planes                                         |

A model is one decision with weights of its own: the same network with another head.
"""

import re
from dataclasses import dataclass

SUPHX_MODELS = {"discard": 34, "riichi": 2, "chow": 2, "pong": 2, "kong": 2}
GAO_MODELS = {"discard": 34, "riichi": 2, "chow": 4, "pong": 2}  # chow: no, called tile lowest, middle, highest
MODELS = {"suphx": SUPHX_MODELS, "gao": GAO_MODELS}
CLAIMS = ("chow", "pong", "kong")

_SUPHX = re.compile(r"suphx-b([1-9][0-9]{0,2})c([1-9][0-9]{0,3})")


@dataclass(frozen=True)
class Network:
    """What a name stands for; blocks and channels are those of Suphx's residual blocks, 0 for Gao's."""

    name: str
    family: str
    blocks: int = 0
    channels: int = 0


@dataclass(frozen=True)
class Inputs:
    """What a model sees: the shape of a sample in bytes, and the channel table that fills it."""

    shape: tuple[int, ...]
    table: str
    version: int
    hash: str


def parse(name: str) -> Network:
    """The network of a name."""
    if name == "gao-86":
        return Network(name, "gao")
    found = _SUPHX.fullmatch(name)
    if found is None:
        raise ValueError(
            f"{name!r} is no network: expected suphx-bBLOCKScCHANNELS such as 'suphx-b10c128' (blocks to 999, "
            "channels to 9999), or 'gao-86'"
        )
    return Network(name, "suphx", int(found[1]), int(found[2]))


def outputs(name: str, model: str) -> int:
    """The number of values a model gives for a sample."""
    models = MODELS[parse(name).family]
    if model not in models:
        raise ValueError(f"{model!r} is no model of {name}: expected one of {', '.join(models)}")
    return models[model]


def inputs(name: str, model: str) -> Inputs:
    """What a model sees, as this installation encodes it."""
    from suzaku.features.groups import CLAIM, SUPHX, size, table_hash, table_version

    outputs(name, model)  # refuses unknown names
    if parse(name).family == "gao":
        from suzaku.features.gao import GAO, SHAPE

        return Inputs(SHAPE, "gao", table_version(GAO), table_hash(GAO))
    groups, table = (SUPHX + CLAIM, "suphx+claim") if model in CLAIMS else (SUPHX, "suphx")
    return Inputs((size(groups), 34), table, table_version(groups), table_hash(groups))
