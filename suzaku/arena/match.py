"""What is to be played: the settings of a match, who sits where, and the row of a finished game.

- Who sits where: the games that are played on one deal, so that noise cancels.
- What is to be played: the settings of a match, and the row of a finished game.
"""

import itertools
import math
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from suzaku.agents.make import cheats
from suzaku.records.formats import check_format, formats_of
from suzaku.seeds import read_seed
from suzaku.table.game import Game, game_named, name_rules, read_rules

# A deal is all the walls of one game. On every deal each entrant sits in every seat equally often.

PAIRS = list(itertools.combinations(range(4), 2))  # the seats of the first entrant in 2v2


def modes(seats: int = 4) -> tuple[str, ...]:
    """The modes of a game: one against the rest, two against two, all rotations, all seatings (as in the IJCAI's)."""
    two = ("2v2",) if seats == 4 else ()
    return f"1v{seats - 1}", *two, f"{seats}way", f"{math.factorial(seats)}way"


def usual_mode(entrants: int, seats: int = 4) -> str:
    """The mode when none is asked for."""
    return f"{seats}way" if entrants == seats else f"1v{seats - 1}"


def check_mode(mode: str, entrants: int, seats: int = 4) -> None:
    """Refuse a mode that does not fit the number of entrants."""
    if mode not in modes(seats):
        raise ValueError(f"mode {mode!r} is unknown: choose one of {', '.join(modes(seats))}")
    number = {3: "three", 4: "four"}
    if mode.startswith("1v") and entrants < 2:
        rest = number.get(seats - 1, seats - 1)
        raise ValueError(f"{mode} needs two agents or more: each but the last plays against {rest} of the last")
    if mode == "2v2" and entrants != 2:
        raise ValueError(f"2v2 needs two agents, not {entrants}")
    if mode.endswith("way") and entrants != seats:
        needed = number.get(seats, seats)
        raise ValueError(f"{mode} needs {needed} agents, not {entrants}; one may be named more than once")


def seatings(mode: str, entrants: int, deals: np.ndarray, seats: int = 4) -> np.ndarray:
    """int8[deals, games a deal, seats]: the entrant in each seat."""
    found = _seatings(mode, entrants, seats)
    return found[np.asarray(deals) % len(found)]


@cache
def _seatings(mode: str, entrants: int, seats: int) -> np.ndarray:
    """The same for the first deals, from which the others follow in turn."""
    places = range(seats)
    if mode == f"{seats}way":  # the neighbours change from deal to deal: all orders come equally often
        orders = [(0, *rest) for rest in itertools.permutations(range(1, seats))]
        found = [[[order[(seat - turn) % seats] for seat in places] for turn in places] for order in orders]
    elif mode.endswith("way"):
        found = [[list(order) for order in itertools.permutations(places)]]
    elif mode == "2v2":
        found = [[[0 if seat in pair else 1 for seat in places] for pair in PAIRS]]
    else:
        last = entrants - 1
        found = [[[c if seat == own else last for seat in places] for c in range(last) for own in places]]
    return np.array(found, np.int8)


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
        check_mode(self.mode, len(self.agents), self.descriptor.seats)
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
        seats = (self.descriptor.seats,)
        return np.dtype(
            [
                ("number", "i8"),  # of the game in the match
                ("scores", "i4", seats),  # final scores by seat
                ("ranks", "i1", seats),  # by seat, 0 = first
                ("hands", self.descriptor.hands, seats),  # what each seat did
            ]
        )

    @property
    def turns(self) -> int:
        """Games on one deal."""
        return _seatings(self.mode, len(self.agents), self.descriptor.seats).shape[1]

    @property
    def one_against_rest(self) -> bool:
        """Whether each agent but the last plays against the last in all other seats."""
        return self.mode.startswith("1v")

    @property
    def pairings(self) -> int:
        """Separate contests of the match: one for each challenger, where one plays against the rest."""
        return len(self.agents) - 1 if self.one_against_rest else 1

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
        """int8[n, seats]: the entrant in each seat of these games."""
        deals, turns = np.divmod(np.asarray(numbers, np.int64), self.turns)
        found = seatings(self.mode, len(self.agents), deals, self.descriptor.seats)
        return found[np.arange(len(found)), turns]

    def to_json(self) -> dict[str, Any]:
        """The settings as plain data."""
        return {
            "agents": list(self.agents), "mode": self.mode, "seed": self.seed, "length": self.length,
            "save": self.save, "game": self.game, "rules": self.rules_text,
        }  # fmt: skip
