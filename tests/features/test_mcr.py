"""What networks of MCR see: units and planes against plain Python, and nothing that the seat cannot see."""

import hashlib
from pathlib import Path

import numpy as np
import pytest

from suzaku.arena.selfplay import self_play
from suzaku.features import mcr_claims as claim_planes
from suzaku.features import mcr_planes as plan_planes
from suzaku.features import mcr_units as unit_planes
from suzaku.features.channels import first
from suzaku.features.mcr_sets import CLAIM, PLANES, PREFIXES, UNITS
from suzaku.features.mcr_units import GROUPS, best_division
from suzaku.features.sets import SETS
from suzaku.hand.tables import tables
from suzaku.mcr import actions as act
from suzaku.mcr import resample_hidden, shanten, waits
from suzaku.mcr.state import STATE
from suzaku.records.decisions import decisions_of
from suzaku.tiles import NAMES, to_text

HASHES = {
    "mcr-55": "28c07f4c7582d9a2",
    "mcr-55+offer": "1ca2beb65c131af9",
    "mcr-plan": "56fadfecddf4250f",
    "mcr-plan+claim": "ac741ace97c0bed5",
}
DIGESTS = {
    "mcr-55": "397b320caf86c9a4",
    "mcr-55+offer": "3a01fd667eea3698",
    "mcr-plan": "c71b59e6d1b8287a",
    "mcr-plan+claim": "83939683f0b10671",
}  # of random games
FIRST = {  # where the kernels write
    "mcr-55": {
        "hand": unit_planes.HAND,
        "unseen": unit_planes.UNSEEN,
        "drawn": unit_planes.DRAWN,
        "waits": unit_planes.WAITS,
        "ready": unit_planes.READY,
        "division_missing": unit_planes.MISSING,
        "own_discards": unit_planes.OWN_DISCARDS,
    },
    "mcr-plan": {
        "hand": plan_planes.HAND,
        "unseen": plan_planes.UNSEEN,
        "recent": plan_planes.RECENT,
        "winds": plan_planes.WINDS,
        "offer_from": plan_planes.OFFER_FROM,
        "plan_fan": plan_planes.PLAN_FAN,
    },
    "mcr-plan+claim": {
        "claim_type": claim_planes.TYPE,
        "claim_hand": claim_planes.HAND,
        "claim_wants": claim_planes.WANTS,
    },
    "mcr-55+offer": {},
}
PAGE = Path(__file__).parents[2] / "docs" / "features.md"
ALL = [*HASHES, "mcr-15", "mcr-17+offer"]


@pytest.fixture(scope="module")
def games():
    return list(self_play("heuristic", range(3), 4, game="mcr", tables=3))


@pytest.fixture(scope="module")
def discards(games):
    return next(iter(decisions_of(games, "discard", game="mcr", batch=60, shuffle=1)))


@pytest.fixture(scope="module")
def claims(games):
    return next(iter(decisions_of(games, ["chow", "pong"], game="mcr", batch=30, shuffle=1)))


def options(claims):
    rows, which = np.nonzero(claims.legal[:, act.CHOW_LOW : act.OPEN_KONG])
    return claims.records[rows], which + act.CHOW_LOW


def encoded(name, discards, claims):
    """Planes of a set, and the tables."""
    if SETS[name].claim:
        records, claim = options(claims)
        return SETS[name].encode(records, claim), records, claim
    batch = claims if name.endswith("+offer") else discards
    return SETS[name].encode(batch.records), batch.records, None


def group(name, table, planes):
    at = first(table, name)
    return planes[:, at : at + next(one.count for one in table if one.name == name)]


def test_tables():
    assert {name: SETS[name].hash for name in HASHES} == HASHES
    assert SETS["mcr-55"].shape == (55, 34)
    assert [SETS[f"mcr-{units}"].channels for units in PREFIXES] == list(PREFIXES)
    assert first(UNITS, "ready") == 16  # the paper's 17th unit


def on_the_page(name):
    """The channel table of a set as people read it: first channel, number of channels and name of each row."""
    section = PAGE.read_text(encoding="utf-8").split(f"\n## {name}\n")[1].split("\n## ")[0]
    rows = [line.split(" | ") for line in section.splitlines() if "`" in line and line.startswith("| ")]
    return [(int(row[0].strip("| ")), int(row[1]), row[2].strip("`")) for row in rows]


@pytest.mark.parametrize(
    ("name", "behind"), [("mcr-55", 0), ("mcr-55+offer", 55), ("mcr-plan", 0), ("mcr-plan+claim", 150)]
)
def test_the_page_numbers_channels_as_the_encoder_does(name, behind, discards, claims):
    planes, _, _ = encoded(name, discards, claims)
    rows = on_the_page(name)
    ends = [behind, *(start + count for start, count, _ in rows)]
    assert [start for start, _, _ in rows] == ends[:-1]  # nothing is left out between two rows
    assert ends[-1] == planes.shape[1]
    at = {group: start for start, _, group in rows}
    assert {group: at[group] for group in FIRST[name]} == FIRST[name]


@pytest.mark.parametrize("name", DIGESTS)
def test_no_encoder_has_changed_undeclared(name):
    games = sorted(self_play("random", range(2), 8, game="mcr", tables=2), key=lambda game: game.id)
    batches = [next(iter(decisions_of(games, types, game="mcr", batch=40))) for types in ("discard", ["chow", "pong"])]
    planes, _, _ = encoded(name, *batches)
    assert hashlib.sha256(planes.tobytes()).hexdigest()[:16] == DIGESTS[name], (
        f"the encoder {name} writes other values than before: if that is meant, raise the version of the groups "
        "(checkpoints trained on the old values are then refused) and write the new digest here"
    )


@pytest.mark.parametrize("name", ALL)
def test_nothing_hidden_is_seen(name, discards, claims):
    planes, records, claim = encoded(name, discards, claims)
    others = records.copy()
    resample_hidden(others, others["seat"], 1)
    assert (others["hand"] != records["hand"]).any()
    assert (SETS[name].encode(others, claim) == planes).all()
    assert planes.any((0, 2)).mean() > 0.5  # and most channels say something


def test_fewer_units_are_the_first_ones(discards, claims):
    whole, asked = SETS["mcr-55"].encode(discards.records), SETS["mcr-55+offer"].encode(claims.records)
    for units in PREFIXES:
        assert (SETS[f"mcr-{units}"].encode(discards.records) == whole[:, :units]).all()
        found = SETS[f"mcr-{units}+offer"].encode(claims.records)
        assert (found[:, :units] == asked[:, :units]).all()
        assert (found[:, units].argmax(1) == claims.records["offer"]).all()
        assert (found[:, units].sum(1) == 255).all()


def test_own_tiles_ready_and_waits(discards, claims):
    ready = 0
    for batch in (discards, claims):
        planes = SETS["mcr-55"].encode(batch.records)
        for record, units in zip(batch.records, planes, strict=True):
            hand = record["hand"][record["seat"]]
            assert ((units[:4] > 0).sum(0) == hand).all()
            melds = int(record["melds"][record["seat"]])
            text = to_text(np.repeat(np.arange(34), hand))
            assert (units[16] == (255 if shanten(text, melds) <= 0 else 0)).all()
            assert units[15].all() == (shanten(text, melds) < 0)
            if int(hand.sum()) % 3 == 1 and units[16].any():
                ready += 1
                if not melds:
                    assert {NAMES[kind] for kind in np.flatnonzero(units[15])} == set(waits(text))
    assert ready


def test_the_best_division_is_a_nearest_hand(discards, claims):
    held, missing = np.zeros((GROUPS, 34), np.uint8), np.zeros((GROUPS, 34), np.uint8)
    for record in (*discards.records, *claims.records):
        short = best_division(tables(), record, record["seat"], held, missing)
        whole = held + missing
        for unit in whole[:4]:
            kinds = np.flatnonzero(unit)
            pung = len(kinds) == 1 and unit[kinds[0]] == 3
            chow = len(kinds) == 3 and (unit[kinds] == 1).all() and kinds[2] < 27 and kinds[0] % 9 < 7
            assert pung or (chow and (np.diff(kinds) == 1).all())
        assert whole[4].max() == whole[4].sum() == 2
        concealed = held[record["melds"][record["seat"]] :].sum(0)
        assert (concealed <= record["hand"][record["seat"]]).all()
        assert whole.sum(0).max() <= 4
        hand = to_text(np.repeat(np.arange(34), record["hand"][record["seat"]]))
        normal = shanten(hand, int(record["melds"][record["seat"]]), parts=True).normal
        assert missing.sum() == short == normal + 1


def test_planes_are_the_same_dense_and_sparse(discards, claims):
    records, claim = options(claims)
    assert (SETS["mcr-plan"].encode_sparse(discards.records).dense() == SETS["mcr-plan"].encode(discards.records)).all()
    both = SETS["mcr-plan+claim"]
    assert (both.encode_sparse(records, claim).dense() == both.encode(records, claim)).all()
    blind = SETS["mcr-plan"].encode(discards.records, lookahead=False)
    assert not group("plan_value", PLANES, blind).any()
    with pytest.raises(ValueError, match=r"expected one chow or pong \(34\.\.37\)"):
        both.encode(records, np.full(len(records), act.PASS))


def test_plans_by_discard_and_claim(discards, claims):
    planes = SETS["mcr-plan"].encode(discards.records)
    value, near = group("plan_value", PLANES, planes), group("plan_distance", PLANES, planes)
    hands = discards.records["hand"][np.arange(len(discards)), discards.seat]
    assert ((near > 0).sum(1) == (hands > 0)).all()  # one distance for each kind held
    best = value[:, 1].argmax(1)
    assert (value[value[:, 1].any(1), 1].max(1) == 255).all()
    # the teacher throws what is worth most, but for a little danger
    assert (best == discards.action).mean() > 0.7
    records, claim = options(claims)
    made = SETS["mcr-plan+claim"].encode(records, claim)
    behind = made[:, -sum(one.count for one in CLAIM) :]
    kinds = group("claim_type", CLAIM, behind)[:, :, 0].argmax(1)
    assert (kinds + act.CHOW_LOW == claim).all()
    left = (group("claim_hand", CLAIM, behind) > 0).sum((1, 2))
    assert (left == records["hand"][np.arange(len(records)), records["seat"]].sum(1) - 2).all()


def test_tables_that_ask_nobody_are_refused():
    nobody = np.zeros(1, STATE)
    nobody["seat"] = -1
    for name in ("mcr-55", "mcr-plan"):
        with pytest.raises(ValueError, match="asks nobody"):
            SETS[name].encode(nobody)
