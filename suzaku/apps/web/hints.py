"""Hints for pages: worked out beside the agents' thread, one at a time."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from suzaku.agents.agent import Agent
from suzaku.apps.web.inference import Inference
from suzaku.review.looks import looks_at
from suzaku.review.opinion import only_opinion


class Hints:
    """Works hints out."""

    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self._pool = ThreadPoolExecutor(1, "hints")
        self._looks: dict[str, Any] = {}  # by game

    async def work_out(self, name: str, adviser: Agent, record: np.ndarray, legal: np.ndarray) -> dict[str, Any]:
        """All that can be said of a decision: a table record (an array of one) and what is legal (bool[1, actions])."""
        answers = await self.inference.ask(adviser, record, legal)
        found = looks_at(adviser.game)
        if found is None:
            return only_opinion(name, answers, record, legal[0])
        looks = self._looks.setdefault(adviser.game, found.Looks())
        looked = await asyncio.get_running_loop().run_in_executor(self._pool, looks.look, record, legal[0])
        return found.hint(name, answers, record, legal[0], looked)

    def close(self) -> None:
        """End the thread."""
        self._pool.shutdown(wait=False, cancel_futures=True)
