"""Checkpoints: what is saved comes back, and what does not fit is refused in one sentence."""

import json
import re

import numpy as np
import pytest
from typer.testing import CliRunner

torch = pytest.importorskip("torch", reason="checkpoints are written by torch: pip install 'suzaku[train]'")

from safetensors.torch import load_file, save_file  # noqa: E402

from suzaku.cli.main import app  # noqa: E402
from suzaku.features.channels import SAME_CHANNELS, same_channels  # noqa: E402
from suzaku.networks.bundled import FOLDER  # noqa: E402
from suzaku.networks.checkpoint import CheckpointError, load, save  # noqa: E402
from suzaku.networks.info import misfit, parameters, read_info, read_shapes  # noqa: E402
from suzaku.networks.modules import build  # noqa: E402
from suzaku.networks.spec import model_spec, spec_of  # noqa: E402

NAMES = {"network": "suphx-b2c8", "model": "pong"}


@pytest.fixture
def saved(tmp_path):
    torch.manual_seed(2)
    module = build(**NAMES)
    module(torch.randint(0, 256, (4, 958, 34), dtype=torch.uint8))  # batch norms count something
    save(tmp_path / "best", module.eval(), NAMES | {"training": {"rate": 0.001}, "results": {"accuracy": 0.9}})
    return tmp_path / "best", module


def change(path, **values):
    text = path.with_suffix(".json")
    text.write_text(json.dumps(json.loads(text.read_text()) | values))


def test_what_is_saved_comes_back(saved):
    path, module = saved
    before = torch.get_rng_state()
    again, info = load(path)
    assert torch.equal(before, torch.get_rng_state())
    assert not again.training
    for name, value in module.state_dict().items():
        assert torch.equal(value, again.state_dict()[name])
    assert info["training"] == {"rate": 0.001}
    assert info["results"] == {"accuracy": 0.9}
    assert info == read_info(path)
    assert all(weight.requires_grad and weight.device.type == "cpu" for weight in again.parameters())


def test_either_file_and_names_with_dots_will_do(saved, tmp_path):
    path, module = saved
    for name in ("best.json", "best.safetensors"):
        load(path.with_name(name))
    save(tmp_path / "new" / "rate.0.01", module, NAMES)
    assert sorted(file.name for file in (tmp_path / "new").iterdir()) == ["rate.0.01.json", "rate.0.01.safetensors"]
    load(tmp_path / "new" / "rate.0.01")


def test_half_precision_is_half_the_size_and_nearly_the_same(saved):
    path, module = saved
    half = path.with_name("half")
    save(half, module, NAMES, half=True)
    again, info = load(half)
    x = torch.randint(0, 256, (4, 958, 34), dtype=torch.uint8)
    assert info["weights"]["precision"] == "half"
    assert again.stem.weight.dtype == torch.float32
    assert torch.allclose(module(x), again(x), atol=1e-2)
    assert half.with_suffix(".safetensors").stat().st_size < 0.65 * path.with_suffix(".safetensors").stat().st_size


def test_wrapped_modules_are_saved_as_themselves(saved):
    path, module = saved
    save(path, torch.nn.DataParallel(module), NAMES)
    load(path)


def test_the_json_takes_what_training_gives(saved):
    path, module = saved
    info = save(path, module, NAMES | {"data": path, "results": {"a": np.float32(0.5), "b": float("nan")}})
    assert info["data"] == str(path)
    assert info["results"] == {"a": 0.5, "b": None}


def test_the_head_of_the_weights_is_read_without_torch(saved):
    path, module = saved
    shapes = read_shapes(path)
    assert {name: tuple(shape) for name, (_, shape) in shapes.items()} == {
        name: tuple(value.shape) for name, value in module.state_dict().items()
    }
    assert parameters(shapes) == sum(weight.numel() for weight in module.parameters())


def test_other_features_are_refused_with_both_hashes(saved):
    path, _ = saved
    ours = read_info(path)["features"]["hash"]
    change(path, features={"table": "suphx+claim", "version": 0, "hash": "0123456789abcdef"})
    with pytest.raises(CheckpointError, match=f"hash 0123456789abcdef, .* hash {ours}: install .* or train it anew"):
        load(path)


@pytest.mark.parametrize(("old", "now"), SAME_CHANNELS.items())
def test_a_superseded_hash_fits_as_long_as_the_channels_are_the_same(old, now):
    names = {
        model_spec(network, model).features.hash: (network, model)
        for network, model in (("suphx-b2c8", "discard"), ("suphx-b2c8", "pong"), ("gao-86", "pong"))
    }
    network, model = names[now]
    table = model_spec(network, model).features.name
    info = {"network": network, "model": model, "features": {"table": table, "version": 1, "hash": old}}
    assert misfit(info) is None
    info["features"]["table"] = "another"
    assert "trained on features another" in misfit(info)
    assert not same_channels(old, "0123456789abcdef")


def test_bundled_models_carry_the_hash_of_now():
    found = sorted(FOLDER.glob("*/*.json"))
    assert len(found) == 23
    for path in found:
        info = read_info(path)
        assert info["features"]["hash"] == spec_of(info).features.hash, path


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"network": "suphx-b3c8"}, "lacks the tensor 'blocks.2.conv1.weight'"),
        ({"network": "suphx-b1c8"}, "unknown tensor 'blocks.1.conv1.weight'"),
        ({"network": "suphx-b2c9"}, r"in shape \[.*\], the network needs \["),
        ({"network": "mortal"}, "'mortal' is not a network"),
        ({"model": "win"}, "'win' is not a model"),
        ({"model": "riichi"}, "trained on features suphx.claim"),
        ({"format": 2}, "format 2, this Suzaku reads format 1"),
        ({"features": "none"}, "lacks 'features'"),
        ({"weights": {"sha256": "0"}}, "the two files must come together"),
    ],
)
def test_a_json_that_does_not_fit_is_refused(saved, values, message):
    path, _ = saved
    change(path, **values)
    with pytest.raises(CheckpointError, match=message):
        load(path)


def test_damaged_files_are_refused(saved):
    path, _ = saved
    weights, text = path.with_suffix(".safetensors"), path.with_suffix(".json")
    whole = weights.read_bytes()
    for data in (whole[:-1], whole[:100], whole[:4], b"", whole + b"more"):
        weights.write_bytes(data)
        for read in (load, read_shapes):
            with pytest.raises(CheckpointError, match="not a whole safetensors file"):
                read(path)
    weights.unlink()
    for read in (load, read_shapes):
        with pytest.raises(CheckpointError, match=r"best.safetensors is missing"):
            read(path)
    text.write_text("{")
    with pytest.raises(CheckpointError, match="is not JSON"):
        load(path)
    text.write_text("[1]")
    with pytest.raises(CheckpointError, match="not the description of a checkpoint"):
        load(path)
    text.unlink()
    with pytest.raises(CheckpointError, match=r"best.json is missing"):
        load(path)


def test_weights_of_another_run_are_refused(saved):
    path, _ = saved
    weights = path.with_suffix(".safetensors")
    tensors = load_file(weights)
    tensors["norm.bias"] += 1
    save_file(tensors, weights)
    with pytest.raises(CheckpointError, match="holds other weights than"):
        load(path)


def test_nothing_is_written_when_saving_fails(saved):
    path, module = saved
    before = {file: file.read_bytes() for file in path.parent.iterdir()}
    with pytest.raises(CheckpointError, match="the module lacks the tensor"):
        save(path, module, NAMES | {"network": "suphx-b9c8"})
    with pytest.raises(TypeError, match="cannot hold"):
        save(path, module, NAMES | {"data": object()})
    with torch.no_grad():
        module.stem.weight[0] = float("inf")
    with pytest.raises(CheckpointError, match="values that are not finite"):
        save(path, module, NAMES)
    assert {file: file.read_bytes() for file in path.parent.iterdir()} == before


def test_info_tells_weights_that_are_not_those_described(saved):
    path, module = saved
    said = CliRunner().invoke(app, ["model", "info", str(path)], env={"COLUMNS": "200"}).output
    assert re.search(r"fits this Suzaku +yes", said)
    save(path.with_name("other"), module, NAMES, half=True)
    path.with_suffix(".safetensors").write_bytes(path.with_name("other.safetensors").read_bytes())
    said = CliRunner().invoke(app, ["model", "info", str(path)], env={"COLUMNS": "200"}).output
    assert re.search(r"fits this Suzaku +no: .* holds other weights", said)
