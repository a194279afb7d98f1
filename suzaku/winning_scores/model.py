"""A learnt model: its weights and what it says of itself, in one safetensors file. Needs no torch."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from suzaku.system import did_you_mean, write_whole
from suzaku.winning_scores.features import SIZE, features_hash
from suzaku.winning_scores.hand import AIMS, CLASSES
from suzaku.winning_scores.learnt import BCP, COLUMNS, MCP
from suzaku.winning_scores.play import DRAWING, ONE_PLAYER

MODELS = {"mcp": MCP, "bcp": BCP}
OPPONENTS = {"drawing": DRAWING, "one-player": ONE_PLAYER}
USED = {"mcp": CLASSES, "bcp": AIMS}  # columns of the weights
BUNDLED = Path(__file__).parents[1] / "models" / "winning_scores"
SUFFIX = ".safetensors"


class ModelError(ValueError):
    """A model that cannot be used, and why."""


@dataclass
class Model:
    """Weights of one of the two models."""

    name: str  # mcp or bcp
    opponents: str  # that it learnt against
    weights: np.ndarray = field(default_factory=lambda: np.zeros((SIZE, COLUMNS), np.float32))
    about: dict[str, Any] = field(default_factory=dict)

    @property
    def number(self) -> int:
        """Which model, as the kernels take it."""
        return MODELS[self.name]

    def save(self, path: Path) -> None:
        """Write it, in half precision."""
        about = {**self.about, "model": self.name, "opponents": self.opponents, "features": features_hash()}
        data = {"weights": np.ascontiguousarray(self.weights[:, : USED[self.name]], np.float16)}
        write_whole(path.with_name(path.name.removesuffix(SUFFIX) + SUFFIX), save(data, {"about": json.dumps(about)}))


def load_model(where: str | Path) -> Model:
    """A model by its file, by the folder of its run, or the bundled one of this name. ModelError says what is wrong."""
    path = _find(where)
    try:
        with safe_open(path, "np") as file:
            about = json.loads((file.metadata() or {}).get("about", "{}"))
            stored = file.get_tensor("weights")
    except (SafetensorError, OSError, ValueError):
        about, stored = {}, np.zeros(0)
    name, opponents = about.get("model"), about.get("opponents")
    if name not in MODELS or opponents not in OPPONENTS:
        raise ModelError(f"{path} is not a model of winning scores: name one that `suzaku train winning-scores` made")
    if about.get("features") != features_hash() or stored.shape != (SIZE, USED[name]):
        raise ModelError(
            f"{path} was trained on the feature list {about.get('features')}, this Suzaku has {features_hash()}: "
            "train it anew, or install the Suzaku that trained it"
        )
    model = Model(name, opponents, about=about)
    model.weights[:, : USED[name]] = stored
    return model


def _find(where: str | Path) -> Path:
    path = Path(where)
    if path.is_dir():
        path = path / "best"
    for found in (path, path.with_name(path.name + SUFFIX)):
        if found.is_file():
            return found
    names = sorted(file.stem for file in BUNDLED.glob(f"*{SUFFIX}"))
    if str(where) in names:
        return BUNDLED / f"{where}{SUFFIX}"
    raise ModelError(
        f"there is no model of winning scores {str(where)!r}: name its file, the folder of its run, or a bundled one; "
        f"{did_you_mean(str(where), names)}"
    )
