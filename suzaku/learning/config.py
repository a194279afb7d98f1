"""The settings of supervised training: defaults, a TOML file over them, then single settings from the command line."""

import math
import sys
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from suzaku.networks.names import parse
from suzaku.words import did_you_mean

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # type: ignore[import-not-found]


@dataclass(frozen=True)
class Config:
    """What a run of `suzaku train supervised` does; with the same settings and data it does the same again."""

    network: str = "suphx-b10c128"  # see suzaku/networks/names.py
    model: str = "discard"  # discard, riichi, chow, pong or kong
    start: str = ""  # a checkpoint of the same network and model to start from, or a folder of them; else fresh weights
    steps: int = 20_000  # optimiser steps
    batch: int = 512  # samples a step, of all machines together
    rate: float = 2e-3  # highest learning rate, after the warm-up; it then falls to zero by half a cosine
    warm_up: int = 500  # steps until the highest learning rate
    decay: float = 0.01  # weight decay of AdamW
    clip: float = 1.0  # longest gradient
    balance: float = 0.0  # two-way models: 0 keeps the classes as they come, 1 weighs them equally
    dropout: bool = True  # Gao's networks: drop one half of the values while learning
    augment: bool = True  # exchange suits at random
    lookahead: bool = True  # False leaves the look-ahead channels empty
    select: str = (
        "paper"  # "all" decisions, "one" player a round as Gao et al., or "paper": what the network's paper did
    )
    part: int = 1  # train on one game in so many, for learning curves
    seed: int = 1
    eval_every: int = 1_000  # steps between two looks at the validation games
    eval_samples: int = 20_000  # samples of such a look
    save_every: int = 500  # steps between two checkpoints to resume from
    workers: int = 1  # threads that replay and encode games
    bfloat16: bool = True  # compute in bfloat16 where the machine has it

    def __post_init__(self) -> None:
        for name in ("steps", "batch", "eval_every", "eval_samples", "save_every", "workers", "part"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)}")
        for name in ("warm_up", "seed", "decay", "balance"):
            if not 0 <= getattr(self, name) < math.inf:
                raise ValueError(f"{name} must be at least 0, not {getattr(self, name)}")
        for name in ("rate", "clip"):
            if not 0 < getattr(self, name) < math.inf:
                raise ValueError(f"{name} must be more than 0, not {getattr(self, name)}")
        if self.select not in ("all", "one", "paper"):
            raise ValueError(f"select must be all, one or paper, not {self.select!r}")

    @property
    def one_player(self) -> bool:
        """Whether one player is followed in each round."""
        return self.select == "one" or (self.select == "paper" and parse(self.network).family.one_player)

    def to_dict(self) -> dict[str, Any]:
        """All settings, as they go into a checkpoint."""
        return asdict(self)


def _convert(name: str, value: Any) -> Any:
    """A setting's value in its own type, from TOML or from text."""
    default = getattr(Config, name)
    kind = type(default)
    try:
        if kind is bool and isinstance(value, str):
            return {"true": True, "false": False, "1": True, "0": False}[value.lower()]
        if kind is int and isinstance(value, str):
            return int(value.replace("_", ""))
        if kind is float and not isinstance(value, bool):
            return float(value)
        if type(value) is kind:
            return value
    except (KeyError, TypeError, ValueError):
        pass
    raise ValueError(f"setting {name} takes a value like {default!r}, not {value!r}")


def read_config(path: Path | None, settings: list[str], **given: Any) -> Config:
    """The settings from a file, then from texts "key=value", then from those given (None is not given)."""
    values: dict[str, Any] = {}
    if path is not None:
        try:
            values.update(tomllib.loads(path.read_text(encoding="utf-8")))
        except OSError as problem:
            raise ValueError(f"the settings file {path} cannot be read: {problem.strerror}") from None
        except ValueError as problem:  # no TOML, or no text at all
            raise ValueError(f"the settings file {path} is no TOML: {problem}") from None
    for text in settings:
        key, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"--set takes key=value, not {text!r}")
        values[key.strip()] = value.strip()
    values.update({key: value for key, value in given.items() if value is not None})
    names = [field.name for field in fields(Config)]
    for key in values:
        if key not in names:
            raise ValueError(f"unknown setting {key!r}; {did_you_mean(key, names)}")
    return Config(**{key: _convert(key, value) for key, value in values.items()})
