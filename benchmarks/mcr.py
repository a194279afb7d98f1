"""MCR: fans, shanten and look-ahead a second on one core, beside PyMahjongGB in the same run.

    python benchmarks/mcr.py

CPU time, best of three. The same random wins of every fan go to both, in the form each takes.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1]))

from suzaku.hand.tables import tables
from suzaku.kernel import kernel
from suzaku.mcr import evaluate_many
from suzaku.mcr.plans import SEARCH
from suzaku.mcr.search import search_plans
from suzaku.mcr.shanten import shanten_many
from tests.mcr import gb
from tests.mcr.random_wins import random_hands, random_wins

HANDS = 20_000
POSITIONS = 1_000
Runs = dict[str, float]


def rate(work: Callable[[], object], n: int) -> float:
    """Hands a second of CPU time, best of three."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return n / best


def bench_fans() -> Runs:
    """The fans of random wins."""
    wins = random_wins(1, HANDS)
    many = {name: np.concatenate([values] * 20) for name, values in wins.items()}
    evaluate_many(**wins)
    runs = {"suzaku": rate(lambda: evaluate_many(**many), 20 * HANDS)}
    try:
        from MahjongGB import MahjongFanCalculator

        given = [gb.arguments(wins, i) for i in range(HANDS)]
        runs["PyMahjongGB"] = rate(lambda: [MahjongFanCalculator(*one) for one in given], HANDS)
    except ImportError:
        pass
    return runs


def bench_shanten() -> Runs:
    """Shanten over all shapes."""
    counts, melds = random_hands(1, HANDS)
    out = np.empty(HANDS, np.int8)
    shanten_many(tables(), counts, melds, out)
    runs = {"suzaku": rate(lambda: shanten_many(tables(), counts, melds, out), HANDS)}
    try:
        import MahjongGB

        given = [
            ((("PENG", "F1", 1),) * int(melds[i]), tuple(gb.TILES[k] for k in range(34) for _ in range(counts[i, k])))
            for i in range(HANDS)
        ]
        runs["PyMahjongGB"] = rate(lambda: [MahjongGB.MahjongShanten(*one) for one in given], HANDS)
    except ImportError:
        pass
    return runs


@kernel
def _search_many(tables, queries):
    for i in range(queries.shape[0]):
        search_plans(tables, queries[i])


def bench_lookahead() -> Runs:
    """Plans of 14 random tiles, as at the beginning of a hand."""
    rng = Random(1)
    queries = np.zeros(POSITIONS, SEARCH)
    for q in queries:
        hand = np.bincount([tile // 4 for tile in rng.sample(range(136), 14)], minlength=34)
        q["minimum"] = 8
        q["hand"], q["unseen"], q["draws"], q["slack"], q["exact"], q["wide"], q["claims"] = (
            hand,
            4 - hand,
            12,
            1,
            1,
            3,
            0.6,
        )
    _search_many(tables(), queries)
    return {"suzaku": rate(lambda: _search_many(tables(), queries), POSITIONS)}


def main() -> None:
    """Measure and print."""
    table = Table("what", "library", "hands/s", "ns a hand", "suzaku is faster by", title="one core, CPU time")
    parts = (("fans", bench_fans()), ("shanten", bench_shanten()), ("look-ahead", bench_lookahead()))
    for what, runs in parts:
        for library, speed in runs.items():
            ratio = "" if library == "suzaku" else f"{runs['suzaku'] / speed:,.1f}x"
            table.add_row(what, library, f"{speed:,.0f}", f"{1e9 / speed:,.0f}", ratio)
    Console().print(table)


if __name__ == "__main__":
    main()
