"""The feature sets of MCR; the encoders are imported where they are called."""

from typing import TYPE_CHECKING

import numpy as np

from suzaku.features.feature_set import Encoder, FeatureSet
from suzaku.features.mcr.groups import CLAIM, OFFER, PLANES, PREFIXES, UNITS

if TYPE_CHECKING:
    from suzaku.features.sparse import SparsePlanes


def _units(units: int, offer: bool) -> Encoder:
    def encode(records: np.ndarray, claim: np.ndarray | None, out: np.ndarray | None, lookahead: bool) -> np.ndarray:
        from suzaku.features.mcr.units import encode_many

        return encode_many(records, out, units, offer)

    return encode


def _planes(records: np.ndarray, claim: np.ndarray | None, out: np.ndarray | None, lookahead: bool) -> np.ndarray:
    from suzaku.features.mcr.planes import encode_many

    return encode_many(records, out, lookahead)


def _sparse_planes(records: np.ndarray, claim: np.ndarray | None, lookahead: bool) -> "SparsePlanes":
    from suzaku.features.mcr.planes import encode_sparse

    return encode_sparse(records, lookahead)


def _claim(records: np.ndarray, claim: np.ndarray | None, out: np.ndarray | None, lookahead: bool) -> np.ndarray:
    from suzaku.features.mcr.claims import encode_many

    assert claim is not None
    return encode_many(records, claim, out, lookahead)


def _sparse_claim(records: np.ndarray, claim: np.ndarray | None, lookahead: bool) -> "SparsePlanes":
    from suzaku.features.mcr.claims import encode_sparse

    assert claim is not None
    return encode_sparse(records, claim, lookahead)


def _unit_sets() -> list[FeatureSet]:
    """The paper's units, and the first ones of them alone."""
    found = []
    for units, groups in sorted(PREFIXES.items(), reverse=True):
        seen = UNITS[:groups]
        about = "The paper's units" if units == max(PREFIXES) else f"The first {units} of the paper's units"
        found.append(FeatureSet(f"mcr-{units}", "mcr", f"{about}: the discard model.", seen, _units(units, False)))
        asked = _units(units, True)
        found.append(FeatureSet(f"mcr-{units}+offer", "mcr", f"{about}: pong and chow.", seen + OFFER, asked))
    return found


MCR_SETS = (
    *_unit_sets(),
    FeatureSet(
        "mcr-plan",
        "mcr",
        "Planes in the manner of Suphx, with the plans of the look-ahead: the discard model.",
        PLANES,
        _planes,
        sparse_encoder=_sparse_planes,
    ),
    FeatureSet(
        "mcr-plan+claim",
        "mcr",
        "The same with a claim: pong and chow.",
        PLANES + CLAIM,
        _claim,
        claim=True,
        sparse_encoder=_sparse_claim,
    ),
)
