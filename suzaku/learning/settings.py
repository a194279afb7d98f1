"""Settings of any training: a dataclass with defaults, a TOML file over them, then single ones over that."""

import math
import sys
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, TypeVar

from suzaku.system import did_you_mean

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # type: ignore[import-not-found]

T = TypeVar("T")


def at_least(settings: Any, least: float, names: Iterable[str]) -> None:
    """Refuse settings below a number, or endless ones."""
    for name in names:
        if not _finite(settings, name) >= least:
            raise ValueError(f"{name} must be at least {least:g}, not {getattr(settings, name)}")


def above_zero(settings: Any, names: Iterable[str]) -> None:
    """Refuse settings that are not above zero, or endless ones."""
    for name in names:
        if not _finite(settings, name) > 0:
            raise ValueError(f"{name} must be more than 0, not {getattr(settings, name)}")


def _finite(settings: Any, name: str) -> float:
    value: float = getattr(settings, name)
    if not math.isfinite(value):
        raise ValueError(f"{name} must be a finite number, not {value}")
    return value


def defaults(cls: type) -> dict[str, Any]:
    """The defaults of a dataclass, by name."""
    return {field.name: field.default for field in fields(cls) if field.default is not MISSING}


def read_settings(
    cls: type[T], path: Path | None, settings: Iterable[str], instead: Mapping[str, Any] | None = None, **given: Any
) -> T:
    """A dataclass from a file, then from texts "key=value", then from those given (None is not given).

    Every field has a default, which says its type: bool, int, float or str; `instead` has others for some of them.
    """
    values = dict(instead or {})
    if path is not None:
        try:
            values.update(tomllib.loads(path.read_text(encoding="utf-8")))
        except OSError as problem:
            raise ValueError(f"the settings file {path} cannot be read: {problem.strerror}") from None
        except ValueError as problem:  # not TOML, or not text at all
            raise ValueError(f"the settings file {path} is not valid TOML: {problem}") from None
    said: dict[str, str] = {}
    for text in settings:
        key, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"--set takes key=value, not {text!r}")
        said[key.strip()] = value.strip()
    values.update(said)
    usual = defaults(cls)
    for key, value in given.items():
        if value is None:
            continue
        if key in said and _convert(key, said[key], usual[key]) != value:
            raise ValueError(f"--{key.replace('_', '-')} {value} and --set {key}={said[key]} disagree: say one of them")
        values[key] = value
    for key in values:
        if key not in usual:
            raise ValueError(f"unknown setting {key!r}; {did_you_mean(key, usual)}")
    return cls(**{key: _convert(key, value, usual[key]) for key, value in values.items()})


def _convert(name: str, value: Any, default: Any) -> Any:
    """A setting's value in its own type, from TOML or from text."""
    type_ = type(default)
    try:
        if type_ is bool and isinstance(value, str):
            return {"true": True, "false": False, "1": True, "0": False}[value.lower()]
        if type_ is int and isinstance(value, str):
            return int(value.replace("_", ""))
        if type_ is float and not isinstance(value, bool):
            return float(value)
        if type(value) is type_:
            return value
    except (KeyError, TypeError, ValueError):
        pass
    raise ValueError(f"setting {name} takes a value like {_shown(default)}, not {value!r}")


def _shown(value: Any) -> str:
    """A default as TOML writes it."""
    return str(value).lower() if isinstance(value, bool) else repr(value)
