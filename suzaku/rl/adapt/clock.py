"""A limit of time that is kept: whether another piece of work fits in, reckoned from the longest piece so far."""

import math
from collections.abc import Callable
from time import monotonic


class Clock:
    """Asked before every piece of work; a piece is what happens between two questions."""

    def __init__(
        self, seconds: float = math.inf, longest: float = 0.0, stopped: Callable[[], bool] = lambda: False
    ) -> None:
        """`longest` is what a piece took before, where that is known; once `stopped`, time is up."""
        self._began = self._asked = monotonic()
        self._stopped = stopped
        self._end = self._began + seconds
        self.longest = longest

    @property
    def limited(self) -> bool:
        """Whether there is a limit."""
        return self._end < math.inf

    def spent(self) -> float:
        """The seconds that are gone."""
        return monotonic() - self._began

    def left(self) -> float:
        """The seconds that are left."""
        return self._end - monotonic()

    def keep_on(self) -> bool:
        """Whether there is time for another piece as long as the longest so far."""
        now = monotonic()
        self.longest = max(self.longest, now - self._asked)
        self._asked = now
        return now + self.longest <= self._end and not self._stopped()
