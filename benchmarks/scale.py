"""What self-play costs, and where more workers stop helping: python benchmarks/scale.py [--start weak] [--games 60].

First it measures, on one core: the seconds a game takes to play and to learn from, and the bytes that travel for it.
Then it simulates the queues of a run with 1 to 1,000 workers: orders with weights go out through the learner's network,
games come back, the learner takes an iteration when all of its games are there. Replaying and encoding these games is
the work of one thread, whatever the machine. --learner N is a learner whose networks run N times as fast as on this
core (more cores, a graphics card), --network the bytes a second of the learner's connection.
"""

import argparse
import heapq
import pickle
import tempfile
import time
import tracemalloc
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from suzaku.rl.buffer import ReplayBuffer
from suzaku.rl.config import RlConfig
from suzaku.rl.learner import Reinforcement
from suzaku.rl.self_play import Actor, Order
from suzaku.workers import Here


@dataclass
class Costs:
    """What a game costs."""

    play: float  # processor seconds of a worker
    prepare: float  # processor seconds of the learner's one thread that replays and encodes
    networks: float  # processor seconds of the learner's networks on one core
    decisions: float  # that are learnt from
    game_bytes: float  # from the worker to the learner, its share of the snapshot included
    kept_bytes: float  # in the buffer, as they would be written
    held_bytes: float  # of memory, in a buffer of many
    order_bytes: float  # to a worker, for each iteration


def held(stored: bytes, games: int, kept: int) -> float:
    """Bytes of memory that each of `kept` games takes in a replay buffer."""
    buffer = ReplayBuffer(Path("nowhere"), 1)
    times = -(-kept // games)
    tracemalloc.start()
    buffer.add(0, [game for _ in range(times) for game in pickle.loads(stored)])
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return taken / (games * times)


def measure(start: str, games: int, tables: int, kept: int = 10_000) -> Costs:
    """Play some games and learn from them, on one core."""
    import torch

    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        learner = Reinforcement(
            RlConfig(start=start, games=games, tables=tables, value_first=0, workers=0), Path(folder)
        )
        learner.begin(0)
        actors = learner.self_play.actors
        assert isinstance(actors, Here)
        actor: Actor = actors.worker
        setup = actor.setup
        begun = list(range(10**6, 10**6 + 2 * tables))
        harvest = actor.work(Order(0, None, begun, tables, {}, 0))  # past the start, where no game ends
        began = time.process_time()
        numbers = list(range(2 * 10**6, 2 * 10**6 + games))
        harvest = actor.work(Order(0, harvest.snapshot, numbers, games, {}, 0))
        play = (time.process_time() - began) / len(harvest.games)
        learner.learn([harvest], 0)  # what is compiled, is compiled now
        began = time.process_time()
        learner.prepare(harvest.games)
        prepare = (time.process_time() - began) / len(harvest.games)
        began = time.process_time()
        learner.learn([harvest], 1)
        networks = (time.process_time() - began) / len(harvest.games) - prepare
        weights = {name: setup.models[name] for name in learner.config.models}
        stored = pickle.dumps(harvest.games)
        costs = Costs(
            play,
            prepare,
            networks,
            learner.learnt / learner.version / len(harvest.games),
            (len(stored) + len(harvest.snapshot)) / len(harvest.games),
            len(stored) / len(harvest.games),
            held(stored, len(harvest.games), kept),
            len(pickle.dumps(weights)),
        )
        learner.end()
    return costs


@dataclass
class Steady:
    """A run after its beginning."""

    games: float  # a second
    learner: float  # share of the time that the learner works
    network: float  # share of the time that its connection works
    workers: float  # share of the time that workers play
    iteration: float  # seconds


def simulate(costs: Costs, workers: int, games: int, speed: float, network: float, iterations: int = 40) -> Steady:
    """The queues: all workers get their orders, play their shares, and send them while the learner learns."""
    rng = np.random.default_rng(1)
    share = max(1, games // workers)
    line = 0.0  # when the connection is free
    learner = 0.0  # when the learner is free
    ready = [0.0] * workers  # when each worker has its order
    busy = {"learner": 0.0, "network": 0.0, "workers": 0.0}
    for _ in range(iterations):
        sent: list[float] = []
        for start in ready:
            seconds = costs.play * share * float(rng.gamma(share, 1 / share))  # games differ in length
            busy["workers"] += seconds
            heapq.heappush(sent, start + seconds)
        there = 0.0
        while sent:
            take = share * costs.game_bytes / network
            line = max(line, heapq.heappop(sent)) + take
            busy["network"] += take
            there = line
        begin = max(there, learner)
        for worker in range(workers):  # the next orders go out before this iteration is learnt
            take = costs.order_bytes / network
            line = max(line, begin) + take
            busy["network"] += take
            ready[worker] = line
        seconds = (costs.prepare + costs.networks / speed) * share * workers
        learner = begin + seconds
        busy["learner"] += seconds
    total = max(learner, line)
    played = share * workers * iterations
    return Steady(
        played / total,
        busy["learner"] / total,
        busy["network"] / total,
        busy["workers"] / (workers * total),
        total / iterations,
    )


def main() -> None:
    """Measure, simulate, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--start", default="weak", help="the player that is measured")
    parser.add_argument("--games", type=int, default=60, help="games to measure with")
    parser.add_argument("--tables", type=int, default=256)
    parser.add_argument("--kept", type=int, default=100_000, help="games in a buffer whose memory is measured")
    parser.add_argument("--learner", type=float, nargs="*", default=[1, 30], help="speeds of its networks, in cores")
    parser.add_argument("--network", type=float, default=1.25e8, help="bytes a second of the learner's connection")
    parser.add_argument("--share", type=int, default=20, help="games of a worker in an iteration")
    options = parser.parse_args()
    console = Console()
    costs = measure(options.start, options.games, options.tables, options.kept)
    found = Table(title=f"{options.start}: what a game costs", title_justify="left", show_header=False)
    for name, text in (
        ("playing it, processor seconds", f"{costs.play:.3f}"),
        ("replaying and encoding it, seconds of one thread", f"{costs.prepare:.4f}"),
        ("its share of the networks, processor seconds", f"{costs.networks:.4f}"),
        ("decisions learnt from", f"{costs.decisions:,.0f}"),
        ("bytes to the learner", f"{costs.game_bytes:,.0f}"),
        ("bytes in the buffer", f"{costs.kept_bytes:,.0f}"),
        (f"memory of {options.kept:,} in the buffer, GB", f"{costs.held_bytes * options.kept / 1e9:.2f}"),
        ("an order with weights, bytes", f"{costs.order_bytes:,.0f}"),
    ):
        found.add_row(name, text)
    console.print(found)
    shown = Table(title=f"{options.share} games a worker in an iteration", title_justify="left")
    for name in (
        "workers",
        "networks, cores",
        "games/s",
        "learner works",
        "connection works",
        "workers play",
        "iteration",
    ):
        shown.add_column(name, justify="right")
    for speed in options.learner:
        for workers in (1, 3, 10, 30, 100, 300, 1000):
            run = simulate(costs, workers, options.share * workers, speed, options.network)
            shown.add_row(
                f"{workers:,}", f"{speed:g}", f"{run.games:,.1f}", f"{run.learner:.0%}", f"{run.network:.1%}",
                f"{run.workers:.0%}", f"{run.iteration:,.1f} s",
            )  # fmt: skip
    console.print(shown)


if __name__ == "__main__":
    main()
