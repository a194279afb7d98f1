"""The first layer on sparse planes gives what the dense convolution gives, and learns what it learns."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra [train]")

from suzaku.features.sparse import sparse  # noqa: E402
from suzaku.networks.cpu_kernels import arrange, arranged_back, convolve_and_norm  # noqa: E402
from suzaku.networks.modules import build  # noqa: E402
from tests.features.positions import encoded  # noqa: E402

CLOSE = {"rtol": 1e-4, "atol": 1e-5}


@pytest.fixture(scope="module")
def planes():
    """States of games, one that is empty, one that is full, and one with cells at both ends."""
    made_up = np.zeros((3, 838, 34), np.uint8)
    made_up[1] = 200
    made_up[2, ::5, 0], made_up[2, ::7, 33], made_up[2, 1::9] = 255, 3, 77
    return np.concatenate([encoded("suphx")[::40], made_up])


@pytest.fixture(params=[1, 2], autouse=True)
def threads(request):
    before = torch.get_num_threads()
    torch.set_num_threads(request.param)
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize(("network", "model"), [("suphx-b1c24", "discard"), ("suphx-b1c7", "riichi")])
def test_logits_and_gradients_are_those_of_dense_planes(planes, network, model):
    torch.manual_seed(3)
    module = build(network, model)
    module.head.last.weight.data *= 100  # it starts so small that hardly anything comes through
    given = {}
    for kind, x in (("dense", torch.from_numpy(planes)), ("sparse", sparse(planes))):
        module.zero_grad()
        module.norm.reset_running_stats()
        logits = module.train()(x)
        (logits * torch.linspace(-1, 1, logits.numel()).reshape(logits.shape)).sum().backward()
        stem = module.stem.weight.grad.clone()
        assert stem.abs().max() > 0
        given[kind] = [logits.detach(), stem / stem.abs().max(), module.norm.running_var.clone()]
    for dense, found in zip(given["dense"], given["sparse"], strict=True):
        torch.testing.assert_close(found, dense, rtol=1e-3, atol=1e-4)


def test_an_empty_batch(planes):
    module = build("suphx-b1c8", "discard").eval()
    assert module(sparse(planes[:0])).shape == (0, 34)


def test_a_single_state_among_threads(planes):
    module = build("suphx-b1c8", "discard").eval()
    with torch.inference_mode():
        alone, among = module(sparse(planes[5:6])), module(sparse(planes))[5:6]
    torch.testing.assert_close(alone, among)


def test_playing_folds_norm_and_relu(planes):
    torch.manual_seed(4)
    module = build("suphx-b1c16", "discard").eval()
    weight, bias = module.stem.weight.detach().numpy(), np.linspace(-1, 1, 16, dtype=np.float32)
    with torch.inference_mode():
        dense = module.stem(torch.from_numpy(planes[:, :, None]).float() / 255).numpy()
    found = convolve_and_norm(sparse(planes), arrange(weight), bias)
    assert found.shape == (len(planes), 16, 1, 34)
    np.testing.assert_allclose(found, np.maximum(0, dense + bias[:, None, None]), **CLOSE)


def test_a_state_gets_the_same_whatever_is_beside_it(planes):
    rows, bias = arrange(np.random.default_rng(1).normal(size=(16, 838, 1, 3))), np.zeros(16, np.float32)
    together = convolve_and_norm(sparse(planes), rows, bias)
    for i in range(len(planes)):
        assert (convolve_and_norm(sparse(planes[i : i + 1]), rows, bias) == together[i]).all()


def test_weights_come_back_from_rows():
    weight = np.random.default_rng(1).normal(size=(5, 11, 1, 3)).astype(np.float32)
    assert (arranged_back(arrange(weight)) == weight).all()
