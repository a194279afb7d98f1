"""The modules: shapes, sizes, what they start as, and that they can learn."""

import pytest

torch = pytest.importorskip("torch", reason="networks need torch: pip install 'suzaku[train]'")

from suzaku.networks.modules import (  # noqa: E402
    ColumnConv,
    Dropout,
    build,
)
from suzaku.networks.spec import GAO, SUPHX, model_spec  # noqa: E402

SMALL = [("suphx-b2c8", model) for model in SUPHX.models] + [("gao-86", model) for model in GAO.models]


def planes(network, model, n=3):
    shape = (n, *model_spec(network, model).features.shape)
    filled = torch.rand(shape, generator=torch.Generator().manual_seed(1)) < 0.2
    return filled.to(torch.uint8) * (1 if network.startswith("gao") else 255)


@pytest.mark.parametrize(("network", "model"), SMALL)
def test_bytes_in_and_logits_out(network, model):
    module = build(network, model).eval()
    given = module(planes(network, model))
    assert given.shape == (3, model_spec(network, model).outputs)
    assert given.dtype == torch.float32
    assert torch.allclose(given[:1], module(planes(network, model)[:1]), atol=1e-5)


@pytest.mark.parametrize("network", ["suphx-b1c8", "gao-86"])
def test_bfloat16_gives_nearly_the_same(network):
    module = build(network, "discard").eval()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        given = module(planes(network, "discard"))
    assert given.dtype == torch.bfloat16
    assert torch.allclose(given.float(), module(planes(network, "discard")), atol=0.05)


@pytest.mark.parametrize(
    ("network", "model", "count"),
    [
        ("suphx-b50c256", "discard", 20_356_353),
        ("suphx-b50c256", "chow", 20_735_810),
        ("suphx-b10c128", "discard", 1_310_337),
        ("suphx-b5c64", "discard", 285_249),
        ("gao-86", "discard", 957_134),
    ],
)
def test_sizes_are_those_of_the_documentation(network, model, count):
    with torch.device("meta"):
        assert sum(weight.numel() for weight in build(network, model).parameters()) == count


def test_a_fresh_block_passes_its_input_on():
    module = build("suphx-b3c8", "discard").eval()
    x = torch.rand(2, 8, 1, 34)
    assert torch.equal(module.blocks(x), x)


def test_a_discard_network_of_one_block_sees_three_tiles_to_each_side():
    module = build("suphx-b1c8", "discard").eval()
    torch.nn.init.ones_(module.blocks[0].norm2.weight)
    x = torch.zeros(1, 838, 34, dtype=torch.uint8)
    y = x.clone()
    y[:, :, 10] = 255
    changed = (module(x) != module(y))[0].nonzero().flatten().tolist()
    assert changed
    assert set(changed) <= set(range(7, 14))


@pytest.mark.parametrize(
    ("network", "model"), [("suphx-b1c16", "discard"), ("suphx-b1c16", "pong"), ("gao-86", "chow")]
)
def test_a_few_samples_are_learnt_by_heart(network, model):
    torch.manual_seed(1)
    module = build(network, model)
    shape = model_spec(network, model).features.shape
    x = (torch.rand(8, *shape) < 0.2).to(torch.uint8) * (1 if network == "gao-86" else 255)
    answers = torch.arange(8) % model_spec(network, model).outputs
    optimiser = torch.optim.AdamW(module.parameters(), 3e-3)
    losses = []
    for _ in range(25):
        loss = torch.nn.functional.cross_entropy(module(x), answers)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert losses[-1] < 0.5 * losses[0]


def test_the_seed_gives_the_weights():
    torch.manual_seed(5)
    one = build("suphx-b1c8", "riichi").state_dict()
    torch.manual_seed(5)
    two = build("suphx-b1c8", "riichi").state_dict()
    assert all(torch.equal(one[name], two[name]) for name in one)


def test_gao_computes_the_same_in_training_and_in_play():
    torch.manual_seed(1)
    layer = ColumnConv(7, 100, (5, 2), bias=False)
    x = torch.rand(3, 7, 34, 4)
    learning, playing = layer.train()(x), layer.eval()(x)
    assert learning.shape == playing.shape == (3, 100, 30, 3)
    assert torch.allclose(learning, playing, atol=1e-5)


def test_dropout_keeps_half_at_twice_the_size():
    torch.manual_seed(1)
    out = Dropout().train()(torch.ones(101, 999))
    assert set(out.unique().tolist()) == {0.0, 2.0}
    assert abs(out.mean() - 1) < 0.02
    assert (out[0] != out[1]).any()
    assert torch.equal(Dropout().eval()(out), out)
    off = Dropout().train()
    off.on = False
    assert torch.equal(off(out), out)


def test_the_paper_of_mcr_reads_the_units_in_a_row():
    module = build("mcr-55-b2x5c16", "discard")
    assert module.stem.weight.shape == (16, 34, 1, 3)  # the kinds are the channels
    assert [len([1 for name, _ in block.named_children() if "conv" in name]) for block in module.blocks] == [5, 5]


def test_learning_and_evaluating_differ_by_the_norms_alone():
    torch.manual_seed(1)
    module = build("mcr-55-b1x3c8", "discard")
    with torch.no_grad():
        for weight in module.parameters():
            if weight.ndim == 1:
                weight.normal_(0.5, 0.3)
    x = planes("mcr-55-b1x3c8", "discard", 64)
    module.train()
    for _ in range(200):  # until the statistics are those of this batch
        learning = module(x)
    loss = learning.square().mean()
    loss.backward()
    assert all(weight.grad is not None and torch.isfinite(weight.grad).all() for weight in module.parameters())
    module.eval()
    assert torch.allclose(module(x), learning, atol=0.05)
