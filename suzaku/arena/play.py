"""Playing a match: games out to the workers, results in, until there are enough."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from suzaku.arena.log import Log
from suzaku.arena.match import Match
from suzaku.arena.ranks import count_places, mean_ranks
from suzaku.arena.spread import mean_interval
from suzaku.arena.table_worker import Clock, Reply
from suzaku.arena.workers import TableWorkers, hand_out

LOOK = 16  # deals between two looks at the interval
LEAST = 32  # deals before the first look: of fewer, the interval itself is uncertain


@dataclass
class Played:
    """What a match has come to."""

    match: Match
    rows: np.ndarray  # [deals, turns]: the deals that count
    clocks: dict[str, Clock]  # by agent, earlier runs included
    seconds: float  # of work of all workers in this run
    rules: float  # of these, in the rules
    new: int  # games played in this run
    complete: bool  # False: interrupted


class Play:
    """A match being played.

    With `until`, the interval is looked at after every 16 deals in their order, and the match ends at the first that
    is narrow enough: the same one, whoever played the games and in which order they came in. Where the log holds more
    deals than the games asked for, all of them count.
    """

    def __init__(self, match: Match, log: Log, games: int, until: float | None = None) -> None:
        self.match, self.log, self.until = match, log, until
        self.deals = max(match.deals_for(games), log.whole)
        self.before = log.games
        self._looked = LEAST - LOOK
        self._enough = False
        self._means = np.zeros((0, len(match.agents)))  # average ranks by deal, of the deals from the first on
        self._replies: dict[tuple[int, int], Reply] = {}  # the last of each worker

    @property
    def total(self) -> int:
        """The games of the match."""
        return self.deals * self.match.turns

    @property
    def finished(self) -> int:
        """How many of them are finished; the log may hold others, of a match that was to be longer."""
        return self.log.finished(self.total)

    def run(self, workers: TableWorkers, tell: Callable[["Play"], None] | None = None) -> Played:
        """Play to the end; Ctrl-C ends it with what was played."""
        complete = True
        try:
            self._run(workers, tell)
        except KeyboardInterrupt:
            complete = False
        finally:
            clocks = self._clocks()
            self.log.close(clocks)
        seconds = sum(reply.seconds for reply in self._replies.values())
        rules = sum(reply.rules for reply in self._replies.values())
        rows = self.log.deals(0, self._looked if self._enough else self.deals)
        return Played(self.match, rows, clocks, seconds, rules, self.log.games - self.before, complete)

    def intervals(self, deals: int) -> list[tuple[str, float, float]]:
        """Name, average rank on the first deals and half of its 95 % interval: of each challenger, or of all."""
        match = self.match
        names = match.names[:-1] if match.mode == "1v3" else match.names
        means = self._means[:deals]
        return [(name, *mean_interval(means[:, i])) for i, name in enumerate(names) if len(means) > 1]

    def _run(self, workers: TableWorkers, tell: Callable[["Play"], None] | None) -> None:
        self._look()
        for worker, reply in hand_out(
            workers, self._numbers(), lambda: -(-(self.total - self.finished) // workers.count)
        ):
            self._replies[worker] = reply
            if len(reply.games):
                self.log.add(reply.games, reply.texts, reply.stored)
                self._look()
            if tell:
                tell(self)
            if self._enough:
                break

    def _numbers(self) -> Iterator[int]:
        """The games that are still to be played."""
        for deal in range(self.deals):
            numbers = np.arange(deal * self.match.turns, (deal + 1) * self.match.turns)
            yield from self.log.missing(numbers).tolist()

    def _look(self) -> None:
        """Take in new deals, and see whether the interval is narrow enough after one of those that are due."""
        new = self.log.deals(len(self._means), self.log.whole)
        if len(new):
            self._means = np.concatenate([self._means, mean_ranks(count_places(self.match, new))])
        while self.until is not None and not self._enough and self._looked + LOOK <= min(self.log.whole, self.deals):
            self._looked += LOOK
            self._enough = all(half <= self.until for _, _, half in self.intervals(self._looked))

    def _clocks(self) -> dict[str, Clock]:
        """The clocks of all workers and of earlier runs together."""
        out: dict[str, Clock] = {}
        for clocks in [self.log.clocks, *(reply.clocks for reply in self._replies.values())]:
            for name, clock in clocks.items():
                total = out.setdefault(name, Clock())
                total.seconds += clock.seconds
                total.asked += clock.asked
                for key, seconds in clock.parts.items():
                    total.parts[key] = total.parts.get(key, 0) + seconds
                for key, n in clock.faults.items():
                    total.faults[key] = total.faults.get(key, 0) + n
        return out
