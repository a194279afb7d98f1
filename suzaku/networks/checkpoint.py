"""Checkpoints: PATH.safetensors with the weights, PATH.json with all there is to know of them.

- Checkpoints: PATH.safetensors with the weights, PATH.json with all there is to know of them. Loading runs no code.
- The mean of the weights of checkpoints that began with the same ones.
"""

import copy
import hashlib
import os
from collections.abc import Mapping, Sequence
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

from suzaku.networks.bundled import sees_ahead
from suzaku.networks.info import FORMAT, CheckpointError, Info, check_shapes, check_sum, files, not_whole, read_bytes
from suzaku.networks.modules import Network
from suzaku.networks.spec import ModelSpec, spec_of
from suzaku.system import write_together

__all__ = ["CheckpointError", "from_tensors", "load", "save", "unwrap"]


def unwrap(module: nn.Module) -> nn.Module:
    """The network itself, out of what torch.compile and DistributedDataParallel wrap around it."""
    while isinstance(inner := getattr(module, "_orig_mod", getattr(module, "module", None)), nn.Module):
        module = inner
    return module


def save(path: str | Path, module: nn.Module, info: Info, half: bool = False) -> Info:
    """Write a checkpoint and give what its JSON says.

    `info` holds "network" and "model", the names of the module's specification. It should hold "training" (the
    configuration), "data" and "results"; more is kept as it is. `half` stores the matrices, nearly all of the weights,
    in half precision.
    """
    tensors = {name: value.detach().cpu().contiguous() for name, value in unwrap(module).state_dict().items()}
    spec = spec_of(info)
    check_shapes(tensors, spec, "the module")
    if half:
        tensors = {name: value.half() if value.ndim > 1 else value for name, value in tensors.items()}
    bad = [name for name, value in tensors.items() if not torch.isfinite(value).all()]
    if bad:
        raise CheckpointError(f"the weights are not saved: {bad[0]} holds values that are not finite")
    weights, text = files(path)
    data = format_tensors(tensors)
    own = {
        "format": FORMAT,
        "suzaku": _version(),
        "network": info["network"],
        "model": info["model"],
        "features": spec.describe_features(),
        "weights": {"sha256": hashlib.sha256(data).hexdigest(), "precision": "half" if half else "single"},
    }
    info = own | {key: value for key, value in info.items() if key not in own}
    described = msgspec.json.format(msgspec.json.encode(info, enc_hook=_plain)) + b"\n"
    weights.parent.mkdir(parents=True, exist_ok=True)
    write_together({weights: data, text: described})
    return msgspec.json.decode(described)


def load(path: str | Path) -> tuple[Network, Info]:
    """The network of a checkpoint, in single precision on the CPU and set to evaluate, and what its JSON says."""
    data, info = read_bytes(path)
    try:
        tensors = parse_tensors(data)
    except SafetensorError:
        raise not_whole(path) from None
    spec = spec_of(info)
    check_shapes(tensors, spec, str(files(path)[0]))
    check_sum(path, data, info)
    return _filled(spec, tensors), info


def from_tensors(tensors: Mapping[str, np.ndarray], spec: ModelSpec) -> Network:
    """The network of weights in memory, in single precision on the CPU and set to evaluate."""
    check_shapes(tensors, spec, "the memory")
    return _filled(spec, {name: torch.from_numpy(value) for name, value in tensors.items()})


def _filled(spec: ModelSpec, tensors: dict[str, Tensor]) -> Network:
    module = copy.deepcopy(_template(spec))
    wanted = module.state_dict()
    counts = {name: torch.zeros(()) for name in wanted if name.endswith("num_batches_tracked")}
    tensors = {name: value.to(wanted[name].dtype, copy=True) for name, value in (counts | tensors).items()}
    module.load_state_dict(tensors, assign=True)
    return module.eval()


@cache
def _template(spec: ModelSpec) -> Network:
    """Kept to be copied: building takes most of the time when a player's weights are replaced.

    It has no weights: nothing is allocated, and the random numbers of a run stay as they are.
    """
    with torch.device("meta"):
        return Network(spec.layers)


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


# Runs of self-play with other seeds go from one start partly in the same direction, each with luck of its own. In the
# mean of their weights what they share stays, and the luck is less.


@torch.no_grad()
def average(paths: Sequence[str | Path], out: str | Path, half: bool = False) -> None:
    """Write the mean of checkpoints of one network and model; it says of itself what each of them says."""
    loaded = [load(path) for path in paths]
    if len(loaded) < 2:
        raise CheckpointError("a mean needs at least two checkpoints")
    module, first = loaded[0]
    for path, (_, info) in zip(paths[1:], loaded[1:], strict=True):
        if (info["network"], info["model"]) != (first["network"], first["model"]):
            raise CheckpointError(
                f"{path} is the {info['model']} model of {info['network']}, and {paths[0]} the {first['model']} model "
                f"of {first['network']}: only networks of one form have a mean"
            )
        for where, one in (paths[0], first), (path, info):
            if not _began(one):
                raise CheckpointError(
                    f"{where} does not say what it began with: only checkpoints that began with the same weights have "
                    "a mean"
                )
        if _began(info) != _began(first):
            raise CheckpointError(f"{path} and {paths[0]} began with other weights: their mean could not play")
        if sees_ahead(info) != sees_ahead(first):
            raise CheckpointError(
                f"{path} and {paths[0]} learnt from other features, one with the look-ahead channels and one without: "
                "their mean could not play"
            )
    others = [other.state_dict() for other, _ in loaded[1:]]
    for name, tensor in module.state_dict().items():
        if tensor.is_floating_point():
            tensor.copy_(torch.stack([tensor, *(other[name] for other in others)]).mean(0))
    kept = ("network", "model", "training", "started")
    about = {key: first[key] for key in kept if key in first}
    told = ("played", "learnt", "step", "pieces")
    runs = [
        {"from": str(path), **{key: info[key] for key in told if key in info}}
        for path, (_, info) in zip(paths, loaded, strict=True)
    ]
    seeds = [info["training"].get("seed") for _, info in loaded if isinstance(info.get("training"), dict)]
    for key in ("played", "learnt"):
        if all(key in run for run in runs):
            about[key] = sum(run[key] for run in runs)
    save(out, module, {**about, "mean_of": runs, "seeds": seeds}, half=half)


def _began(info: Info) -> str:
    """The weights that a checkpoint began with; empty if it does not say."""
    return info.get("started", {}).get("weights", {}).get("sha256", "")
