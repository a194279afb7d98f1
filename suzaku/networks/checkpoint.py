"""Checkpoints: PATH.safetensors with the weights, PATH.json with all there is to know of them. Loading runs no code."""

import copy
import hashlib
import os
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load as parse_tensors
from safetensors.torch import save as format_tensors
from torch import Tensor, nn

from suzaku.files import write_together
from suzaku.networks.build import build
from suzaku.networks.info import FORMAT, CheckpointError, Info, files
from suzaku.networks.names import inputs
from suzaku.networks.weights import check_sum, not_whole, read_bytes

__all__ = ["CheckpointError", "from_tensors", "load", "save", "unwrap"]


def unwrap(module: nn.Module) -> nn.Module:
    """The network itself, out of what torch.compile and DistributedDataParallel wrap around it."""
    while isinstance(inner := getattr(module, "_orig_mod", getattr(module, "module", None)), nn.Module):
        module = inner
    return module


def save(path: str | Path, module: nn.Module, info: Info, half: bool = False) -> Info:
    """Write a checkpoint and give what its JSON says.

    `info` holds "network" and "model" (the names build() takes) and should hold "training" (the configuration), "data"
    and "results"; more is kept as it is. `half` stores the matrices, nearly all of the weights, in half precision.
    """
    tensors = {name: value.detach().cpu().contiguous() for name, value in unwrap(module).state_dict().items()}
    _compare(tensors, _blank(info["network"], info["model"]), "the module")
    if half:
        tensors = {name: value.half() if value.ndim > 1 else value for name, value in tensors.items()}
    bad = [name for name, value in tensors.items() if not torch.isfinite(value).all()]
    if bad:
        raise CheckpointError(f"the weights are not saved: {bad[0]} holds values that are not finite")
    weights, text = files(path)
    data = format_tensors(tensors)
    seen = inputs(info["network"], info["model"])
    own = {
        "format": FORMAT,
        "suzaku": _version(),
        "network": info["network"],
        "model": info["model"],
        "features": {"table": seen.name, "version": seen.version, "hash": seen.hash},
        "weights": {"sha256": hashlib.sha256(data).hexdigest(), "precision": "half" if half else "single"},
    }
    info = own | {key: value for key, value in info.items() if key not in own}
    described = msgspec.json.format(msgspec.json.encode(info, enc_hook=_plain)) + b"\n"
    weights.parent.mkdir(parents=True, exist_ok=True)
    write_together({weights: data, text: described})
    return msgspec.json.decode(described)


def load(path: str | Path) -> tuple[nn.Module, Info]:
    """The network of a checkpoint, in single precision on the CPU and set to evaluate, and what its JSON says."""
    data, info = read_bytes(path)
    try:
        tensors = parse_tensors(data)
    except SafetensorError:
        raise not_whole(path) from None
    module = _blank(info["network"], info["model"])
    _compare(tensors, module, str(files(path)[0]))
    check_sum(path, data, info)
    return _fill(module, tensors), info


def from_tensors(tensors: Mapping[str, np.ndarray], network: str, model: str) -> nn.Module:
    """The network of weights in memory, in single precision on the CPU and set to evaluate."""
    module = copy.deepcopy(_template(network, model))
    counts = {name: torch.zeros(()) for name in module.state_dict() if name.endswith("num_batches_tracked")}
    given = counts | {name: torch.from_numpy(value) for name, value in tensors.items()}
    _compare(given, module, "the memory")
    return _fill(module, given)


def _fill(module: nn.Module, tensors: dict[str, Tensor]) -> nn.Module:
    wanted = module.state_dict()
    tensors = {name: value.to(wanted[name].dtype, copy=True) for name, value in tensors.items()}
    module.load_state_dict(tensors, assign=True)
    return module.eval()


@cache
def _template(network: str, model: str) -> nn.Module:
    """Kept to be copied: building takes most of the time when a player's weights are replaced."""
    return _blank(network, model)


def _blank(network: str, model: str) -> nn.Module:
    """The network without weights: nothing is allocated, and the random numbers of a run stay as they are."""
    with torch.device("meta"):
        return build(network, model)


def _compare(tensors: dict[str, Tensor], module: nn.Module, where: str) -> None:
    wanted = module.state_dict()
    if missing := [name for name in wanted if name not in tensors]:
        raise CheckpointError(f"{where} lacks the tensor {missing[0]!r} ({len(missing)} missing in all)")
    if extra := [name for name in sorted(tensors) if name not in wanted]:
        raise CheckpointError(f"{where} holds the unknown tensor {extra[0]!r} ({len(extra)} unknown in all)")
    for name, value in tensors.items():
        if value.shape != wanted[name].shape:
            raise CheckpointError(
                f"{where} holds {name!r} in shape {list(value.shape)}, the network needs {list(wanted[name].shape)}"
            )


def _plain(value: Any) -> Any:
    if isinstance(value, os.PathLike):
        return str(value)
    if hasattr(value, "tolist"):  # arrays and numbers of NumPy and torch
        return value.tolist()
    raise TypeError(f"a checkpoint's JSON cannot hold {type(value).__name__}")


def _version() -> str:
    try:
        return version("suzaku")
    except PackageNotFoundError:
        return "unknown"
