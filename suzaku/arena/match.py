"""What is to be played: the settings of a match, and the row of a finished game."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from suzaku.agents.make import cheats
from suzaku.arena import seating
from suzaku.game import Game, game_named
from suzaku.records.formats.write import check_format, formats_of
from suzaku.rules_text import name_rules, read_rules
from suzaku.seeds import read_seed

STORE = "store"  # kept as walls and actions, in a store; any game can be


@dataclass(frozen=True)
class Match:
    """The settings that decide the games; game `number` is played on deal `number // turns`."""

    agents: tuple[str, ...]
    mode: str
    seed: int = 0
    length: str = ""  # one of the game's; that of the rules if not given
    save: str = ""  # how every game is kept: a format of records, "store", or nothing
    game: str = "riichi"
    rules_text: str = ""  # such as "tenhou,open_tanyao=false" (see `suzaku/rules_text.py`); the usual rules if empty

    def __post_init__(self) -> None:
        seating.check_mode(self.mode, len(self.agents))
        read_seed(self.seed)
        formats = [*formats_of(self.game), STORE]
        if self.save and self.save not in formats:
            raise ValueError(f"format {self.save!r} is unknown: choose one of {', '.join(formats)}")
        check_format(self.game, self.rules, self.save)
        object.__setattr__(self, "length", self.rules.length)
        object.__setattr__(self, "rules_text", name_rules(self.descriptor, self.rules))

    @cached_property
    def descriptor(self) -> Game:
        """The game that is played."""
        return game_named(self.game)

    @cached_property
    def rules(self) -> Any:
        """The rules of the games."""
        return read_rules(self.descriptor, self.rules_text, self.length)

    @cached_property
    def row(self) -> np.dtype:
        """What is kept of a finished game."""
        return np.dtype(
            [
                ("number", "i8"),  # of the game in the match
                ("scores", "i4", (4,)),  # final scores by seat
                ("ranks", "i1", (4,)),  # by seat, 0 = first
                ("hands", self.descriptor.hands, (4,)),  # what each seat did
            ]
        )

    @property
    def turns(self) -> int:
        """Games on one deal."""
        return seating.games_a_deal(self.mode, len(self.agents))

    @property
    def pairings(self) -> int:
        """Separate contests of the match."""
        return seating.pairings(self.mode, len(self.agents))

    @property
    def names(self) -> tuple[str, ...]:
        """A name for each entrant; an agent named twice gets a number."""
        out = []
        for i, agent in enumerate(self.agents):
            again = self.agents[:i].count(agent)
            marked = f"{agent} (cheats)" if cheats(agent) else agent
            out.append(f"{marked} ({again + 1})" if again else marked)
        return tuple(out)

    def deals_for(self, games: int) -> int:
        """How many whole deals give each pairing at least so many games."""
        return -(-games * self.pairings // self.turns)

    def seats(self, numbers: np.ndarray) -> np.ndarray:
        """int8[n, 4]: the entrant in each seat of these games."""
        numbers = np.asarray(numbers, np.int64)
        turn = numbers % self.turns
        return seating.seatings(self.mode, len(self.agents), numbers // self.turns)[np.arange(len(numbers)), turn]

    def to_json(self) -> dict[str, Any]:
        """The settings as plain data."""
        return {
            "agents": list(self.agents), "mode": self.mode, "seed": self.seed, "length": self.length,
            "save": self.save, "game": self.game, "rules": self.rules_text,
        }  # fmt: skip
