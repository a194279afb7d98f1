"""ONNX files give what torch gives."""

import numpy as np
import onnxruntime
import pytest

torch = pytest.importorskip("torch", reason="the export needs torch: pip install 'suzaku[train]'")


from suzaku.networks.checkpoint import CheckpointError, load, save  # noqa: E402
from suzaku.networks.info import read_weights  # noqa: E402
from suzaku.networks.modules import build  # noqa: E402
from suzaku.networks.names import inputs  # noqa: E402
from suzaku.networks.onnx import ExportError, difference, export  # noqa: E402
from suzaku.networks.onnx_graph import to_onnx  # noqa: E402


def checkpoint(path, network, model, half=False):
    module = build(network, model)
    with torch.no_grad():
        for weight in module.parameters():
            if weight.ndim == 1:  # all batch norms do something
                weight.normal_(0.5, 0.3)
    save(path, module, {"network": network, "model": model}, half=half)


@pytest.mark.parametrize(
    ("network", "model", "half"),
    [
        ("suphx-b2c8", "discard", False),
        ("suphx-b2c8", "kong", True),
        ("gao-86", "chow", False),
        ("gao-86", "riichi", True),
    ],
)
def test_both_runtimes_agree(tmp_path, network, model, half):
    path, out = tmp_path / "best", tmp_path / "made" / "best.onnx"
    checkpoint(path, network, model, half)
    assert export(path, out) < 1e-4
    module, info = load(path)
    session = onnxruntime.InferenceSession(out)
    for n in (1, 5):
        planes = (np.random.default_rng(n).random((n, *inputs(network, model).shape)) < 0.2).astype(np.uint8)
        (given,) = session.run(None, {"planes": planes})
        assert np.allclose(given, module(torch.from_numpy(planes)).detach().numpy(), atol=1e-4)
    told = session.get_modelmeta().custom_metadata_map
    assert (told["network"], told["model"], told["features.hash"]) == (network, model, info["features"]["hash"])
    assert [file.name for file in out.parent.iterdir()] == ["best.onnx"]


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
    [("suphx-b1c8", "unknown tensor 'blocks.1"), ("suphx-b2c16", "not of suphx-b2c16: expected 16")],
)
def test_weights_of_another_network_are_refused_without_torch_too(tmp_path, other, reason):
    checkpoint(tmp_path / "best", "suphx-b2c8", "riichi")
    tensors, info = read_weights(tmp_path / "best")
    with pytest.raises(CheckpointError, match=reason):
        to_onnx(tensors, info | {"network": other})
