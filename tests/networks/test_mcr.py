"""The networks of MCR: names, shapes, and the same answers from torch, its folded form, and NumPy."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="building networks needs torch: pip install 'suzaku[train]'")

from suzaku.networks.checkpoint import save  # noqa: E402
from suzaku.networks.fold import folded  # noqa: E402
from suzaku.networks.info import read_weights  # noqa: E402
from suzaku.networks.modules import build  # noqa: E402
from suzaku.networks.names import inputs, outputs, parse  # noqa: E402
from suzaku.networks.numpy_network import folded_layers, logits, read_npz, to_npz  # noqa: E402
from suzaku.networks.onnx import export  # noqa: E402

MODELS = [("mcr-55-b2x3c8", "discard"), ("mcr-55-b1x5c8", "chow"), ("mcr-15-b1x3c8", "pong"),
          ("mcr-plan-b2c8", "discard"), ("mcr-plan-b2c8", "pong")]  # fmt: skip


def made(network, model):
    torch.manual_seed(1)
    module = build(network, model)
    with torch.no_grad():
        for weight in module.parameters():
            if weight.ndim == 1:  # all batch norms do something
                weight.normal_(0.5, 0.3)
        for name, value in module.named_buffers():
            if value.ndim:
                value.copy_(torch.rand_like(value) + (0.5 if name.endswith("var") else 0.0))
    return module.eval()


def some_planes(network, model, n=3):
    rng = np.random.default_rng(2)
    shape = (n, *inputs(network, model).shape)
    return (rng.integers(0, 256, shape) * (rng.random(shape) < 0.2)).astype(np.uint8)


def test_names():
    assert parse("mcr-55-b3x5c64").sizes == (3, 5, 64)
    assert {parse(name).family.player for name, _ in MODELS} == {"mcr"}
    assert [outputs("mcr-55-b1x3c8", model) for model in ("discard", "pong", "chow")] == [34, 2, 2]
    assert inputs("mcr-55-b1x3c8", "discard").shape == (55, 34)
    assert inputs("mcr-55-b1x3c8", "chow").shape == (56, 34)
    for wrong in ("mcr-55-b3x4c64", "mcr-56-b3x3c64", "mcr-plan-b3x3c64", "mcr"):
        with pytest.raises(ValueError, match="is not a network"):
            parse(wrong)
    with pytest.raises(ValueError, match="'kong' is not a model of mcr-55-b1x3c8"):
        outputs("mcr-55-b1x3c8", "kong")


def test_the_paper_reads_the_units_in_a_row():
    module = build("mcr-55-b2x5c16", "discard")
    assert module.stem.weight.shape == (16, 34, 1, 3)  # the kinds are the channels
    assert [len([1 for name, _ in block.named_children() if "conv" in name]) for block in module.blocks] == [5, 5]


@pytest.mark.parametrize(("network", "model"), MODELS)
def test_all_runtimes_agree(tmp_path, network, model):
    module, planes = made(network, model), some_planes(network, model)
    with torch.inference_mode():
        expected = module(torch.from_numpy(planes)).numpy()
    assert expected.std() > 1e-3
    save(tmp_path / "best", module, {"network": network, "model": model})
    assert export(tmp_path / "best", tmp_path / "best.onnx") < 1e-3
    tensors, _ = read_weights(tmp_path / "best")
    assert np.allclose(logits(folded_layers(tensors), planes), expected, atol=1e-4, rtol=1e-4)
    to_npz(tensors, tmp_path / "best.npz")
    halved = logits(read_npz(tmp_path / "best.npz"), planes)
    assert halved.dtype == np.float32
    assert np.abs(halved - expected).max() < 0.02 * max(1, np.abs(expected).max())
    with torch.inference_mode():
        assert np.allclose(folded(module, torch.float32)(torch.from_numpy(planes)).numpy(), expected, atol=1e-3)


def test_learning_and_evaluating_differ_by_the_norms_alone():
    module = made("mcr-55-b1x3c8", "discard")
    x = torch.from_numpy(some_planes("mcr-55-b1x3c8", "discard", 64))
    module.train()
    for _ in range(200):  # until the statistics are those of this batch
        learning = module(x)
    loss = learning.square().mean()
    loss.backward()
    assert all(weight.grad is not None and torch.isfinite(weight.grad).all() for weight in module.parameters())
    module.eval()
    assert torch.allclose(module(x), learning, atol=0.05)
