"""The channel tables and feature sets of MCR.

- The channel tables of MCR: the paper's 55 units, and planes in the manner of Suphx with plans for a look-ahead.
- The feature sets of MCR. The encoders are imported where they are called.
"""

from typing import TYPE_CHECKING

import numpy as np

from suzaku.features.channels import Encoder, FeatureSet, Group, size

if TYPE_CHECKING:
    from suzaku.features.sparse import SparsePlanes


# The paper names some of its units (four for the own tiles, one of ones for a ready hand as the 17th, the best
# division) and leaves the others open: their choice and order are ours. `mcr-15`, `mcr-17` and `mcr-27` are the first
# units alone, for its figure of what more units bring.

UNITS = (
    Group("hand", 4, "stacked", "own concealed tiles"),
    Group("own_melds", 4, "stacked", "tiles in own melds"),
    Group("unseen", 4, "stacked", "tiles not seen yet"),
    Group("winds", 2, "tiles", "the prevalent wind; the own wind"),
    Group("drawn", 1, "tiles", "the tile just drawn"),
    Group("waits", 1, "tiles", "kinds that complete the hand, if one tile does; all of a complete one"),
    Group("ready", 1, "all", "one tile completes the hand, after a discard if it is to discard"),
    Group("division", 5, "thirds: 1 2 3 tiles", "the best division: tiles held of four sets and of the pair"),
    Group("division_missing", 5, "thirds: 1 2 3 tiles", "the tiles that these are short of"),
    Group("other_melds", 12, "stacked, 4 an opponent", "tiles in melds, without closed kongs"),
    Group("other_discards", 12, "stacked, 4 an opponent", "discarded tiles"),
    Group("own_discards", 4, "stacked", "own discarded tiles"),
)
OFFER = (Group("offer", 1, "tiles", "the tile that may be claimed"),)
PREFIXES = {15: 5, 17: 7, 27: 9, 55: 12}  # units -> groups

LEFT_STEPS = tuple(range(1, 22, 2))
TOP_PLANS = 4
FAN = 24  # as one

PLANES = (
    Group("hand", 4, "stacked", "own concealed tiles"),
    Group("drawn", 1, "tiles", "the tile just drawn"),
    Group("melds", 16, "stacked, 4 a seat", "tiles in melds, without closed kongs of others"),
    Group("discards", 16, "stacked, 4 a seat", "discarded tiles"),
    Group("unseen", 4, "stacked", "tiles not seen yet"),
    Group("recent", 8, "tiles", "the last discards of all seats, latest first"),
    Group("last_discards", 3, "tiles, 1 an opponent", "the opponent's last discard"),
    Group("meld_count", 16, "steps, 4 a seat", "number of melds", (1, 2, 3, 4)),
    Group("turn", 16, "steps", "own discards so far", tuple(range(1, 17))),
    Group("left", len(LEFT_STEPS), "steps", "own draws left", LEFT_STEPS),
    Group("winds", 2, "tiles", "the prevalent wind; the own wind"),
    Group("shanten", 8, "all, one of", "own shanten by shape, complete (-1) to 6"),
    Group("waits", 1, "tiles", "kinds that complete the hand, if one tile does"),
    Group("phase", 4, "all, one of", "what is asked: turn, discard after a call, claim, robbing a kong"),
    Group("offer", 1, "tiles", "the tile offered"),
    Group("offer_from", 3, "all, one of", "who offers it"),
    Group("keeps_shanten", 1, "by discard", "the hand is as near to a complete one as it can be after this discard"),
    Group("distance", 8, "all, one of", "tiles short of a win of 8 fan, 0 to 6; more"),
    Group("expected", 1, "all", "what the plans promise, one for ever more"),
    Group("plan_distance", 7, "by discard, one of", "tiles short of a win of 8 fan after this discard, 1 to 6; more"),
    Group("plan_value", 3, "by discard", "what the plans promise afterwards: as one of ever more; beside the best "
          "discard; the same, from nine tenths of it on"),
    Group("plan_wants", TOP_PLANS, "tiles", "what the four best plans are short of"),
    Group("plan_share", TOP_PLANS, "all", "what each of these promises, beside all"),
    Group("plan_missing", TOP_PLANS, "all", "the tiles it is short of, eight as one", (8,)),
    Group("plan_fan", TOP_PLANS, "all", "its fan, 24 as one", (FAN,)),
)  # fmt: skip
CLAIM = (
    Group("claim_type", 4, "all, one of", "chow low, middle, high; pong"),
    Group("claim_used", 1, "tiles", "the tiles that leave the hand"),
    Group("claim_hand", 4, "stacked", "concealed tiles that remain"),
    Group("claim_shanten", 8, "all, one of", "shanten by shape afterwards, after the best discard"),
    Group("claim_distance", 8, "all, one of", "tiles short of a win of 8 fan then, 0 to 6; more"),
    Group("claim_expected", 1, "all", "what the plans promise after the best discard, one for ever more"),
    Group("claim_gain", 2, "all", "the same beside what they promise after a pass, to 1; what it is more, to twice"),
    Group("claim_value", 2, "by discard", "the same of each discard: as one for ever more; beside the best"),
    Group("claim_wants", 2, "tiles", "what the two best plans are short of then"),
)  # fmt: skip
PLANE_CHANNELS, CLAIM_CHANNELS = size(PLANES), size(CLAIM)
assert size(UNITS) == 55, size(UNITS)
assert all(size(UNITS[:groups]) == units for units, groups in PREFIXES.items())


def _units(units: int, offer: bool) -> Encoder:
    def encode(records: np.ndarray, claim: np.ndarray | None, out: np.ndarray | None, lookahead: bool) -> np.ndarray:
        from suzaku.features.mcr_units import encode_many

        return encode_many(records, out, units, offer)

    return encode


def _planes(records: np.ndarray, claim: np.ndarray | None, out: np.ndarray | None, lookahead: bool) -> np.ndarray:
    from suzaku.features.mcr_planes import encode_many

    return encode_many(records, out, lookahead)


def _sparse_planes(records: np.ndarray, claim: np.ndarray | None, lookahead: bool) -> "SparsePlanes":
    from suzaku.features.mcr_planes import encode_sparse

    return encode_sparse(records, lookahead)


def _claim(records: np.ndarray, claim: np.ndarray | None, out: np.ndarray | None, lookahead: bool) -> np.ndarray:
    from suzaku.features.mcr_claims import encode_many

    assert claim is not None
    return encode_many(records, claim, out, lookahead)


def _sparse_claim(records: np.ndarray, claim: np.ndarray | None, lookahead: bool) -> "SparsePlanes":
    from suzaku.features.mcr_claims import encode_sparse

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
