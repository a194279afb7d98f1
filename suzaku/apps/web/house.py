"""What all tables of a server share, and the hints they ask it for."""

import asyncio
import sys
from dataclasses import dataclass, field

import numpy as np

from suzaku.apps.web.hints import Hints
from suzaku.apps.web.inference import DEFAULT, Inference
from suzaku.apps.web.keeper import Keeper
from suzaku.apps.web.refusal import RefusalError
from suzaku.apps.web.seats import Connection


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

    def hint(self, connection: Connection, ask: int, agent: str, record: np.ndarray, legal: np.ndarray) -> None:
        """Have a hint worked out and sent. A refusal says why not."""
        if connection.busy:
            raise RefusalError("hint_busy")
        adviser = agent or DEFAULT
        if adviser not in self.advisers:
            raise RefusalError("no_agent", name=adviser)
        connection.busy = True
        task = asyncio.create_task(self._send_hint(connection, ask, adviser, record, legal))
        self._hinting.add(task)
        task.add_done_callback(self._hinting.discard)

    async def _send_hint(
        self, connection: Connection, ask: int, adviser: str, record: np.ndarray, legal: np.ndarray
    ) -> None:
        try:
            found = await self.hints.work_out(adviser, record, legal)
            connection.send({"type": "hint", "ask": ask, **found})
        except Exception as error:
            print(f"suzaku: no hint: {error!r}", file=sys.stderr)
            connection.send(RefusalError("hint_failed").message())
        finally:
            connection.busy = False
