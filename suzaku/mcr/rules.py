"""The rules of a game: every switch with its meaning."""

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from suzaku.words import no_rules

LENGTHS = {"hand": 1, "match": 16}  # hands of a game by its length
PRESETS: dict[str, dict[str, Any]] = {
    "botzone": {},  # one hand with four private walls and no flowers, as Botzone and the IJCAI competitions play
    "table": {"duplicate": False, "flowers": True, "hands": 16},  # one wall with flowers, 16 hands, as people play
}


@dataclass(frozen=True)
class Rules:
    """The switches of the rules. The defaults are Botzone's; `Rules.table()` is what people play."""

    hands: int = 1  # hands of a game: 1, or 16 (each of the four winds with each dealer)
    duplicate: bool = True  # four private walls of 34; otherwise all draw from one
    flowers: bool = False  # eight flowers, each worth a fan that does not count towards the minimum; one wall only
    minimum: int = 8  # fan that a win needs, flowers not counted
    mixed_kongs: bool = True  # 5 fan for a concealed and a melded kong, as Botzone counts; not in the official list
    base: int = 8  # points that everybody pays the winner, whatever the hand
    foul: int = 10  # points that a foul costs towards each of the others
    start_score: int = 0  # points of every player at the start

    def __post_init__(self) -> None:
        if self.hands not in LENGTHS.values():
            raise ValueError(f"hands must be 1 or 16, not {self.hands}")
        if self.duplicate and self.flowers:
            raise ValueError("private walls have no flowers: set duplicate=False or flowers=False")
        for name in ("minimum", "base", "foul"):
            if not 0 <= getattr(self, name) <= 1000:
                raise ValueError(f"{name} must be 0 to 1000, not {getattr(self, name)}")
        if abs(self.start_score) > 1_000_000:
            raise ValueError(f"start_score must be at most a million points, not {self.start_score:,}")

    @classmethod
    def preset(cls, name: str, **changes: Any) -> "Rules":
        """The rules of a preset, with these switches changed."""
        if name not in PRESETS:
            raise ValueError(no_rules(name, PRESETS))
        return cls(**{**PRESETS[name], **changes})

    @classmethod
    def botzone(cls, **changes: Any) -> "Rules":
        """One hand with four private walls and no flowers."""
        return cls.preset("botzone", **changes)

    @classmethod
    def table(cls, **changes: Any) -> "Rules":
        """Sixteen hands from one wall with flowers."""
        return cls.preset("table", **changes)

    def with_length(self, length: str) -> "Rules":
        """The same rules for another length, "hand" or "match"."""
        if length not in LENGTHS:
            raise ValueError(f"length {length!r} is unknown: choose one of {', '.join(LENGTHS)}")
        return replace(self, hands=LENGTHS[length])

    @property
    def length(self) -> str:
        """The length of a game, "hand" or "match"."""
        return next(name for name, hands in LENGTHS.items() if hands == self.hands)

    def to_record(self) -> np.ndarray:
        """The rules as they stand inside a table record."""
        record = np.zeros((), RULES)
        for field in fields(self):
            record[field.name] = getattr(self, field.name)
        return record

    @classmethod
    def from_record(cls, record: np.record) -> "Rules":
        """The rules of a table record."""
        return cls(**{f.name: type(getattr(cls, f.name))(record[f.name].item()) for f in fields(cls)})


def chosen_rules(rules: Rules | None, length: str | None) -> Rules:
    """The rules of a new table: Botzone's unless others are given, of another length if one is given."""
    if rules is None:
        rules = Rules.botzone()
    if not isinstance(rules, Rules):
        raise ValueError(f"rules must be such as Rules.table(), not {rules!r}; a seed is given by name: seed=7")
    return rules.with_length(length) if length else rules


RULES = np.dtype([(field.name, "i4") for field in fields(Rules)], align=True)
