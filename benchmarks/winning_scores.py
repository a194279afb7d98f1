"""One-player hands a second on one core: the baseline, a learnt player, learning; beside whole rounds of the engine.

    python benchmarks/winning_scores.py [HANDS]

CPU time, best of three. The peer is a closed-hand player at the engine's own table (`shanten`, three opponents that
discard what they draw): what one-player hands would cost without kernels of their own.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table as Grid

sys.path.insert(0, str(Path(__file__).parents[1]))

from suzaku.agents.simple import choose
from suzaku.hand.tables import tables
from suzaku.riichi import actions as act
from suzaku.riichi.table import Table
from suzaku.winning_scores.learner import WinningConfig, WinningLearner, success
from suzaku.winning_scores.model import load_model
from suzaku.winning_scores.play import DRAWING, ONE_PLAYER


def rate(work: Callable[[int], object], hands: int) -> float:
    """Hands a second of CPU time, best of three."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        work(hands)
        best = min(best, time.process_time() - start)
    return hands / best


def engine_hands(count: int) -> None:
    """Rounds at the engine's table, one decision at a time."""
    for seed in range(count):
        table = Table(seed=seed)
        while not table.round_over:
            legal = table.legal_mask()
            if table.seat == 0:
                table.act(int(choose(tables(), table.record, legal)))
            else:
                table.act(act.PASS if legal[act.PASS] else act.DISCARD_DRAWN)


def main(hands: int) -> None:
    """Measure and print."""
    models = {name: load_model(name) for name in ("mcp", "bcp")}
    work: dict[str, Callable[[int], object]] = {}
    for told, opponents in (("drawing", DRAWING), ("one-player", ONE_PLAYER)):
        for aim in (1, 4):
            work[f"baseline, aim {aim}, {told} opponents"] = (
                lambda n, aim=aim, opponents=opponents: success(None, aim, opponents, n, 1)  # type: ignore[misc]
            )
        for name, model in models.items():
            work[f"{name}, aim 1, {told} opponents"] = (
                lambda n, model=model, opponents=opponents: success(model, 1, opponents, n, 1)  # type: ignore[misc]
            )
    for told in ("drawing", "one-player"):
        learner = WinningLearner(WinningConfig(opponents=told, baseline=0))
        learner.start_from(models["mcp"].weights)
        work[f"mcp learns, {told} opponents"] = lambda n, learner=learner: learner.learn((0, n), 0)  # type: ignore[misc]
    for run in (*work.values(), engine_hands):
        run(2)  # compiles
    peer = rate(engine_hands, max(1, hands // 200))
    grid = Grid("one-player hands", "a second", "to the engine's table")
    for name, run in work.items():
        found = rate(run, hands)
        grid.add_row(name, f"{found:,.0f}", f"{found / peer:,.0f}x")
    grid.add_row("shanten at the engine's table, drawing opponents", f"{peer:,.0f}", "1x")
    Console(width=100).print(grid)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
