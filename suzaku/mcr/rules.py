"""The rules of a game: every switch with its meaning."""

from dataclasses import dataclass
from typing import Any, ClassVar

from suzaku.table.rules import TableRules

LENGTHS = {"hand": 1, "match": 16}  # hands of a game by its length
PRESETS: dict[str, dict[str, Any]] = {
    "botzone": {},  # one hand with four private walls and no flowers, as Botzone and the IJCAI competitions play
    "table": {"duplicate": False, "flowers": True, "hands": 16},  # one wall with flowers, 16 hands, as people play
}


@dataclass(frozen=True)
class Rules(TableRules):
    """The switches of the rules. The defaults are Botzone's; `Rules.table()` is what people play."""

    presets: ClassVar = PRESETS
    lengths: ClassVar = LENGTHS
    length_switch: ClassVar = "hands"

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
    def botzone(cls, **changes: Any) -> "Rules":
        """One hand with four private walls and no flowers."""
        return cls.preset("botzone", **changes)

    @classmethod
    def table(cls, **changes: Any) -> "Rules":
        """Sixteen hands from one wall with flowers."""
        return cls.preset("table", **changes)


RULES = Rules.dtype()
