"""Batch norm, the way around and ReLU in one: as torch's in double precision, forwards and backwards."""

import numpy as np
import pytest

from suzaku.kernel import kernel
from suzaku.networks.cpu_kernels import narrowed

torch = pytest.importorskip("torch", reason="needs the extra [train]")

from suzaku.networks.cpu import norm_relu  # noqa: E402

CHANNELS = 19


@pytest.fixture(params=[1, 2], autouse=True)
def threads(request):
    before = torch.get_num_threads()
    torch.set_num_threads(request.param)
    yield
    torch.set_num_threads(before)


def plain(norm, x, around=None):
    return torch.relu(norm(x) if around is None else norm(x) + around)


def made(dtype):
    """A norm, and two pictures."""
    torch.manual_seed(1)
    norm = torch.nn.BatchNorm2d(CHANNELS)
    torch.nn.init.normal_(norm.weight)
    torch.nn.init.normal_(norm.bias)
    x = (3 * torch.randn(11, CHANNELS, 1, 34) + 20).contiguous(memory_format=torch.channels_last)
    around = torch.randn(11, CHANNELS, 1, 34)
    pictures = ((one.bfloat16().to(dtype)).requires_grad_() for one in (x, around))
    return norm.to(torch.float32 if dtype == torch.bfloat16 else dtype), *pictures


@pytest.mark.parametrize("goes_around", [True, False])
@pytest.mark.parametrize(("precision", "rtol", "atol"), [(torch.float32, 1e-4, 1e-5), (torch.bfloat16, 0.01, 0.005)])
def test_it_learns_as_torch_does(goes_around, precision, rtol, atol):
    given = []
    for work, dtype in ((plain, torch.float64), (norm_relu, precision)):
        norm, x, around = made(dtype)
        y = work(norm, x, around if goes_around else None)
        (y * torch.linspace(-1, 2, y.numel(), dtype=dtype).reshape(y.shape)).sum().backward()
        found = [y.detach(), x.grad, norm.weight.grad, norm.bias.grad, norm.running_mean, norm.running_var]
        given.append([*found, *([around.grad] if goes_around else [])])
        assert norm.num_batches_tracked == 1
    for expected, found in zip(*given, strict=True):
        scale = expected.abs().max()
        torch.testing.assert_close(found.double() / scale, expected / scale, rtol=rtol, atol=atol)


def test_bfloat16_is_rounded_as_torch_does():
    x = torch.randn(1, CHANNELS, 1, 34).square()
    x[0, :, 0, :3] = torch.tensor([1 + 2**-8, 1 + 3 * 2**-8, 0])  # halves go to even
    for value in x.flatten().numpy():
        bits = narrowed(value, np.uint16(0))
        assert torch.tensor([int(bits)], dtype=torch.uint16).view(torch.bfloat16) == torch.tensor(value).bfloat16()
    assert (compiled_narrowed(x.numpy().ravel()) == [narrowed(v, np.uint16(0)) for v in x.numpy().ravel()]).all()


@kernel
def compiled_narrowed(x):
    bits = np.empty(len(x), np.uint16)
    for i in range(len(x)):
        bits[i] = narrowed(x[i], bits[i])
    return bits


def test_what_does_not_learn_is_torchs():
    norm, x, around = made(torch.float32)
    norm.eval()
    with torch.no_grad():
        assert (norm_relu(norm, x, around) == plain(norm, x, around)).all()
        assert (norm_relu(torch.nn.Identity(), x) == torch.relu(x)).all()
    assert norm.num_batches_tracked == 0


def test_other_precisions_are_torchs():
    norm, x, _ = made(torch.float64)
    assert (norm_relu(norm, x) == plain(made(torch.float64)[0], x)).all()
