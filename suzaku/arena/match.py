"""What is to be played: the settings of a match, and the row of a finished game."""

from dataclasses import dataclass

import numpy as np

from suzaku.arena import seating
from suzaku.arena.step import HANDS
from suzaku.records.formats.write import WRITERS
from suzaku.riichi.deal import read_seed
from suzaku.riichi.presets import LENGTHS
from suzaku.riichi.rules import Rules

GAME = np.dtype(
    [
        ("number", "i8"),  # of the game in the match
        ("scores", "i4", (4,)),  # final scores by seat
        ("ranks", "i1", (4,)),  # by seat, 0 = first
        ("hands", HANDS, (4,)),  # what each seat did
    ]
)


@dataclass(frozen=True)
class Match:
    """The settings that decide the games; game `number` is played on deal `number // turns`."""

    agents: tuple[str, ...]
    mode: str
    seed: int = 0
    length: str = "hanchan"
    save: str = ""  # the format in which every game is kept, or nothing

    def __post_init__(self) -> None:
        seating.check_mode(self.mode, len(self.agents))
        read_seed(self.seed)
        if self.length not in LENGTHS:
            raise ValueError(f"length {self.length!r} is unknown: choose one of {', '.join(LENGTHS)}")
        if self.save and self.save not in WRITERS:
            raise ValueError(f"format {self.save!r} is unknown: choose one of {', '.join(WRITERS)}")

    @property
    def rules(self) -> Rules:
        """The rules of the games."""
        return Rules.tenhou().with_length(self.length)

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
            out.append(f"{agent} ({again + 1})" if again else agent)
        return tuple(out)

    def deals_for(self, games: int) -> int:
        """How many whole deals give each pairing at least so many games."""
        return -(-games * self.pairings // self.turns)

    def seats(self, numbers: np.ndarray) -> np.ndarray:
        """int8[n, 4]: the entrant in each seat of these games."""
        numbers = np.asarray(numbers, np.int64)
        turn = numbers % self.turns
        return seating.seatings(self.mode, len(self.agents), numbers // self.turns)[np.arange(len(numbers)), turn]
