"""What every player at a table is to the rest of the program: tables with a question in, answers out.

An agent is asked about many tables at once, or about one. The seat that is asked is in the record; an agent reads from
the record only what that seat can see. Answers depend on the tables alone, never on which tables are asked together:
so a match gives the same games however it is divided among processes.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np


@dataclass
class Answers:
    """The answers of an agent to some tables."""

    actions: np.ndarray  # int64[n]: one legal action a table
    scores: np.ndarray | None = None  # float32[n, 120]: the worth of each action in [0, 1], NaN where not considered


class Agent(ABC):
    """A player. Subclasses say what it does in `act`."""

    name = "agent"

    @abstractmethod
    def act(self, records: np.ndarray, legal: np.ndarray) -> Answers:
        """Answer for the seat that is asked on each table (STATE[n], bool[n, 120]); every table asks a seat."""

    def expect_many(self) -> None:  # noqa: B027
        """Hear, before the first question, that many tables will be asked about at once."""

    def close(self) -> None:  # noqa: B027
        """Let go of processes and files."""


class Follower(Agent):
    """A player with a memory, such as a program of its own: it is told all that happens at its tables.

    `follow` is called after every step of every table where it sits (and once when a game begins, with action -1),
    before `act_at` asks about that table. At the end of a round `after` is the next one, already dealt.
    """

    @abstractmethod
    def follow(self, place: int, seat: int, before: np.record, action: int, after: np.record) -> None:
        """Seat `seat` at the table `place` of the match sees one action carried out by `before.seat`."""

    @abstractmethod
    def act_at(self, places: np.ndarray, records: np.ndarray, legal: np.ndarray) -> Answers:
        """Answer for the seat that is asked at each of these places of the match."""


def chance(records: np.ndarray, seed: int) -> np.ndarray:
    """A random number in [0, 1) for each question: the same for the same question of the same game and seed."""
    mixed = np.full(len(records), (seed * 0x9E3779B97F4A7C15 + 1) % 2**64, np.uint64)
    with np.errstate(over="ignore"):
        for part in ("seed", "game", "deal", "discards", "left", "phase", "seat", "offer"):
            mixed = _mix(mixed ^ records[part].astype(np.uint64))
    return (mixed >> np.uint64(11)).astype(np.float64) / 2**53


def _mix(x: np.ndarray) -> np.ndarray:
    """The finaliser of splitmix64."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
