"""The feature sets there are, by name: a model's network says which of them it sees (`suzaku/networks/spec.py`)."""

from typing import TYPE_CHECKING

import numpy as np

from suzaku.features.channels import CLAIM, GAO, ORACLE, ORACLE_CHANNELS, ROUNDS, SUPHX, FeatureSet
from suzaku.features.mcr_sets import MCR_SETS

if TYPE_CHECKING:
    from suzaku.features.sparse import SparsePlanes

# The encoders are imported where they are called: a checkpoint's name and hash can be read without any kernel.


def _suphx(records: np.ndarray, claim: np.ndarray | None, out: np.ndarray | None, lookahead: bool) -> np.ndarray:
    from suzaku.features.suphx import encode_many

    return encode_many(records, out, lookahead)


def _suphx_claim(records: np.ndarray, claim: np.ndarray | None, out: np.ndarray | None, lookahead: bool) -> np.ndarray:
    from suzaku.features.claims import encode_many

    assert claim is not None
    return encode_many(records, claim, out, lookahead)


def _sparse_suphx(records: np.ndarray, claim: np.ndarray | None, lookahead: bool) -> "SparsePlanes":
    from suzaku.features.suphx import encode_sparse

    return encode_sparse(records, lookahead)


def _sparse_suphx_claim(records: np.ndarray, claim: np.ndarray | None, lookahead: bool) -> "SparsePlanes":
    from suzaku.features.claims import encode_sparse

    assert claim is not None
    return encode_sparse(records, claim, lookahead)


def _sparse_oracle(records: np.ndarray, claim: np.ndarray | None, lookahead: bool) -> "SparsePlanes":
    from suzaku.features.oracle import encode_sparse

    return encode_sparse(records)


def _gao(records: np.ndarray, claim: np.ndarray | None, out: np.ndarray | None, lookahead: bool) -> np.ndarray:
    from suzaku.features.gao import encode_many

    return encode_many(records, out)


def _oracle(records: np.ndarray, claim: np.ndarray | None, out: np.ndarray | None, lookahead: bool) -> np.ndarray:
    from suzaku.features.oracle import encode_many

    return encode_many(records, out)


def _rounds(records: np.ndarray, claim: np.ndarray | None, out: np.ndarray | None, lookahead: bool) -> np.ndarray:
    raise ValueError("the feature set rounds tells of the rounds of a game, not of a table: use encode_rounds")


def _with_oracle(seen: FeatureSet) -> FeatureSet:
    """What a seat sees, and behind it what it cannot see."""

    def encode(records: np.ndarray, claim: np.ndarray | None, out: np.ndarray | None, lookahead: bool) -> np.ndarray:
        from suzaku.features.oracle import encode_behind
        from suzaku.features.planes import batch

        out = batch(records, (seen.channels + ORACLE_CHANNELS, 34), out)
        seen.encode(records, claim, out, lookahead)
        encode_behind(records, seen.channels, out)
        return out

    def encode_sparse(records: np.ndarray, claim: np.ndarray | None, lookahead: bool) -> "SparsePlanes":
        return seen.encode_sparse(records, claim, lookahead).before(_sparse_oracle(records, claim, lookahead))

    return FeatureSet(
        f"{seen.name}+oracle",
        seen.game,
        f"What {seen.name} holds, then what the seat cannot see.",
        seen.groups + ORACLE,
        encode,
        claim=seen.claim,
        hidden=ORACLE_CHANNELS,
        sparse_encoder=encode_sparse,
    )


SETS: dict[str, FeatureSet] = {}


def register(features: FeatureSet) -> FeatureSet:
    """Add a feature set. Names are given once."""
    if features.name in SETS:
        raise ValueError(f"there is a feature set {features.name!r} already: choose another name")
    SETS[features.name] = features
    return features


def feature_set(name: str) -> FeatureSet:
    """The feature set of a name."""
    if name not in SETS:
        raise ValueError(f"{name!r} is not a feature set: there are {', '.join(SETS)}")
    return SETS[name]


_seen = register(
    FeatureSet(
        "suphx",
        "riichi",
        "The input of the discard and riichi models.",
        SUPHX,
        _suphx,
        sparse_encoder=_sparse_suphx,
    )
)
_asked = register(
    FeatureSet(
        "suphx+claim",
        "riichi",
        "The input of the chow, pong and kong models.",
        SUPHX + CLAIM,
        _suphx_claim,
        claim=True,
        sparse_encoder=_sparse_suphx_claim,
    )
)
register(
    FeatureSet(
        "oracle",
        "riichi",
        "What the seat cannot see, masked out as oracle guiding goes on.",
        ORACLE,
        _oracle,
        hidden=ORACLE_CHANNELS,
        sparse_encoder=_sparse_oracle,
    )
)
register(_with_oracle(_seen))
register(_with_oracle(_asked))
register(FeatureSet("gao", "riichi", "TABLE I of Gao et al.", GAO, _gao, cells=(34, 4)))
register(
    FeatureSet(
        "rounds",
        "riichi",
        "The input of the reward predictor: float32 numbers, a row for the start of a game and for each round.",
        ROUNDS,
        _rounds,
        cells=(),
    )
)
for _one in MCR_SETS:
    register(_one)
