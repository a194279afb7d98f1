"""The weights of a checkpoint as NumPy arrays: all that playing needs, without torch."""

import hashlib
from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load as parse_tensors

from suzaku.networks.info import CheckpointError, Info, files, misfit, read_info


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
