"""Who plays the game of `suzaku watch`: any agents, one for all seats or one for each."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from suzaku.agents.agent import Follower, ProgramAgent
from suzaku.agents.make import make_agent, short_names


class Players:
    """The agents of the four seats at one table."""

    def __init__(self, texts: Sequence[str], game: str) -> None:
        """Make the agents: one text for all seats, or four. Seats of the same text share their agent."""
        if len(texts) not in (1, 4):
            raise ValueError(f"give --agent once for all seats, or four times, seat by seat; not {len(texts)} times")
        self.texts = tuple(texts) * 4 if len(texts) == 1 else tuple(texts)
        self.agents = {text: make_agent(text, game) for text in dict.fromkeys(self.texts)}

    def names(self) -> tuple[str, ...]:
        """What to call the seats: the agents, with numbers where several are called alike."""
        return tuple(short_names(self.texts))

    def start(self, table: Any) -> None:
        """Let the agents that remember see a game begin."""
        self._tell(table.record, -1, table.record)

    def choose(self, table: Any) -> int:
        """The action of the seat that is asked. ValueError if it is a program that does not play."""
        agent = self.agents[self.texts[table.seat]]
        record, legal = table.record.reshape(1).copy(), table.legal_mask()[None]
        if isinstance(agent, Follower):
            action = int(agent.act_at(np.zeros(1, np.int64), record, legal).actions[0])
            if isinstance(agent, ProgramAgent) and agent.useless:
                raise ValueError(agent.useless)
            return action
        return int(agent.act(record, legal).actions[0])

    def act(self, table: Any, action: int) -> None:
        """Carry out an action, before the eyes of the agents that remember."""
        before = table.record.reshape(1).copy()[0]
        table.act(action)
        self._tell(before, action, table.record)

    def _tell(self, before: np.record, action: int, after: np.record) -> None:
        for seat, text in enumerate(self.texts):
            agent = self.agents[text]
            if isinstance(agent, Follower):
                agent.follow(0, seat, before, action, after)

    def close(self) -> None:
        """Let the agents go."""
        for agent in self.agents.values():
            agent.close()
