"""What programs of other people have in common as agents, whatever they speak."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable
from typing import Any

from suzaku.agents.agent import Follower


class ProgramAgent(Follower):
    """A program started with a command; its faults are counted and its answers replaced where they must be."""

    command: list[str]
    limits: Any  # how long it may take: `Limits` of `mjai/process.py`
    where: Callable[[int], str]  # what a place is to the user
    faults: Counter[str]

    @abstractmethod
    def starts(self, place: int, seat: int) -> bool:
        """Whether the seat's next answer is the first of a process, which may take as long as a start."""

    @property
    def useless(self) -> str:
        """A sentence if the program does not play at all."""
        return ""
