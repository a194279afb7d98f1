"""The runtimes: the bundled models answer alike under both, and without torch."""

import subprocess
import sys

import numpy as np
import pytest

from suzaku.features.sets import feature_set
from suzaku.features.sparse import SparsePlanes, sparse
from suzaku.networks.bundled import FOLDER, bundled
from suzaku.networks.info import read_info
from suzaku.networks.run import Model
from suzaku.networks.spec import FAMILIES, SUPHX, model_spec
from suzaku.riichi import actions as act
from suzaku.riichi.table import Tables

BUNDLED = sorted(path.with_suffix("") for path in FOLDER.glob("*/*.json"))
PLAYING = [path for path in BUNDLED if path.parent != bundled("reward")]


def real_planes(model):
    tables = Tables(24, seed=3)
    tables.play_random(40, 1)
    return feature_set(SUPHX.models[model].features).encode(tables.records, np.full(24, act.CLOSED_KONG + 3))


def test_every_player_has_all_its_models():
    for player, family in (("suphx", "suphx"), ("weak", "suphx"), ("gao", "gao"), ("mcr", "mcr-plan")):
        assert {path.stem for path in bundled(player).glob("*.json")} == set(FAMILIES[family].models)


def test_the_bundled_models_stay_small():
    assert sum(path.stat().st_size for path in FOLDER.rglob("*.safetensors")) < 20e6
    assert sum(path.stat().st_size for path in bundled("suphx").glob("*.safetensors")) < 12e6
    assert sum(path.stat().st_size for path in bundled("mcr").glob("*.safetensors")) < 6e6


@pytest.mark.parametrize("path", PLAYING, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_both_runtimes_agree(path):
    torch = pytest.importorskip("torch", reason="comparing with torch needs the extra [train]")
    from suzaku.networks.checkpoint import load

    if path.parent.name == "mcr":
        shape = model_spec(read_info(path)["network"], path.name).features.shape
        planes = (255 * (np.random.default_rng(1).random((24, *shape)) < 0.2)).astype(np.uint8)
    elif path.parent.name == "gao":
        planes = (np.random.default_rng(1).random((24, 86, 34, 4)) < 0.2).astype(np.uint8)
    else:
        planes = real_planes(path.name)
    model = Model(path)
    module, _ = load(path)
    with torch.inference_mode():
        expected = module(torch.from_numpy(planes)).numpy()
    assert np.abs(model.run_onnxruntime(planes) - expected).max() < 1e-3 * max(1, np.abs(expected).max())
    rough = model.run_torch(planes)
    assert np.abs(rough - expected).max() < 0.05 * max(1, np.abs(expected).max())


@pytest.mark.parametrize("model", ["discard", "chow"])
def test_sparse_planes_get_the_answer_of_dense_ones_and_the_same_in_any_company(model):
    loaded = Model(bundled("suphx") / model)
    tables = Tables(150, seed=4)  # more than go at once
    tables.play_random(40, 1)
    claim = np.full(150, act.CLOSED_KONG + 3)
    planes = loaded.encode(tables.records, claim)
    assert isinstance(planes, SparsePlanes)
    together = loaded(planes)
    dense = loaded(loaded.features.encode(tables.records, claim))
    assert np.abs(dense - together).max() < 1e-4 * np.abs(dense).max()
    for some in (slice(7, 8), slice(100, 103), slice(100, 150)):
        assert (loaded(planes[some]) == together[some]).all()


def test_torch_plays_from_sparse_planes():
    pytest.importorskip("torch", reason="needs the extra [train]")
    loaded = Model(bundled("suphx") / "discard")
    planes = real_planes("discard")
    dense, cells = loaded.run_torch(planes), loaded.run_torch(sparse(planes))
    assert np.abs(dense - cells).max() < 0.05 * np.abs(dense).max()
    assert np.abs(cells - loaded(planes)).max() < 0.05 * np.abs(dense).max()


def test_results_stand_beside_the_weights():
    for path in PLAYING:
        results = read_info(path)["results"]
        if "match" in results:  # learnt by self-play
            assert results["match"]["average_rank"] < 2.5
            continue
        assert results["test"]["accuracy"] > results["test"]["majority"]
    for path in set(BUNDLED) - set(PLAYING):
        assert all(gain > half for gain, half in read_info(path)["results"]["test"]["gains"].values())


def test_playing_needs_no_torch(tmp_path):
    (tmp_path / "torch.py").write_text("raise ImportError('a broken installation')")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from suzaku.agents.make import make_agent\n"
        "from suzaku.riichi.table import Tables\n"
        "tables = Tables(80, seed=1)\n"
        "for name in ('suphx', 'gao'):\n"
        "    tables.step(make_agent(name).act(tables.records, tables.legal).actions)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
