"""The simplest players: random, tsumogiri, and one that only hurries towards a win."""

import numpy as np

from suzaku.agents.agent import Agent, Answers, random_numbers
from suzaku.agents.efficiency import choose
from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.riichi import actions as act


class RandomAgent(Agent):
    """Any legal action, each with the same probability."""

    name = "random"

    def __init__(self, seed: int = 0, game: str = "riichi") -> None:
        self.seed, self.game = seed, game

    def act(self, records: np.ndarray, legal: np.ndarray, streams: np.ndarray | None = None) -> Answers:
        """One of the legal actions at random."""
        counts = legal.sum(1)
        number = (random_numbers(records, self.seed, streams) * counts).astype(np.int64)
        policy = (legal / np.maximum(1, counts)[:, None]).astype(np.float32)
        return Answers((legal.cumsum(1) > number[:, None]).argmax(1), policy, -np.log(counts.astype(np.float32)))


class TsumogiriAgent(Agent):
    """Throws what it draws and claims nothing, not even a win."""

    name = "tsumogiri"

    def act(self, records: np.ndarray, legal: np.ndarray, streams: np.ndarray | None = None) -> Answers:
        """The drawn tile, or a pass; where neither is possible, the first legal action."""
        actions = legal.argmax(1)
        for action in (act.PASS, act.DISCARD_DRAWN):
            actions[legal[:, action]] = action
        return Answers(actions)


class ShantenAgent(Agent):
    """The player of `efficiency.py`: tile efficiency and nothing else."""

    name = "shanten"

    def act(self, records: np.ndarray, legal: np.ndarray, streams: np.ndarray | None = None) -> Answers:
        """The action nearest to a win."""
        actions = np.empty(len(records), np.int64)
        _choose_many(hand_tables(), records, legal, actions)
        return Answers(actions)


@kernel
def _choose_many(tables, records, legal, out):
    for i in range(records.shape[0]):
        out[i] = choose(tables, records[i], legal[i])
