"""Speed of the Riichi engine on one thread, with ratios against riichienv in the same run, by CPU time.

python benchmarks/engine.py [--quick]
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time

import numpy as np
from rich.console import Console
from rich.table import Table as RichTable

from suzaku.riichi import STATE, Tables, random_rollouts

try:
    import riichienv
except ImportError:
    riichienv = None

START = "import numpy as np; from suzaku.riichi import Tables; t = Tables(2); t.step(np.argmax(t.legal, 1))"
WARM = START + "; t.play_random(1); from suzaku.riichi import *; random_rollouts(t.records[0], 0, 1)"


def choose(legal: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A random legal action for every row of the mask, in NumPy."""
    flat = np.flatnonzero(legal)
    counts = legal.sum(1)
    return flat[np.cumsum(counts) - counts + (rng.random(len(counts)) * counts).astype(np.int64)] % legal.shape[1]


def numpy_play(n: int, steps: int) -> dict[str, float]:
    """Random play through `Tables.step`, the actions chosen in NumPy."""
    tables, rng = Tables(n, seed=1), np.random.default_rng(1)
    tables.play_random(3000)  # so that the tables stand in the middle of their games
    tables.step(choose(tables.legal, rng))
    rounds = games = 0
    start = time.process_time()
    for _ in range(steps):
        tables.step(choose(tables.legal, rng))
        rounds += int(tables.round_ended.sum())
        games += len(tables.finished)
    seconds = time.process_time() - start
    return {"decisions": n * steps / seconds, "rounds": rounds / seconds, "games": games / seconds}


def kernel_play(n: int, steps: int) -> dict[str, float]:
    """Random play with the choice inside the kernel."""
    tables = Tables(n, seed=1)
    tables.play_random(3000)
    start = time.process_time()
    rounds, games = tables.play_random(steps)
    seconds = time.process_time() - start
    return {"decisions": n * steps / seconds, "rounds": rounds / seconds, "games": games / seconds}


def two_threads(n: int, steps: int) -> float:
    """How many times faster `Tables` is with two threads, by wall time: the median of five alternating runs."""
    ratios = []
    for _ in range(5):
        seconds = []
        for threads in (1, 2):
            tables = Tables(n, seed=1, threads=threads)
            start = time.perf_counter()
            tables.play_random(steps)
            seconds.append(time.perf_counter() - start)
        ratios.append(seconds[0] / seconds[1])
    return float(np.median(ratios))


def rollouts(n: int) -> float:
    """Rollouts a second, from the first decision of a round (the longest ones)."""
    record = Tables(1, seed=3).records[0]
    random_rollouts(record, 0, 10)
    start = time.process_time()
    random_rollouts(record, 0, n)
    return n / (time.process_time() - start)


def copying(n: int) -> float:
    """Nanoseconds to copy a table within a working set of some thousand tables."""
    records = np.zeros(1000, STATE)
    target = records.copy()
    start = time.process_time()
    for _ in range(n):
        target[:] = records
    return (time.process_time() - start) / n / 1000 * 1e9


def peer_play(games: int) -> dict[str, float]:
    """Random play in riichienv."""
    rng = random.Random(1)
    env = riichienv.RiichiEnv(
        game_mode="4p-red-half", seed=1, rule=riichienv.GameRule.default_tenhou(), skip_mjai_logging=True
    )
    observations = env.reset()
    decisions = rounds = done = 0
    now = None
    start = time.process_time()
    while done < games:
        actions = {}
        for seat, observation in observations.items():
            legal = observation.legal_actions()
            if legal:
                actions[seat] = rng.choice(legal)
                decisions += 1
        observations = env.step(actions)
        if env.done():
            done += 1
            observations = env.reset()
        if now != (env.round_wind, env.kyoku_idx, env.honba):
            now = (env.round_wind, env.kyoku_idx, env.honba)
            rounds += 1
    seconds = time.process_time() - start
    return {"decisions": decisions / seconds, "rounds": rounds / seconds, "games": games / seconds}


def peer_rollouts(n: int) -> float:
    """Clone, redraw hidden tiles and random play to the end of the round in riichienv."""
    rng = random.Random(1)
    root = riichienv.RiichiEnv(
        game_mode="4p-red-half", seed=3, rule=riichienv.GameRule.default_tenhou(), skip_mjai_logging=True
    )
    root.reset()
    start = time.process_time()
    for _ in range(n):
        env = root.clone()
        hands, wall = env.hands, env.wall
        pool = hands[1] + hands[2] + hands[3] + wall
        rng.shuffle(pool)
        env.hands = [hands[0], sorted(pool[:13]), sorted(pool[13:26]), sorted(pool[26:39])]
        env.wall = pool[39:]
        now = (env.round_wind, env.kyoku_idx, env.honba)
        observations = env.get_observations()
        while not env.done() and now == (env.round_wind, env.kyoku_idx, env.honba):
            actions = {}
            for seat, observation in observations.items():
                legal = observation.legal_actions()
                if legal:
                    actions[seat] = rng.choice(legal)
            observations = env.step(actions)
    return n / (time.process_time() - start)


def starts() -> tuple[float, float]:
    """Seconds of a first start (everything is compiled) and of a second one, in new processes."""
    with tempfile.TemporaryDirectory() as folder:
        seconds = []
        for code in (WARM, START):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "SUZAKU_CACHE": folder})
            seconds.append(time.perf_counter() - start)
    return seconds[0], seconds[1]


def main() -> None:
    """Measure and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the work, and no compile time")
    part = 10 if parser.parse_args().quick else 1
    rows: list[tuple[str, str, str, str]] = []

    def row(name: str, ours: float, peer: float | None, unit: str) -> None:
        ratio = f"{ours / peer:.1f}x" if peer else ""
        rows.append((name, f"{ours:,.0f} {unit}", f"{peer:,.0f} {unit}" if peer else "", ratio))

    peer = peer_play(200 // part) if riichienv else {}
    in_numpy, in_kernel = numpy_play(1024, 2000 // part), kernel_play(1024, 5000 // part)
    for name, ours in (("actions chosen in NumPy", in_numpy), ("actions chosen in a kernel", in_kernel)):
        for unit in ("decisions", "rounds", "games"):
            row(f"random play, {name}", ours[unit], peer.get(unit), f"{unit}/s")
    row(
        "rollouts from the start of a round",
        rollouts(50000 // part),
        peer_rollouts(2000 // part) if riichienv else None,
        "/s",
    )
    row("copying a table", copying(2000 // part), None, "ns")
    row("memory of a table", STATE.itemsize, None, "bytes")
    rows.append(("two threads against one", f"{two_threads(1024, 3000 // part):.2f}x", "", ""))
    if part == 1:
        cold, warm = starts()
        rows.append(("first start, all kernels compiled", f"{cold:.1f} s", "", ""))
        rows.append(("second start", f"{warm:.1f} s", "", ""))

    table = RichTable(title="Riichi engine, one thread")
    for column in ("", "suzaku", "riichienv", "ratio"):
        table.add_column(column, justify="left" if not column else "right")
    for cells in rows:
        table.add_row(*cells)
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
