"""The trained models that come with the package (suzaku/models/README.md says what they are), and a player's models."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from suzaku import system
from suzaku.networks.info import CheckpointError, Info, checkpoint_of, files, read_info
from suzaku.networks.spec import network_spec
from suzaku.system import say

FOLDER = Path(__file__).parents[1] / "models"
USUAL = {"oracle": "suphx"}  # the family of the models that a player of another one may have too
# bundled players that have the models of another, but for some
BASES = dict.fromkeys(("rl-basic", "rl-1", "rl-2"), "weak")


def bundled(name: str) -> Path:
    """The folder of the models of a player: "suphx", "weak", "gao", "mcr", or one of BASES."""
    return FOLDER / name


def find_models(path: str | Path, family: str, models: Iterable[str]) -> dict[str, Path]:
    """The checkpoint of each model of a player: from `path` where it has one, or else the bundled one.

    `path` is a folder of checkpoints, of training runs or of one run, or a checkpoint. Refused is what cannot play
    together: networks of another family, or some models with the look-ahead channels and some without. Beside models of
    the family `oracle` those of `suphx` may play.
    """
    path, models = Path(path), list(models)
    own = _own_models(path, family, models)
    families = {network_spec(read_info(where)["network"]).family.player for where in own.values()}
    if family == "oracle" and family not in families:
        raise CheckpointError(f"{path} has no model with the oracle channels, so it is not an oracle: try suphx:{path}")
    base = BASES.get(path.name) if path.parent == FOLDER else None
    others = base or USUAL.get(family, family)
    found = {model: own.get(model, bundled(others) / model) for model in models}
    infos = {model: read_info(where) for model, where in found.items()}
    for model, info in infos.items():
        _check_family(found[model], info, family, path)
        if info["model"] != model:
            raise CheckpointError(f"{files(found[model])[1]} is the {info['model']} model, not the {model} model")
    filled = [model for model in models if model not in own]
    _check_lookahead(path, infos, filled)
    if filled and base is None:
        _tell(
            f"{path} has {_listed(own)}; {_listed(filled)} {'is' if len(filled) == 1 else 'are'} the bundled {others}"
        )
    return found


def _own_models(path: Path, family: str, models: list[str]) -> dict[str, Path]:
    """The models that `path` has itself; at least one."""
    alone = path / "best" if path.is_dir() else path  # a checkpoint that does not say by its name what it decides
    own = {}
    for model in models:
        found = checkpoint_of(path, model)
        if files(found)[1].exists() and (found != alone or read_info(found)["model"] == model):
            own[model] = found
    if own:
        return own
    if files(alone)[1].exists():
        info = read_info(alone)
        _check_family(alone, info, family, path)
        raise CheckpointError(f"{files(alone)[1]} is the {info['model']} model: {family} has only {_listed(models)}")
    if path.is_dir():
        name = models[0]
        raise CheckpointError(
            f"{path} holds no checkpoint: there is no {name}.json, {name}/best.json or best.json"
            + (f"; of a run of self-play name one player, such as {path / 'last'}" if (path / "last").is_dir() else "")
        )
    raise CheckpointError(f"{files(path)[1]} is missing: name a checkpoint, or a folder of checkpoints or of a run")


def _check_family(where: Path, info: Info, family: str, path: Path) -> None:
    theirs = network_spec(info["network"]).family.player
    if theirs == "oracle" != family:
        raise CheckpointError(
            f"{files(where)[1]} is {info['network']}, an oracle that sees the hidden tiles: "
            f"only `suzaku arena` seats it, as oracle:{path}"
        )
    if theirs not in (family, USUAL.get(family)):
        other = "" if theirs == "reward" else f": try {theirs}:{path}"
        raise CheckpointError(f"{files(where)[1]} is {info['network']}, not a network of {family}{other}")


def _check_lookahead(path: Path, infos: dict[str, Info], filled: list[str]) -> None:
    """All models must see the same channels."""
    blind = [model for model, info in infos.items() if not sees_ahead(info)]
    if not blind or len(blind) == len(infos):
        return
    if filled and not set(blind) & set(filled):
        raise CheckpointError(
            f"{path}: {_listed(blind)} was trained without the look-ahead channels, so the bundled {_listed(filled)} "
            f"cannot play beside it: train these as well (--set lookahead=false)"
        )
    raise CheckpointError(f"{path}: {_listed(blind)} was trained without the look-ahead channels, the others with them")


def sees_ahead(info: Info) -> bool:
    """Whether a model was trained with the look-ahead channels."""
    training = info.get("training")
    return bool(training.get("lookahead", True)) if isinstance(training, dict) else True


def _listed(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


@cache
def _tell(text: str) -> None:
    """Say it once; the workers of a match say nothing of their own."""
    if not system.is_worker:
        say(text)
