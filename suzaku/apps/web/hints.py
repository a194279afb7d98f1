"""Hints for pages: worked out beside the agents' thread, one at a time."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from suzaku.apps.web.inference import Inference
from suzaku.review.hints import Looks, hint


class Hints:
    """Works hints out."""

    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self._pool = ThreadPoolExecutor(1, "hints")
        self._looks = Looks()

    async def work_out(self, adviser: str, record: np.ndarray, legal: np.ndarray) -> dict[str, Any]:
        """All that can be said of a decision: a table record (an array of one) and what is legal (bool[1, 120])."""
        answers = await self.inference.ask(await asyncio.to_thread(self.inference.agent, adviser), record, legal)
        loop = asyncio.get_running_loop()
        looked = await loop.run_in_executor(self._pool, self._looks.look, record, legal[0])
        return hint(adviser, answers, record, legal[0], looked)

    def close(self) -> None:
        """End the thread."""
        self._pool.shutdown(wait=False, cancel_futures=True)
