"""What a checkpoint says about itself, and its weights as arrays, without torch.

- What a checkpoint says about itself, readable without torch: PATH.json, and the head of PATH.safetensors.
- The weights of a checkpoint as NumPy arrays: all that playing needs, without torch.
"""

import hashlib
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load as parse_tensors

from suzaku.features.channels import same_channels
from suzaku.networks.layers import tensor_shapes
from suzaku.networks.spec import ModelSpec, spec_of

FORMAT = 1
REQUIRED = {"format": int, "network": str, "model": str, "features": dict, "weights": dict}
BUFFERS = ("running_mean", "running_var", "num_batches_tracked")  # counted by a batch norm, not trained

Info = dict[str, Any]


class CheckpointError(ValueError):
    """A checkpoint that cannot be used, and why."""


def files(path: str | Path) -> tuple[Path, Path]:
    """The two files of a checkpoint, weights and JSON, named by either of them or by what both begin with."""
    path = Path(path)
    stem = path.name
    for end in (".safetensors", ".json"):
        stem = stem.removesuffix(end)
    return path.with_name(stem + ".safetensors"), path.with_name(stem + ".json")


def checkpoint_of(path: str | Path, model: str) -> Path:
    """A model's checkpoint: `path` itself, or the one in a folder of checkpoints, of training runs or of one run."""
    path = Path(path)
    if not path.is_dir():
        return path
    if (path / model / "best.json").exists():
        return path / model / "best"
    if not (path / f"{model}.json").exists() and (path / "best.json").exists():
        return path / "best"
    return path / model


def read_info(path: str | Path) -> Info:
    """What the JSON of a checkpoint says, checked for form but not yet against this installation."""
    text = files(path)[1]
    try:
        info = json.loads(text.read_bytes())
    except FileNotFoundError:
        raise CheckpointError(f"{text} is missing: a checkpoint is a .safetensors and a .json of one name") from None
    except OSError as problem:
        raise CheckpointError(f"{text} cannot be read: {problem.strerror}") from None
    except ValueError as problem:
        raise CheckpointError(f"{text} is not JSON: {problem}") from None
    if not isinstance(info, dict) or "format" not in info:
        raise CheckpointError(
            f'{text} is not the description of a checkpoint: expected an object with "format": {FORMAT}'
        )
    if info["format"] != FORMAT:
        raise CheckpointError(
            f"{text} has format {info['format']!r}, this Suzaku reads format {FORMAT}: install the one that wrote it"
        )
    for key, type_ in REQUIRED.items():
        if not isinstance(info.get(key), type_):
            raise CheckpointError(f"{text} lacks {key!r}, or it is not of type {type_.__name__}")
    return info


def misfit(info: Info) -> str | None:
    """Why the checkpoint does not fit this installation, in one sentence; nothing if it fits."""
    try:
        ours = spec_of(info).features
    except ValueError as problem:
        return str(problem)
    theirs = info["features"]
    if theirs.get("table") == ours.name and same_channels(theirs.get("hash"), ours.hash):
        return None
    return (
        f"it was trained on features {theirs.get('table')} version {theirs.get('version')} hash {theirs.get('hash')}, "
        f"this Suzaku encodes {ours.name} version {ours.version} hash {ours.hash}: install the Suzaku that trained it "
        f"({info.get('suzaku', 'unknown')}), or train it anew"
    )


def check_shapes(tensors: Mapping[str, Any], spec: ModelSpec, where: str) -> None:
    """Refuse weights that are not those of a model; what batch norms have counted may be missing."""
    has = {name: value for name, value in tensors.items() if not name.endswith("num_batches_tracked")}
    wanted = tensor_shapes(spec.layers)
    if missing := [name for name in wanted if name not in has]:
        raise CheckpointError(f"{where} lacks the tensor {missing[0]!r} ({len(missing)} missing in all)")
    for name, shape in wanted.items():
        if (own := tuple(has[name].shape)) != shape:
            raise CheckpointError(f"{where} holds {name!r} in shape {list(own)}, the network needs {list(shape)}")
    if extra := [name for name in sorted(has) if name not in wanted]:
        raise CheckpointError(f"{where} holds the unknown tensor {extra[0]!r} ({len(extra)} unknown in all)")


def read_shapes(path: str | Path) -> dict[str, tuple[str, list[int]]]:
    """Type and shape of every tensor of the weights, from the head of the file alone."""
    weights = files(path)[0]
    try:
        with weights.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            size = weights.stat().st_size
            if not 2 <= length <= size - 8:
                raise ValueError
            head = json.loads(file.read(length))
        head.pop("__metadata__", None)
        shapes = {name: (entry["dtype"], entry["shape"]) for name, entry in head.items()}
        if size != 8 + length + max((entry["data_offsets"][1] for entry in head.values()), default=0):
            raise ValueError
    except FileNotFoundError:
        raise CheckpointError(f"{weights} is missing: a checkpoint is a .safetensors and a .json of one name") from None
    except OSError as problem:
        raise CheckpointError(f"{weights} cannot be read: {problem.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise CheckpointError(f"{weights} is not a whole safetensors file: copy or download it again") from None
    return shapes


def parameters(shapes: dict[str, tuple[str, list[int]]]) -> int:
    """The number of trained values."""
    return sum(math.prod(shape) for name, (_, shape) in shapes.items() if not name.endswith(BUFFERS))


def read_bytes(path: str | Path) -> tuple[bytes, Info]:
    """The weights' file and what the JSON says, once both are there, belong together and fit this installation."""
    info = read_info(path)
    weights, text = files(path)
    if reason := misfit(info):
        raise CheckpointError(f"{text} does not fit: {reason}")
    try:
        data = weights.read_bytes()
    except FileNotFoundError:
        raise CheckpointError(f"{weights} is missing: a checkpoint is a .safetensors and a .json of one name") from None
    except OSError as problem:
        raise CheckpointError(f"{weights} cannot be read: {problem.strerror}") from None
    return data, info


def not_whole(path: str | Path) -> CheckpointError:
    """The error for weights that cannot be parsed."""
    return CheckpointError(f"{files(path)[0]} is not a whole safetensors file: copy or download it again")


def check_sum(path: str | Path, data: bytes, info: Info) -> None:
    """Refuse weights that are not those the JSON describes."""
    if hashlib.sha256(data).hexdigest() != info["weights"].get("sha256"):
        weights, text = files(path)
        raise CheckpointError(f"{weights} holds other weights than {text} describes: the two files must come together")


def read_weights(path: str | Path) -> tuple[dict[str, np.ndarray], Info]:
    """All tensors of a checkpoint by name, in single precision, and what its JSON says."""
    data, info = read_bytes(path)
    try:
        tensors = parse_tensors(data)
    except SafetensorError:
        raise not_whole(path) from None
    check_sum(path, data, info)
    return {name: value.astype(np.float32) for name, value in tensors.items()}, info
