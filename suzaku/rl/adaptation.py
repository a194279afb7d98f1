"""Parametric Monte-Carlo policy adaptation (Suphx 3.4) of one seat in one round.

- Parametric Monte-Carlo policy adaptation (Suphx 3.4) of one seat in one round.
- A policy before and after its adaptation, to look at.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from suzaku.agents.suphx import SuphxAgent
from suzaku.learning.reward import RewardModel
from suzaku.plots import new_figure, save_figure
from suzaku.riichi import actions as act
from suzaku.riichi.actions import ACTION_NAMES
from suzaku.rl.adapt_config import AdaptConfig, Clock
from suzaku.rl.adapt_rollouts import Rollouts, Watched, redrawn, roll_out
from suzaku.rl.adapt_tuner import Tuner
from suzaku.rl.branches import Worth, points, predicted
from suzaku.rl.policy import flow_of
from suzaku.table.tables import take
from suzaku.tiles import NAMES

# 1. Simulation: what the seat cannot see is redrawn, and the round is played to its end; K times.
# 2. Adaptation: the seat's decisions in these trajectories are learnt from by the policy gradient.
# 3. Inference: the seat plays the round with these weights.
#
# The paper rolls out all trajectories with the offline policy. So it is here with `chunk` as large as K; otherwise the
# own seat rolls out a chunk with what it learnt from those before. The other seats keep the offline policy.

# under a limit of time
TRIAL = 16  # trajectories at first
GROWTH = 4  # then at most so many times as many
SAFE = 0.8  # share of the time left that is used
TRAINING = 0  # first number of the seeds of redrawn tables to learn from; those to test on begin otherwise

Tell = Callable[[int, int], None]  # trajectories so far, of how many


def worth_of(config: AdaptConfig) -> Worth:
    """What a round is worth, by the settings."""
    if config.reward == "round":
        return points
    return predicted(RewardModel.load(config.reward_model))


def against_plays(reward: np.ndarray, repeat: int) -> np.ndarray:
    """Rewards, each less the mean of the other plays of its table; of a table played once, less the mean of all."""
    table = np.arange(len(reward)) // repeat
    total, plays = np.bincount(table, reward)[table], np.bincount(table)[table]
    others = (total - reward) / np.maximum(1, plays - 1)
    return np.where(plays > 1, reward - others, reward - reward.mean()).astype(np.float32)


class Adaptation:
    """A policy that is adapted to one seat's round; the offline one stays as it is."""

    def __init__(self, offline: SuphxAgent, config: AdaptConfig, worth: Worth = points) -> None:
        self.offline, self.config, self.worth = offline, config, worth
        self.rolled = 0  # trajectories learnt from
        self.tuner: Tuner | None = None
        self._others = Watched.like(offline)
        self._calls = 0

    def run(
        self, record: np.ndarray, seat: int, rollouts: int, clock: Clock | None = None, tell: Tell | None = None
    ) -> bool:
        """Adapt to a position (STATE[1]) by so many trajectories, or as many as there is time for.

        Whether there was time for all, unless the KL bound was reached before.
        """
        self._calls += 1
        done, part, clock, pace = 0, 0, clock or Clock(), Pace(self.config)
        with one_thread():
            while done < rollouts:
                size = min(pace.size(clock), rollouts - done)
                began = clock.spent()
                found = self.simulate(record, seat, size, part, clock, _from(tell, done, rollouts)) if size else None
                if found is None:
                    return False
                self.learn(found, seat, part, clock)
                pace.took(size, clock.spent() - began)
                done, part = done + size, part + 1
                if self.config.step == "adam" and self.tuner is not None and self.tuner.bound:
                    return True
        return True

    def simulate(
        self,
        record: np.ndarray,
        seat: int,
        size: int,
        part: int = 0,
        clock: Clock | None = None,
        tell: Callable[[int], None] | None = None,
    ) -> Rollouts | None:
        """Trajectories from a position; None if the time was over before."""
        repeat = self.config.repeat
        deals = redrawn(record, seat, -(-size // repeat), (TRAINING, self.config.seed, self._calls, part))
        tables = take(deals, np.arange(size) // repeat)
        own = Watched.like(self._behaviour())
        streams = np.arange(size) % repeat
        return roll_out(own, self._others, tables, seat, streams, self.config.models, clock, tell)

    def learn(self, found: Rollouts, seat: int, part: int = 0, clock: Clock | None = None) -> None:
        """Fine-tune the weights on trajectories."""
        self.rolled += len(found.before)
        if found.decisions is None:
            return
        reward = self.worth(found.before, found.ended)[:, seat].astype(np.float32)
        gained = against_plays(reward, self.config.repeat)
        spread = float(gained.std())
        if not spread:
            return  # nothing made a difference
        if self.tuner is None:
            self.tuner = Tuner(self.offline, self.config)
        flow = flow_of(self._behaviour(), found.decisions, self.config.models, found.planes)
        advantage = (gained / spread)[found.decisions.game]
        self.tuner.learn(flow, advantage, (self.config.seed, self._calls, part), clock or Clock())

    def _behaviour(self) -> SuphxAgent:
        """Who rolls out the trajectories: with steps from the offline weights always these."""
        found = self.player(many=True) if self.config.step == "adam" else self.offline.twin(many=True)
        found.temperature = self.config.temperature
        return found

    def player(self, many: bool) -> SuphxAgent:
        """A player with the weights as they are now."""
        found = self.offline.twin(many)
        if self.tuner is not None:
            found.replace_weights(self.tuner.tensors(), self.tuner.steps)
        return found


class Pace:
    """How many trajectories come next: `chunk`, but under a limit no more than there is time for.

    Trajectories that are not finished in time would be lost, and those that are finished first are not like the others.
    """

    def __init__(self, config: AdaptConfig) -> None:
        self._chunk, self._least, self._next = config.chunk, config.repeat, max(TRIAL, config.repeat)
        self._seconds = 0.0  # of a trajectory, learning included

    def size(self, clock: Clock) -> int:
        """How many to begin now."""
        if not clock.limited:
            return self._chunk
        fits = self._next if not self._seconds else int(SAFE * clock.left() / self._seconds)
        size = min(self._chunk, self._next, fits)
        return size if size >= min(self._least, self._chunk) else 0

    def took(self, size: int, seconds: float) -> None:
        """So long it took."""
        self._seconds, self._next = seconds / size, GROWTH * size


def _from(tell: Tell | None, done: int, rollouts: int) -> Callable[[int], None] | None:
    return None if tell is None else lambda ended: tell(done + ended, rollouts)


@contextmanager
def one_thread() -> Iterator[None]:
    """Let torch compute in this thread alone: adaptation goes on beside other work."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


FAINT = 0.0005  # probabilities that never reach this are not shown


@dataclass
class Change:
    """The probability of an action."""

    action: int
    label: str  # the tile that it throws, or what it is called
    before: float
    after: float

    @property
    def difference(self) -> float:
        """After less before."""
        return self.after - self.before


def changes(record: np.record, legal: np.ndarray, before: np.ndarray, after: np.ndarray) -> list[Change]:
    """The actions of a decision, those whose probability changed most first."""
    found = []
    for action in np.flatnonzero(legal).tolist():
        if max(before[action], after[action]) >= FAINT:
            found.append(Change(action, _label(record, action), float(before[action]), float(after[action])))
    return sorted(found, key=lambda one: -abs(one.difference))


def _label(record: np.record, action: int) -> str:
    if action == act.DISCARD_DRAWN:
        return f"{NAMES[int(record.drawn)]} (drawn)"
    return NAMES[action] if action < act.DISCARD_DRAWN else ACTION_NAMES[action]


def picture(found: list[Change], title: str, path: Path) -> None:
    """Draw the probabilities before and after side by side; the name's ending says in which format."""
    figure = new_figure(max(5.0, 0.6 * len(found) + 2), 3.6)
    axes = figure.add_subplot()
    order = sorted(found, key=lambda one: one.action)
    x = np.arange(len(order))
    axes.bar(x - 0.2, [one.before for one in order], 0.4, label="offline", color="#9aa5b1")
    axes.bar(x + 0.2, [one.after for one in order], 0.4, label="adapted", color="#c8402f")
    axes.set_xticks(x, [one.label for one in order], rotation=30 if len(order) > 6 else 0)
    axes.set(ylabel="probability", ylim=(0, 1), title=title)
    axes.legend()
    save_figure(figure, path)
