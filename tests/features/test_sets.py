"""The registry of feature sets: what is there, and visible + oracle in one call."""

import numpy as np
import pytest
from typer.testing import CliRunner

from suzaku.cli.main import app
from suzaku.features import claims, gao, oracle, suphx
from suzaku.features.channels import ORACLE_CHANNELS
from suzaku.features.sets import SETS, feature_set, register
from suzaku.riichi import resample_hidden
from suzaku.riichi.actions import CLOSED_KONG
from tests.features.states import some_states

HASHES = {"suphx": "bf5007f5adfc725a", "suphx+claim": "f1eeb562f93fdb11", "gao": "b27bf494c70e8323"}


@pytest.fixture(scope="module")
def records():
    return some_states(60, 5).records


def test_names_are_given_once():
    with pytest.raises(ValueError, match="a feature set 'gao' already"):
        register(SETS["gao"])


def test_sets_are_what_checkpoints_know():
    assert {name: SETS[name].hash for name in HASHES} == HASHES
    assert len({one.hash for one in SETS.values()}) == len(SETS)
    assert all(one.game == ("mcr" if name.startswith("mcr") else "riichi") for name, one in SETS.items())
    with pytest.raises(ValueError, match=r"'mortal' is not a feature set: there are suphx, suphx\+claim"):
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


def test_the_command_knows_all_sets():
    done = CliRunner().invoke(app, ["features", "table", "suphx+oracle"])
    assert done.exit_code == 0, done.output
    assert "931 channels" in done.output
    assert "other_hands" in done.output
    bad = CliRunner().invoke(app, ["features", "table", "claims"])
    assert bad.exit_code == 2
    assert "'claims' is not a feature set" in bad.output
