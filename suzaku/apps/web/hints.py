"""Hints for pages: worked out beside the agents' thread, one at a time."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from suzaku.agents.agent import Agent
from suzaku.apps.web.inference import Inference
from suzaku.review.hints import LOOKED_AT, Looks, hint, only_opinion


class Hints:
    """Works hints out."""

    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self._pool = ThreadPoolExecutor(1, "hints")
        self._looks = Looks()

    async def work_out(self, name: str, adviser: Agent, record: np.ndarray, legal: np.ndarray) -> dict[str, Any]:
        """All that can be said of a decision: a table record (an array of one) and what is legal (bool[1, actions])."""
        answers = await self.inference.ask(adviser, record, legal)
        if adviser.game != LOOKED_AT:
            return only_opinion(name, answers, record, legal[0])
        loop = asyncio.get_running_loop()
        looked = await loop.run_in_executor(self._pool, self._looks.look, record, legal[0])
        return hint(name, answers, record, legal[0], looked)

    def close(self) -> None:
        """End the thread."""
        self._pool.shutdown(wait=False, cancel_futures=True)
