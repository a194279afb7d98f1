"""Rules as a table knows them: presets, lengths, and the record of their switches."""

from dataclasses import fields, replace
from functools import cache
from typing import Any, ClassVar, TypeVar

import numpy as np

from suzaku.system import no_rules

R = TypeVar("R", bound="TableRules")


class TableRules:
    """What the rules of all games can do. Those of a game are a frozen dataclass of switches with defaults."""

    presets: ClassVar[dict[str, dict[str, Any]]]  # by name: the switches that differ from the defaults; the usual first
    lengths: ClassVar[dict[str, int]]  # by name: the value of `length_switch`
    length_switch: ClassVar[str]

    @classmethod
    def preset(cls: type[R], name: str, **changes: Any) -> R:
        """The rules of a preset, with these switches changed."""
        if name not in cls.presets:
            raise ValueError(no_rules(name, cls.presets))
        return cls(**{**cls.presets[name], **changes})

    @classmethod
    def chosen(cls: type[R], rules: R | None, length: str | None) -> R:
        """The rules of a new table: the usual ones unless others are given, of another length if one is given."""
        usual = next(iter(cls.presets))
        if rules is None:
            rules = cls.preset(usual)
        if not isinstance(rules, cls):
            raise ValueError(f"rules must be such as Rules.{usual}(), not {rules!r}; a seed is given by name: seed=7")
        return rules.with_length(length) if length else rules

    def with_length(self: R, length: str) -> R:
        """The same rules for another length of a game, by its name."""
        if length not in self.lengths:
            raise ValueError(f"length {length!r} is unknown: choose one of {', '.join(self.lengths)}")
        return replace(self, **{self.length_switch: self.lengths[length]})  # type: ignore[type-var]

    @property
    def length(self) -> str:
        """The length of a game by its name."""
        value = getattr(self, self.length_switch)
        return next(name for name, switch in self.lengths.items() if switch == value)

    @classmethod
    @cache
    def dtype(cls) -> np.dtype:
        """The switches as they stand inside a table record: a number each, or several."""
        usual = {field.name: field.default for field in fields(cls)}  # type: ignore[arg-type]
        shapes = {name: (len(value),) if isinstance(value, tuple) else () for name, value in usual.items()}
        return np.dtype([(name, "i4", shape) for name, shape in shapes.items()], align=True)

    def to_record(self) -> np.ndarray:
        """The rules as they stand inside a table record."""
        record = np.zeros((), self.dtype())
        for name in record.dtype.names or ():
            record[name] = getattr(self, name)
        return record

    @classmethod
    def from_record(cls: type[R], record: np.record) -> R:
        """The rules of a table record."""
        values: dict[str, Any] = {}
        for name in cls.dtype().names or ():
            value = record[name].tolist()
            values[name] = tuple(value) if isinstance(value, list) else type(getattr(cls, name))(value)
        return cls(**values)
