"""The `heuristic` player: rules and measured probabilities, no network. The yardstick for everything that learns."""

import numpy as np

from suzaku.agents.agent import Agent, Answers
from suzaku.agents.heuristic.action_value import VIEW
from suzaku.agents.heuristic.call import choose_claim
from suzaku.agents.heuristic.placement import BEST
from suzaku.agents.heuristic.turn import choose_turn
from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.lookahead.patterns import patterns as win_patterns
from suzaku.lookahead.state import SEARCH
from suzaku.riichi.actions import ACTIONS
from suzaku.riichi.state import CLAIM, STATE


class HeuristicAgent(Agent):
    """Weighs the probability to win against the danger of every tile, by the places it leads to."""

    name = "heuristic"

    def __init__(self) -> None:
        self._view = np.zeros(1, VIEW)[0]
        self._query = np.zeros(1, SEARCH)[0]
        self._work = np.zeros(1, STATE)

    def act(self, records: np.ndarray, legal: np.ndarray, streams: np.ndarray | None = None) -> Answers:
        """The action of the highest worth; values are the share of opponents the seat expects to end ahead of."""
        actions = np.empty(len(records), np.int64)
        values = np.full((len(records), ACTIONS), np.nan, np.float32)
        choose_many(hand_tables(), win_patterns(), records, legal, self._view, self._query, self._work, actions, values)
        return Answers(actions, values=values)


@kernel
def choose_many(tables, patterns, records, legal, v, q, work, actions, values):
    """Answer for the asked seat of each table."""
    for i in range(records.shape[0]):
        s = records[i]
        if s.phase >= CLAIM:
            actions[i] = choose_claim(tables, patterns, s, legal[i], v, q, work, values[i])
        else:
            actions[i] = choose_turn(tables, patterns, s, legal[i], v, q, work, values[i])
        for action in range(values.shape[1]):
            if not np.isnan(values[i, action]):
                values[i, action] = min(1.0, max(0.0, values[i, action] / BEST))
