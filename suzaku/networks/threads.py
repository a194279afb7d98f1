"""Kernels beside torch, on as many threads as torch uses."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import torch


def in_parts(n: int, work: Callable[[int, int, int], None]) -> None:
    """Share n things among threads: work(part, start, end)."""
    parts = torch.get_num_threads()
    ends = [n * i // parts for i in range(parts + 1)]
    if parts == 1:
        work(0, 0, n)
    else:
        list(_threads(parts).map(work, range(parts), ends[:-1], ends[1:]))


@cache
def _threads(number: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(number, "kernels beside torch")
