"""A match of MCR as it was recorded, whatever the format."""

from dataclasses import dataclass, field

import numpy as np

from suzaku.mcr.botzone import write_tile
from suzaku.mcr.state import PRIVATE, WALL
from suzaku.records.game import RecordError

VERBS = ("DRAW", "PLAY", "CHI", "PENG", "GANG", "ANGANG", "BUGANG", "HU", "HUANG", "FOUL")


@dataclass(slots=True)
class Event:
    """One thing that happened; a chow or pong is followed by its discard as an event of its own."""

    verb: str  # one of VERBS
    seat: int = -1
    tile: int = -1  # drawn, discarded, won on, or of a pong or kong; of a chow its middle tile
    claims: dict[int, str] = field(default_factory=dict)  # by seat: what others answered to a discard or added kong


@dataclass(slots=True)
class Recorded:
    """A match as recorded: one hand."""

    id: str
    source: str  # the file it came from
    format: str
    wind: int
    hands: list[list[int]]  # thirteen tiles a seat, in the order they were taken
    events: list[Event]
    scores: list[int] | None = None  # None: the record does not tell
    fans: list[tuple[str, int]] | None = None  # Chinese name and how often, of the win
    fan: int | None = None  # their total
    wall: np.ndarray | None = None  # int8[144], None if the format does not tell
    players: list[str] = field(default_factory=lambda: [""] * 4)
    error: str = ""  # what Botzone calls a foul: WA, WH, TLE ...

    def full_wall(self) -> np.ndarray:
        """The wall; where it is not known, tiles that nobody has seen fill it up."""
        if self.wall is not None:
            return self.wall
        taken = [[*hand] for hand in self.hands]
        for event in self.events:
            if event.verb == "DRAW":
                taken[event.seat].append(event.tile)
        counts = np.full(34, 4)
        for kind in (kind for one in taken for kind in one):
            counts[kind] -= 1
        for seat, one in enumerate(taken):
            if len(one) > PRIVATE:
                raise RecordError(f"seat {seat} takes {len(one)} tiles, and its part of the wall has {PRIVATE}")
        if counts.min() < 0:
            kind = int(counts.argmin())
            raise RecordError(f"{write_tile(kind)} shows {4 - counts[kind]} times, and there are four of a kind")
        rest = np.repeat(np.arange(34), counts).tolist()
        wall = np.full(WALL, -1, np.int8)
        for seat, one in enumerate(taken):
            while len(one) < PRIVATE:
                one.append(rest.pop())
            wall[PRIVATE * seat : PRIVATE * (seat + 1)] = one[::-1]
        return wall
