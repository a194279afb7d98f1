"""The `suphx` player that adapts its policy to every hand it is dealt: `suphx:adapt=K`.

Each seat's adapted weights belong to its table and its round: they are made at the first question of the round (or when
it is dealt, at a table that waits between rounds), and dropped when it is over. The offline weights are never changed.
Whatever goes wrong, and when time is up, the seat plays with what it has: at first the offline policy.
"""

import math
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from suzaku.agents.agent import Answers, Follower
from suzaku.agents.suphx import SuphxAgent
from suzaku.riichi.state import RIICHI_DISCARD, ROUND_OVER
from suzaku.riichi.table import Table
from suzaku.rl.adapt_config import PREFIX, AdaptConfig, Clock, read_adapt
from suzaku.rl.adapt_tuner import NaturalWay, modules_of
from suzaku.rl.adaptation import Adaptation, worth_of
from suzaku.table.tables import take


@dataclass
class Seated:
    """A seat in a round."""

    deal: int
    adaptation: Adaptation
    player: SuphxAgent  # who answers
    discards: int = 0  # of all seats when it adapted last


class AdaptingAgent(SuphxAgent, Follower):
    """The five models at a table, fine-tuned for one round at a time."""

    keeps_time = True

    def __init__(
        self, folder: str | Path, temperature: float = 0.0, seed: int = 0, config: AdaptConfig | None = None
    ) -> None:
        super().__init__(folder, temperature, seed)
        self.config = config or AdaptConfig()
        self.worth = worth_of(self.config)
        self.many = False
        for model in self.models.values():
            model.use_one_thread()  # rollouts go on beside other tables
        self.offline = SuphxAgent.from_models(dict(self.models), temperature, seed)
        self._progress: dict[int, tuple[int, int]] = {}  # of one table
        self._longest = 0.0  # seconds of a piece of the last adaptation
        self._closed = False
        self.failures = 0
        self.seconds["adaptation"] = 0.0
        self._seated: dict[tuple[int, int], Seated] = {}
        if self.config.step == "natural":
            NaturalWay(modules_of(self.offline, self.config.models), self.config)  # too many weights are refused now

    def expect_many(self) -> None:
        """Run the models in the way that is fast for large batches."""
        super().expect_many()
        self.many = True

    # what happens at the tables

    def follow(self, place: int, seat: int, before: np.record, action: int, after: np.record) -> None:
        """Drop what was adapted when the round is over; the next one is adapted to at its first question."""
        known = self._seated.get((place, seat))
        if known is not None and (action < 0 or known.deal != after.deal or after.phase >= ROUND_OVER):
            del self._seated[place, seat]

    def new_round(self, place: int, seat: int, record: np.record) -> None:
        """Adapt to the hand that was dealt, before anything is asked."""
        self._begin(place, seat, np.array([record], record.dtype), self.config.rollouts)

    def _begin(self, place: int, seat: int, record: np.ndarray, rollouts: int) -> Seated:
        """The seat at the start of a round: the offline policy, adapted as far as possible."""
        self._seated.pop((place, seat), None)
        found = Seated(int(record["deal"][0]), Adaptation(self.offline, self.config, self.worth), self.offline)
        self._seated[place, seat] = found
        self._adapt(found, record, seat, rollouts)
        return found

    def _adapt(self, seated: Seated, record: np.ndarray, seat: int, rollouts: int) -> None:
        seated.discards = int(record["discards"][0])
        if self.config.idle or not rollouts:
            return
        began = time.perf_counter()
        self._progress[seat] = 0, rollouts
        try:
            clock = self.clock()
            seated.adaptation.run(record, seat, rollouts, clock, lambda *now: self._tell(seat, now))
            clock.keep_on()  # what comes now is a piece of its own
            if seated.adaptation.tuner is not None:
                seated.player = seated.adaptation.player(self.many)
            if not self.config.more:
                seated.adaptation.tuner = None  # the player has the weights, and nothing more will be learnt
            clock.keep_on()
            self._longest = clock.longest
        except Exception as error:
            seated.adaptation, seated.player = Adaptation(self.offline, self.config, self.worth), self.offline
            self.failures += 1
            if self.failures == 1:
                print(f"suzaku: adaptation failed, the offline policy plays: {error!r}", file=sys.stderr)
        finally:
            self._progress.pop(seat, None)
            self.seconds["adaptation"] += time.perf_counter() - began

    def _tell(self, seat: int, now: tuple[int, int]) -> None:
        self._progress[seat] = now

    @property
    def progress(self) -> dict[int, tuple[int, int]]:  # type: ignore[override]
        """By seat, while it adapts: the trajectories so far, and of how many."""
        return dict(self._progress)

    def clock(self) -> Clock:
        """The limit of an adaptation that begins now."""
        limit = self.config.seconds or math.inf
        longest = min(self._longest, limit) / 2  # one that was disturbed does not count for ever, nor for all
        return Clock(limit, longest, lambda: self._closed)

    # answers

    def act_at(self, places: np.ndarray, records: np.ndarray, legal: np.ndarray) -> Answers:
        """Answer with the weights of each seat's round; adapt first where that was not done, or more is wanted."""
        plain = super().act(records, legal)
        for i, place in enumerate(places.tolist()):
            record, seat = take(records, np.array([i])), int(records["seat"][i])
            seated = self._seated.get((place, seat))
            if seated is None or seated.deal != records["deal"][i]:
                seated = self._begin(place, seat, record, self.config.rollouts)
            elif self.config.more and record["phase"][0] <= RIICHI_DISCARD and record["discards"][0] > seated.discards:
                self._adapt(seated, record, seat, self.config.more)
            if seated.player is not self.offline:
                put(plain, i, seated.player.act(record, legal[i : i + 1]))
        return plain

    def act(self, records: np.ndarray, legal: np.ndarray, streams: np.ndarray | None = None) -> Answers:
        """Answer positions of which nothing came before: each is adapted to by itself, and then forgotten."""
        found = super().act(records, legal, streams)
        assert found.policy is not None
        found.before = found.policy.copy()
        for i in range(len(records)):
            record = take(records, np.array([i]))
            seated = self._begin(-1, int(records["seat"][i]), record, self.config.rollouts or self.config.more)
            del self._seated[-1, int(records["seat"][i])]
            if seated.player is not self.offline:
                stream = None if streams is None else streams[i : i + 1]
                put(found, i, seated.player.act(record, legal[i : i + 1], stream))
        return found

    def forget(self, place: int) -> None:
        """Drop what was adapted at a table."""
        for key in [key for key in self._seated if key[0] == place]:
            del self._seated[key]

    def warm_up(self) -> None:
        """Load all that rolling out and learning need, by a few trajectories that seem to differ in what they gain."""
        table = Table(seed=1).record.reshape(1)
        self.offline.act(table, Table(seed=1).legal_mask()[None])
        self.worth(table, table)
        few = Adaptation(self.offline, replace(self.config, chunk=4, repeat=2), _all_different)
        few.run(table, 0, 4)
        few.player(self.many)

    def close(self) -> None:
        """Drop all that was adapted; one that goes on in another thread ends."""
        self._closed = True
        self._seated.clear()


def _all_different(before: np.ndarray, ended: np.ndarray) -> np.ndarray:
    return np.repeat(np.arange(len(ended), dtype=np.float64)[:, None], 4, 1)


def make(folder: str | Path, temperature: float, seed: int, settings: Mapping[str, str]) -> SuphxAgent:
    """The player of some settings `adapt`, `adapt_NAME`; the plain one if they adapt nothing."""
    config = read_adapt({f"{PREFIX}_seed": str(seed), **settings})
    return SuphxAgent(folder, temperature, seed) if config.idle else AdaptingAgent(folder, temperature, seed, config)


def put(answers: Answers, row: int, one: Answers) -> None:
    """Put the one answer of another player into a row."""
    for name in ("actions", "policy", "log_prob"):
        getattr(answers, name)[row] = getattr(one, name)[0]


def warm_up() -> None:
    """Adaptation."""
    from suzaku.agents.agent import try_out
    from suzaku.agents.make import make_agent

    try_out(make_agent("suphx:adapt=4"))
