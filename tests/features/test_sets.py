"""The registry of feature sets: what is there, visible + oracle in one call, and a set of one's own."""

import re

import numpy as np
import pytest
from typer.testing import CliRunner

from suzaku.apps.main import app
from suzaku.features import claims, gao, oracle, suphx
from suzaku.features.feature_set import FeatureSet
from suzaku.features.groups import ON, ORACLE_CHANNELS, Group
from suzaku.features.sets import SETS, feature_set, register
from suzaku.networks import families
from suzaku.networks.names import inputs, parse
from suzaku.riichi import resample_hidden
from suzaku.riichi.actions import CLOSED_KONG
from tests.features.states import some_states

HASHES = {"suphx": "bf5007f5adfc725a", "suphx+claim": "f1eeb562f93fdb11", "gao": "b27bf494c70e8323"}


@pytest.fixture(scope="module")
def records():
    return some_states(60, 5).records


@pytest.fixture
def registries(monkeypatch):
    """Registries that forget what a test adds."""
    monkeypatch.setattr("suzaku.features.sets.SETS", dict(SETS))
    monkeypatch.setattr(families, "FAMILIES", dict(families.FAMILIES))
    monkeypatch.setattr("suzaku.networks.names.FAMILIES", families.FAMILIES)


def test_sets_are_what_checkpoints_know():
    assert {name: SETS[name].hash for name in HASHES} == HASHES
    assert len({one.hash for one in SETS.values()}) == len(SETS)
    assert all(one.game == "riichi" for one in SETS.values())
    with pytest.raises(ValueError, match=r"'mortal' is no feature set: there are suphx, suphx\+claim"):
        feature_set("mortal")


def test_sets_encode_as_their_encoders(records):
    claim = np.full(len(records), CLOSED_KONG + 3)
    assert (SETS["suphx"].encode(records, lookahead=False) == suphx.encode_many(records, lookahead=False)).all()
    expected = claims.encode_many(records, claim, lookahead=False)
    assert (SETS["suphx+claim"].encode(records, claim, lookahead=False) == expected).all()
    assert (SETS["gao"].encode(records) == gao.encode_many(records)).all()
    with pytest.raises(ValueError, match=r"suphx\+claim needs a claim"):
        SETS["suphx+claim"].encode(records)
    assert (SETS["suphx"].encode_sparse(records).dense() == suphx.encode_many(records)).all()
    assert (SETS["suphx"].encode_sparse(records, None, False).dense() == suphx.encode_many(records, None, False)).all()
    with pytest.raises(ValueError, match=r"suphx\+claim needs a claim"):
        SETS["suphx+claim"].encode_sparse(records)
    with pytest.raises(ValueError, match="gao has no sparse encoder"):
        SETS["gao"].encode_sparse(records)


@pytest.mark.parametrize("name", ["suphx", "suphx+claim"])
def test_the_oracle_is_behind_what_is_seen(records, name):
    claim = np.full(len(records), CLOSED_KONG + 3)
    seen, both = SETS[name], SETS[f"{name}+oracle"]
    out = np.full((len(records), *both.shape), 7, np.uint8)
    planes = both.encode(records, claim, out)
    assert planes is out
    assert both.hidden == ORACLE_CHANNELS == both.channels - seen.channels
    assert (planes[:, : -both.hidden] == seen.encode(records, claim)).all()
    assert (planes[:, -both.hidden :] == oracle.encode_many(records)).all()
    sparse = both.encode_sparse(records, claim)
    assert (sparse.dense() == planes).all()
    assert (
        sparse.constants == seen.encode_sparse(records, claim).constants + oracle.encode_sparse(records).constants
    ).all()
    others = records.copy()
    resample_hidden(others, others["seat"], 1)
    changed = both.encode(others, claim) != planes
    assert not changed[:, : -both.hidden].any()
    assert changed[:, -both.hidden :].any()


def test_too_narrow_planes_are_refused(records):
    with pytest.raises(ValueError, match=r"out must be uint8\[60, 931, 34\]"):
        SETS["suphx+oracle"].encode(records, out=np.zeros((60, 838, 34), np.uint8))


# docs/recipes.md, "Add a feature set", as it stands there
HAND_COUNTS = (Group("own_hand", 4, "stacked", "own concealed tiles"),)


def encode_hand(records, claim, out, lookahead):
    hands = records["hand"][np.arange(len(records)), records["seat"]]
    return np.where(hands[:, None] > np.arange(4)[:, None], ON, 0).astype(np.uint8)


def test_the_recipe_for_a_feature_set(records, registries):
    torch = pytest.importorskip("torch", reason="needs the extra [train]")
    from suzaku.networks.build import build

    class Linear(torch.nn.Module):
        def __init__(self, channels, outputs):
            super().__init__()
            self.last = torch.nn.Linear(channels * 34, outputs)

        def forward(self, planes):
            return self.last(planes.flatten(1) / 255)

    register(FeatureSet("hand", "riichi", "The own tiles, nothing else.", HAND_COUNTS, encode_hand))
    families.register(
        families.Family(
            "linear",
            "riichi",
            re.compile(r"linear"),
            "'linear'",
            {"discard": families.ModelType(34, "hand")},
            build=lambda sizes, channels, outputs: Linear(channels, outputs),
        )
    )
    assert parse("linear").family.game == "riichi"
    features = inputs("linear", "discard")
    planes = features.encode(records)
    assert planes.shape[1:] == features.shape == (4, 34)
    assert (planes == suphx.encode_many(records)[:, :4]).all(), "the same as the first channels of suphx"
    assert build("linear", "discard")(torch.from_numpy(planes)).shape == (60, 34)
    with pytest.raises(ValueError, match="a feature set 'hand' already"):
        register(features)
    with pytest.raises(ValueError, match="a family of networks 'linear' already"):
        families.register(families.FAMILIES["linear"])


def test_the_command_knows_all_sets():
    done = CliRunner().invoke(app, ["features", "table", "suphx+oracle"])
    assert done.exit_code == 0, done.output
    assert "931 channels" in done.output
    assert "other_hands" in done.output
    bad = CliRunner().invoke(app, ["features", "table", "claims"])
    assert bad.exit_code == 2
    assert "'claims' is no feature set" in bad.output
