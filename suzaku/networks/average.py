"""The mean of the weights of checkpoints that began with the same ones.

Runs of self-play with other seeds go from one start partly in the same direction, each with luck of its own. In the
mean of their weights what they share stays, and the luck is less.
"""

from collections.abc import Sequence
from pathlib import Path

import torch

from suzaku.networks import checkpoint
from suzaku.networks.bundled import sees_ahead
from suzaku.networks.info import CheckpointError, Info


@torch.no_grad()
def average(paths: Sequence[str | Path], out: str | Path, half: bool = False) -> None:
    """Write the mean of checkpoints of one network and model; it says of itself what each of them says."""
    loaded = [checkpoint.load(path) for path in paths]
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
    checkpoint.save(out, module, {**about, "mean_of": runs, "seeds": seeds}, half=half)


def _began(info: Info) -> str:
    """The weights that a checkpoint began with; empty if it does not say."""
    return info.get("started", {}).get("weights", {}).get("sha256", "")
