"""What is to be played: the settings of a match, who sits where, and the row of a finished game.

- Who sits where: the games that are played on one deal, so that noise cancels.
- What is to be played: the settings of a match, and the row of a finished game.
"""

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from suzaku.agents.make import cheats
from suzaku.records.formats import check_format, formats_of
from suzaku.seeds import read_seed
from suzaku.table.game import Game, game_named, name_rules, read_rules

# A deal is all the walls of one game. On every deal each entrant sits in every seat equally often.

MODES = ("1v3", "2v2", "4way", "24way")
PAIRS = list(itertools.combinations(range(4), 2))  # the seats of the first entrant in 2v2
SEATINGS = list(itertools.permutations(range(4)))  # of 24way, as the IJCAI competitions of MCR seat
ORDERS = [(0, *rest) for rest in itertools.permutations((1, 2, 3))]  # who sits to whose right in 4way


def usual_mode(entrants: int) -> str:
    """The mode when none is asked for."""
    return "4way" if entrants == 4 else "1v3"


def check_mode(mode: str, entrants: int) -> None:
    """Refuse a mode that does not fit the number of entrants."""
    if mode not in MODES:
        raise ValueError(f"mode {mode!r} is unknown: choose one of {', '.join(MODES)}")
    if mode == "1v3" and entrants < 2:
        raise ValueError("1v3 needs two agents or more: each but the last plays against three of the last")
    if mode == "2v2" and entrants != 2:
        raise ValueError(f"2v2 needs two agents, not {entrants}")
    if mode in ("4way", "24way") and entrants != 4:
        raise ValueError(f"{mode} needs four agents, not {entrants}; one may be named more than once")


def games_a_deal(mode: str, entrants: int) -> int:
    """How many games are played on one deal."""
    return {"1v3": 4 * (entrants - 1), "2v2": len(PAIRS), "4way": 4, "24way": len(SEATINGS)}[mode]


def pairings(mode: str, entrants: int) -> int:
    """How many separate contests a match holds: one for each challenger in 1v3."""
    return entrants - 1 if mode == "1v3" else 1


def seatings(mode: str, entrants: int, deals: np.ndarray) -> np.ndarray:
    """int8[deals, games a deal, 4]: the entrant in each seat."""
    turns = games_a_deal(mode, entrants)
    if mode == "4way":
        # the neighbours change from deal to deal: all six orders come equally often
        table = [[[order[(seat - turn) % 4] for seat in range(4)] for turn in range(4)] for order in ORDERS]
        return np.array(table, np.int8)[np.asarray(deals) % len(ORDERS)]
    if mode == "24way":
        one = [list(order) for order in SEATINGS]
    elif mode == "2v2":
        one = [[0 if seat in pair else 1 for seat in range(4)] for pair in PAIRS]
    else:
        one = [
            [c if seat == own else entrants - 1 for seat in range(4)] for c in range(entrants - 1) for own in range(4)
        ]
    return np.broadcast_to(np.array(one, np.int8), (len(deals), turns, 4))


STORE = "store"  # kept as walls and actions, in a store; any game can be


@dataclass(frozen=True)
class Match:
    """The settings that decide the games. Game `number` is played on deal `number // turns`."""

    agents: tuple[str, ...]
    mode: str
    seed: int = 0
    length: str = ""  # one of the game's; that of the rules if not given
    save: str = ""  # how every game is kept: a format of records, "store", or nothing
    game: str = "riichi"
    rules_text: str = ""  # such as "tenhou,open_tanyao=false" (see `suzaku/table/game.py`); the usual rules if empty

    def __post_init__(self) -> None:
        check_mode(self.mode, len(self.agents))
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
        return games_a_deal(self.mode, len(self.agents))

    @property
    def pairings(self) -> int:
        """Separate contests of the match."""
        return pairings(self.mode, len(self.agents))

    @property
    def names(self) -> tuple[str, ...]:
        """A name for each entrant. An agent named twice gets a number."""
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
        return seatings(self.mode, len(self.agents), numbers // self.turns)[np.arange(len(numbers)), turn]

    def to_json(self) -> dict[str, Any]:
        """The settings as plain data."""
        return {
            "agents": list(self.agents), "mode": self.mode, "seed": self.seed, "length": self.length,
            "save": self.save, "game": self.game, "rules": self.rules_text,
        }  # fmt: skip
