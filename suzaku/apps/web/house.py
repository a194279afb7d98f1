"""What all tables of a server share, and the hints they ask it for."""

import asyncio
import sys
from dataclasses import dataclass, field

import numpy as np

from suzaku.agents.agent import Agent
from suzaku.apps.web.hints import Hints
from suzaku.apps.web.inference import Inference
from suzaku.apps.web.keeper import Keeper
from suzaku.apps.web.protocol import Hint
from suzaku.apps.web.refusal import RefusalError
from suzaku.apps.web.seats import Connection
from suzaku.game import Game


@dataclass
class House:
    """The server as a table sees it."""

    inference: Inference
    keeper: Keeper
    hints: Hints
    advisers: list[str]  # agents that may be asked for hints
    addresses: list[str] = field(default_factory=list)  # where others reach the server
    lasting: bool = True  # tables outlast the server
    _hinting: set[asyncio.Task[None]] = field(default_factory=set)

    async def adviser(self, name: str, game: Game) -> Agent:
        """An agent that may be asked for its opinion of this game. A refusal says why not."""
        self._check_adviser(name, game)
        try:
            agent = await asyncio.to_thread(self.inference.adviser, name, game.name)
        except ValueError:
            raise RefusalError("no_agent", name=name) from None
        if agent.game != game.name:
            raise RefusalError("no_agent", name=name)
        return agent

    def _check_adviser(self, name: str, game: Game) -> None:
        if name not in self.advisers and name != game.usual_agent:
            raise RefusalError("no_agent", name=name)

    def hint(self, connection: Connection, asked: Hint, game: Game, record: np.ndarray, legal: np.ndarray) -> None:
        """Have a hint worked out and sent. A refusal says why not."""
        if connection.busy:
            raise RefusalError("hint_busy")
        name = asked.agent or game.usual_agent
        self._check_adviser(name, game)
        connection.busy = True
        task = asyncio.create_task(self._send_hint(connection, asked, name, game, record, legal))
        self._hinting.add(task)
        task.add_done_callback(self._hinting.discard)

    async def _send_hint(
        self, connection: Connection, asked: Hint, name: str, game: Game, record: np.ndarray, legal: np.ndarray
    ) -> None:
        try:
            found = await self.hints.work_out(name, await self.adviser(name, game), record, legal)
            connection.send({"type": "hint", "ask": asked.ask, "announced": asked.announced, **found})
        except RefusalError as refusal:
            connection.send(refusal.message())
        except Exception as error:
            print(f"suzaku: no hint: {error!r}", file=sys.stderr)
            connection.send(RefusalError("hint_failed").message())
        finally:
            connection.busy = False
