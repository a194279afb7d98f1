"""Settings of any training: a struct with defaults, a TOML file over them, then single ones over that.

- A field says its type, its bounds and what it means: `rate: Annotated[Positive, doc("learning rate")] = 1e-4`.
- Bounds hold however a struct is made. `check` adds what several settings must fulfil together.
- An error is one sentence that names the setting. `suzaku train settings` lists all of a command.
"""

import math
import operator
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, TypeVar, get_args, get_origin

from msgspec import Meta, Struct, ValidationError, convert
from msgspec.structs import FieldInfo, fields

from suzaku.system import did_you_mean

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # type: ignore[import-not-found]

T = TypeVar("T", bound="Settings")


def doc(text: str) -> Meta:
    """What a setting means."""
    return Meta(description=text)


Count = Annotated[int, Meta(ge=1)]
Whole = Annotated[int, Meta(ge=0)]
Seed = Annotated[int, Meta(ge=0, le=2**63 - 1), doc("the same seed gives the same run")]
Positive = Annotated[float, Meta(gt=0)]
NonNegative = Annotated[float, Meta(ge=0)]
Share = Annotated[float, Meta(ge=0, le=1)]
BelowOne = Annotated[float, Meta(ge=0, lt=1)]  # of a moving average: what it keeps

BOUNDS = (("ge", operator.ge, "at least", "≥"), ("gt", operator.gt, "more than", ">"),
          ("le", operator.le, "at most", "≤"), ("lt", operator.lt, "below", "<"))  # fmt: skip


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a command; every one has a default."""

    GROUPS: ClassVar[Mapping[str, str]] = {}  # the titles of groups, by the first setting of each

    def __post_init__(self) -> None:
        for field in fields(self):
            _convert(field, getattr(self, field.name))
        self.check()

    def check(self) -> None:
        """Refuse settings that do not fit together."""


def _parts(field: FieldInfo) -> tuple[Any, list[Meta]]:
    """The plain type of a setting, and what stands beside it."""
    if get_origin(field.type) is not Annotated:
        return field.type, []
    plain, *beside = get_args(field.type)
    return plain, beside


def _convert(field: FieldInfo, value: Any) -> Any:
    """A setting's value in its own type, from TOML, from text or from Python."""
    name, (plain, beside) = field.name, _parts(field)
    try:
        text = value.replace("_", "") if plain in (int, float) and isinstance(value, str) else value
        value = convert(text, plain, strict=not isinstance(text, str))
    except ValidationError:
        if get_origin(plain) is Literal:
            raise ValueError(f"{name} must be one of {', '.join(get_args(plain))}, not {value!r}") from None
        raise ValueError(f"setting {name} takes a value like {_shown(field.default)}, not {value!r}") from None
    if plain is float and not math.isfinite(value):
        raise ValueError(f"{name} must be a finite number, not {value}")
    for bound, holds, words in (
        (getattr(meta, key), holds, words) for meta in beside for key, holds, words, _ in BOUNDS
    ):
        if bound is not None and not holds(value, bound):
            raise ValueError(f"{name} must be {words} {bound}, not {value}")
    return value


def _shown(value: Any) -> str:
    """A default as TOML writes it."""
    return str(value).lower() if isinstance(value, bool) else repr(value)


def defaults(cls: type[Settings]) -> dict[str, Any]:
    """The defaults by name."""
    return {field.name: field.default for field in fields(cls)}


class Setting(NamedTuple):
    """A setting as it is told to a reader."""

    group: str
    name: str
    default: str
    bounds: str
    meaning: str


def told(cls: type[Settings]) -> Iterator[Setting]:
    """All settings of a command, in their groups."""
    group = ""
    for field in fields(cls):
        plain, beside = _parts(field)
        group = cls.GROUPS.get(field.name, group)
        bounds = [
            f"{sign} {getattr(meta, key):.4g}"
            for meta in beside
            for key, _, _, sign in BOUNDS
            if getattr(meta, key) is not None
        ]
        choices = " | ".join(get_args(plain)) if get_origin(plain) is Literal else ", ".join(bounds)
        meaning = " ".join(meta.description for meta in beside if meta.description)
        yield Setting(group, field.name, _shown(field.default).strip("'"), choices, meaning)


def read_settings(
    cls: type[T], path: Path | None, settings: Iterable[str], instead: Mapping[str, Any] | None = None, **given: Any
) -> T:
    """Settings from a file, then from texts "key=value", then from those given (None is not given).

    `instead` has other defaults for some of them.
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
    known = {field.name: field for field in fields(cls)}
    for key, value in given.items():
        if value is None:
            continue
        if key in said and _convert(known[key], said[key]) != value:
            raise ValueError(f"--{key.replace('_', '-')} {value} and --set {key}={said[key]} disagree: say one of them")
        values[key] = value
    for key in values:
        if key not in known:
            raise ValueError(f"unknown setting {key!r}; {did_you_mean(key, known)}")
    return cls(**{key: _convert(known[key], value) for key, value in values.items()})
