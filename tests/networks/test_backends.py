"""All that runs a network answers alike: torch, its folded form, ONNX files, sparse planes, NumPy alone."""

import numpy as np
import onnxruntime
import pytest

torch = pytest.importorskip("torch", reason="comparing with torch needs: pip install 'suzaku[train]'")

from suzaku.features.sparse import sparse  # noqa: E402
from suzaku.networks.checkpoint import CheckpointError, load, save  # noqa: E402
from suzaku.networks.info import read_weights  # noqa: E402
from suzaku.networks.layers import tensor_shapes  # noqa: E402
from suzaku.networks.modules import build, folded  # noqa: E402
from suzaku.networks.numpy_network import folded as folded_arrays  # noqa: E402
from suzaku.networks.numpy_network import logits, matrices, read_npz, to_npz  # noqa: E402
from suzaku.networks.onnx_graph import ExportError, difference, export, to_onnx  # noqa: E402
from suzaku.networks.run import Model  # noqa: E402
from suzaku.networks.spec import FAMILIES, model_spec, network_spec  # noqa: E402

NETWORKS = [
    "suphx-b2c8",
    "oracle-b1c8",
    "gao-86",
    "reward-h8",
    "mcr-55-b2x3c8",
    "mcr-27-b1x3c8",
    "mcr-17-b1x3c8",
    "mcr-15-b1x5c8",
    "mcr-plan-b2c8",
]
MODELS = [(network, model) for network in NETWORKS for model in network_spec(network).family.models]


def checkpoint(path, network, model, half=False):
    """A checkpoint whose batch norms all do something."""
    torch.manual_seed(1)
    module = build(network, model)
    with torch.no_grad():
        for weight in module.parameters():
            if weight.ndim == 1:
                weight.normal_(0.5, 0.3)
        for name, value in module.named_buffers():
            if value.ndim:
                value.copy_(torch.rand_like(value) + (0.5 if name.endswith("var") else 0.0))
    save(path, module, {"network": network, "model": model}, half=half)


def some_planes(network, model, n=5):
    rng, shape = np.random.default_rng(2), (n, *model_spec(network, model).features.shape)
    if network.startswith("reward"):
        return rng.normal(size=(n, 7, shape[1])).astype(np.float32)
    filled = rng.random(shape) < 0.2
    return (filled * (rng.integers(0, 256, shape) if len(shape) == 3 else 1)).astype(np.uint8)


def test_no_family_is_left_out():
    assert {network_spec(name).family.name for name in NETWORKS} == set(FAMILIES)


@pytest.mark.parametrize(("network", "model"), MODELS)
def test_all_backends_agree(tmp_path, network, model):
    path = tmp_path / "best"
    checkpoint(path, network, model, half=model in ("kong", "riichi"))
    planes, spec = some_planes(network, model), model_spec(network, model)
    tensors, info = read_weights(path)
    module, _ = load(path)
    with torch.inference_mode():
        expected = module(torch.from_numpy(planes)).numpy()
    assert expected.shape == (*planes.shape[: expected.ndim - 1], spec.outputs)
    assert expected.std() > 1e-3
    counts = {name for name in tensors if name.endswith("num_batches_tracked")}
    assert {name: tensors[name].shape for name in tensors.keys() - counts} == tensor_shapes(spec.layers)

    def close(found, share=1e-4):
        assert found.dtype == np.float32
        assert np.abs(found - expected).max() < share * max(1, np.abs(expected).max())

    close(logits(matrices(folded_arrays(spec.layers, tensors)), planes))
    to_npz(tensors, tmp_path / "best.npz")
    close(logits(read_npz(spec.layers, tmp_path / "best.npz"), planes), 0.02)
    if network.startswith("reward"):
        with pytest.raises(CheckpointError, match="has no ONNX graph"):
            to_onnx(tensors, info)
        return
    assert export(path, tmp_path / "made" / "best.onnx") < 1e-3
    session = onnxruntime.InferenceSession(tmp_path / "made" / "best.onnx")
    for n in (1, len(planes)):
        (given,) = session.run(None, {"planes": planes[:n]})
        assert np.allclose(given, expected[:n], atol=1e-4 * max(1, np.abs(expected).max()))
    told = session.get_modelmeta().custom_metadata_map
    assert (told["network"], told["model"], told["features.hash"]) == (network, model, info["features"]["hash"])
    assert [file.name for file in (tmp_path / "made").iterdir()] == ["best.onnx"]
    played = Model(path)
    assert played.sparse == (network.partition("-b")[0] in ("suphx", "oracle", "mcr-plan"))
    close(played.run_onnxruntime(planes))
    close(played.run_torch(planes), 0.05)
    if played.sparse:
        close(played.run_onnxruntime(sparse(planes)))
        close(played.run_torch(sparse(planes)), 0.05)
        with torch.inference_mode():
            close(module(sparse(planes)).numpy())
    with torch.inference_mode():
        close(folded(module, torch.float32)(torch.from_numpy(planes)).numpy(), 1e-3)


def test_a_file_that_differs_is_refused(tmp_path):
    checkpoint(tmp_path / "best", "suphx-b2c8", "riichi")
    export(tmp_path / "best", tmp_path / "best.onnx")
    module, _ = load(tmp_path / "best")
    with torch.no_grad():
        module.head.last.bias += 0.01
    with pytest.raises(ExportError, match=r"differ from torch's by 0\.01"):
        difference(module, (tmp_path / "best.onnx").read_bytes(), (838, 34))


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ("suphx-b1c8", "unknown tensor 'blocks.1"),
        ("suphx-b3c8", "lacks the tensor 'blocks.2"),
        ("suphx-b2c16", r"'stem.weight' in shape \[8, 838, 1, 3\], the network needs \[16, 838, 1, 3\]"),
    ],
)
def test_weights_of_another_network_are_refused_without_torch_too(tmp_path, other, reason):
    checkpoint(tmp_path / "best", "suphx-b2c8", "riichi")
    tensors, info = read_weights(tmp_path / "best")
    with pytest.raises(CheckpointError, match=reason):
        to_onnx(tensors, info | {"network": other})
