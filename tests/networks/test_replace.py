"""Weights that travel: models of tensors in memory, and other weights for a model that plays."""

import copy
import functools

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="weights that change need training: pip install 'suzaku[train]'")

from suzaku.networks.checkpoint import CheckpointError, save  # noqa: E402
from suzaku.networks.info import read_info, read_weights  # noqa: E402
from suzaku.networks.modules import build  # noqa: E402
from suzaku.networks.run import Model  # noqa: E402
from suzaku.networks.spec import model_spec  # noqa: E402

NETWORK, MODEL = "suphx-b2c8", "pong"
INFO = {"network": NETWORK, "model": MODEL}


def planes(n=5, network=NETWORK, model=MODEL):
    shape = model_spec(network, model).features.shape
    return (np.random.default_rng(n).random((n, *shape)) < 0.2).astype(np.uint8) * 255


@functools.cache
def learning_module(seed, network=NETWORK, model=MODEL):
    """A module in the middle of training: its batch norms have counted something, and all weights do something."""
    torch.manual_seed(seed)
    module = build(network, model).train()
    with torch.no_grad():
        for weight in module.parameters():
            weight += 0.1 * torch.randn_like(weight)
        module(torch.from_numpy(planes(8, network, model)))
    return module


@pytest.fixture(params=["onnxruntime", "torch"])
def runtime(request, monkeypatch):
    monkeypatch.setattr("suzaku.networks.run.torch_is_faster", lambda: request.param == "torch")
    return request.param


def started(tensors, info=INFO, version=1):
    model = Model.from_tensors(tensors, info, version)
    model.many = True
    return model


@pytest.mark.parametrize(("network", "model"), [("suphx-b2c8", "pong"), ("suphx-b2c8", "discard"), ("gao-86", "chow")])
def test_a_module_in_training_plays_like_its_checkpoint(tmp_path, runtime, network, model):
    module = learning_module(1, network, model)
    info = {"network": network, "model": model}
    save(tmp_path / "best", module, info)
    loaded = Model(tmp_path / "best")
    loaded.many = True
    given = planes(5, network, model)
    expected = loaded(given)
    assert np.array_equal(started(module.state_dict(), info)(given), expected), "straight from the module"
    assert np.array_equal(started(read_weights(tmp_path / "best")[0], info)(given), expected), "of NumPy"
    with torch.no_grad():
        exact = copy.deepcopy(module).eval()(torch.from_numpy(given)).numpy()
    assert np.abs(expected - exact).max() < (1e-4 if runtime == "onnxruntime" else 0.05) * max(1, np.abs(exact).max())


def test_replaced_weights_answer_like_a_fresh_load(runtime):
    first, second = learning_module(1), learning_module(2)
    model = started(first.state_dict())
    before = model(planes())
    assert model.version == 1
    model.replace(second.state_dict(), 7)
    assert model.version == 7
    after = model(planes())
    assert not np.array_equal(after, before)
    assert np.array_equal(after, started(second.state_dict())(planes()))
    model.replace({name: value.numpy() for name, value in first.state_dict().items()}, 8)
    assert np.array_equal(model(planes()), before)


def test_weights_are_copied(runtime):
    module = copy.deepcopy(learning_module(1))
    model = started(module.state_dict())
    before = model(planes())
    with torch.no_grad():
        for weight in module.parameters():
            weight += 1
    assert np.array_equal(model(planes()), before)
    model.many = not model.many  # the other runtime is made only now, of the same weights
    assert np.allclose(model(planes()), before, atol=0.05 * np.abs(before).max())


def test_a_checkpoint_that_is_replaced_is_another_one(tmp_path):
    save(tmp_path / "best", learning_module(1), INFO)
    model = Model(tmp_path / "best")
    before = model.hash
    assert before == model.info["weights"]["sha256"]
    model.replace(learning_module(2).state_dict(), 1)
    assert model.hash != before
    assert started(learning_module(2).state_dict()).hash == model.hash


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda w: w.pop("head.last.bias"), r"the new version lacks the tensor 'head.last.bias' \(1 missing in all\)"),
        (lambda w: w.update(more=torch.zeros(1)), r"unknown tensor 'more'"),
        (lambda w: w.update({"norm.weight": torch.ones(1)}), r"'norm.weight' in shape \[1\], the network needs \[8\]"),
        (lambda w: w["norm.weight"].fill_(float("nan")), r"norm.weight holds values that are not finite"),
    ],
)
def test_wrong_weights_leave_the_old_ones(runtime, change, reason):
    model = started(learning_module(1).state_dict())
    before = model(planes())
    wrong = {name: value.clone() for name, value in learning_module(2).state_dict().items()}
    change(wrong)
    with pytest.raises(CheckpointError, match=reason):
        model.replace(wrong, 2)
    assert model.version == 1
    assert np.array_equal(model(planes()), before)


@pytest.mark.parametrize(
    ("network", "model", "name", "reason"),
    [
        (NETWORK, "discard", "head.last.bias", "lacks the tensor|holds 'stem.weight' in shape"),
        ("suphx-b2c16", MODEL, "", r"'stem.weight' in shape \[8, 958, 1, 3\], the network needs \[16, "),
        (NETWORK, MODEL, "norm.bias", r"'norm.bias' in shape \[1\], the network needs \[8\]"),
        (NETWORK, MODEL, "head.dense.weight", r"'head.dense.weight' in shape \[1\], the network needs \[256, 1088\]"),
    ],
)
def test_weights_of_another_model_are_refused(network, model, name, reason):
    tensors = dict(learning_module(1).state_dict())
    if name:
        tensors[name] = torch.ones(1)
    with pytest.raises(CheckpointError, match=reason):
        Model.from_tensors(tensors, {"network": network, "model": model})


def test_weights_of_other_channels_are_refused():
    info = INFO | {"features": {"table": "suphx+claim", "version": 1, "hash": "0123456789abcdef"}}
    with pytest.raises(CheckpointError, match="these weights do not fit: it was trained on features"):
        Model.from_tensors(learning_module(1).state_dict(), info)


def test_the_hash_is_that_of_the_weights_that_are_given(tmp_path):
    save(tmp_path / "best", learning_module(1), INFO)
    info = read_info(tmp_path / "best") | {"results": {"validation": {"accuracy": 0.9}}}
    tensors = read_weights(tmp_path / "best")[0]
    same, other = started(tensors, info), started(learning_module(2).state_dict(), info)
    assert same.hash == started(tensors).hash != other.hash
    assert "results" not in other.info, "they were those of other weights"
