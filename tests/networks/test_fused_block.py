"""Blocks in fewer calls answer as the plain ones but for rounding; the plain ones play where the calls are missing."""

import pytest

torch = pytest.importorskip("torch", reason="needs the extra [train]")

from suzaku.networks.layers import suphx  # noqa: E402
from suzaku.networks.modules import FusedBlock, Network, Residual, folded  # noqa: E402


def network() -> Network:
    torch.manual_seed(3)
    module = Network(suphx(20, 34, 2, 64)).eval()
    with torch.no_grad():
        for part in module.modules():
            if isinstance(part, torch.nn.BatchNorm2d):  # as if something had been learnt
                part.weight.uniform_(0.5, 1.5)
                part.bias.uniform_(-0.5, 0.5)
                part.running_mean.uniform_(-0.5, 0.5)
                part.running_var.uniform_(0.5, 1.5)
    return module


def _missing(self, x):
    raise AttributeError("no such call")


def test_fused_blocks_are_as_near_to_the_truth(monkeypatch):
    planes = torch.randint(0, 256, (33, 20, 34), dtype=torch.uint8)
    fused = folded(network(), torch.bfloat16)
    with monkeypatch.context() as patch:
        patch.setattr(FusedBlock, "forward", _missing)
        plain, exact = folded(network(), torch.bfloat16), folded(network(), torch.float32)
    assert all(isinstance(block, Residual) for block in (*plain.blocks, *exact.blocks))
    if not all(isinstance(block, FusedBlock) for block in fused.blocks):
        pytest.skip("this torch has no fused convolutions")
    with torch.inference_mode():
        true = exact(planes)
        errors = [(module(planes).float() - true).abs().mean() / true.abs().mean() for module in (fused, plain)]
    assert errors[0] < 1.2 * errors[1] < 0.1


def test_a_block_that_answers_otherwise_is_not_taken(monkeypatch):
    monkeypatch.setattr(FusedBlock, "forward", lambda self, x: x)
    assert all(isinstance(block, Residual) for block in folded(network(), torch.bfloat16).blocks)
