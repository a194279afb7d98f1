"""The `heuristic` player of MCR: plans to the table's minimum, their probabilities and worth; no network."""

import numpy as np

from suzaku.agents.agent import Agent, Answers
from suzaku.agents.mcr.heuristic.choose import choose_many
from suzaku.agents.mcr.heuristic.coefficients import coefficients
from suzaku.hand.tables import tables as hand_tables
from suzaku.mcr.actions import ACTIONS
from suzaku.mcr.lookahead.state import SEARCH


class HeuristicAgent(Agent):
    """Follows the plans that promise most, claims when they gain, and avoids what ready opponents may win on."""

    name = "heuristic"
    game = "mcr"

    def __init__(self, **changed: float) -> None:
        self.coefficients = coefficients(**changed)
        self._query = np.zeros(1, SEARCH)[0]

    def act(self, records: np.ndarray, legal: np.ndarray, streams: np.ndarray | None = None) -> Answers:
        """The action that promises most; values are shares of the points of an ordinary win."""
        actions = np.empty(len(records), np.int64)
        values = np.full((len(records), ACTIONS), np.nan, np.float32)
        choose_many(hand_tables(), records, legal, self.coefficients, self._query, actions, values)
        return Answers(actions, values=np.clip(values / self.coefficients["most"], 0.0, 1.0))
