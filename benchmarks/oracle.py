"""What the oracle channels cost: `python benchmarks/oracle.py [weak] [--games 6] [--turns 3]`.

A player plays itself and learns from these games in one process, by CPU time: as it is (the peer), widened with gamma 1
(all perfect features seen) and 0.5 (half of them), and with an oracle critic. Learning is replaying, encoding and the
gradient steps of the policy and the value network.
"""

import argparse
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import torch

from suzaku.rl.config import RlConfig
from suzaku.rl.learner import Reinforcement

VARIANTS: dict[str, dict[str, Any]] = {
    "without": {"critic": "seat"},
    "gamma 1": {"critic": "seat", "oracle": "widen", "oracle_first": 10**6, "iterations": 10**7},
    "gamma 0.5": {
        "critic": "seat",
        "oracle": "widen",
        "oracle_first": 0,
        "oracle_fall": 2 * 10**5,
        "iterations": 10**7,
    },
    "oracle critic": {"critic": "oracle"},
}
HALF = 10**5  # the iteration at which gamma is 0.5 in the third


def measure(learner: Reinforcement) -> tuple[float, float]:
    """Processor seconds of self-play for a decision, and of learning from one."""
    began = time.process_time()
    learner.wait()
    middle = time.process_time()
    learnt = learner.learn(learner.next_batch(), 0).samples
    return (middle - began) / learnt, (time.process_time() - middle) / learnt


def main() -> None:
    """Take turns, so that what else the machine does meets all of them, and print the ratios of the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("player", nargs="?", default="weak")
    parser.add_argument("--games", type=int, default=6)
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args()
    torch.set_num_threads(1)
    usual = {
        "start": options.player,
        "games": options.games,
        "tables": options.games,
        "batch": 512,
        "value_first": 0,
        "workers": 0,
        "walls": 0,
        "length": "east",
        "staleness": 2 * HALF,  # the first games are of version 0
    }
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in VARIANTS}
    with tempfile.TemporaryDirectory() as folder:
        learners = {}
        for name, more in VARIANTS.items():
            learners[name] = Reinforcement(RlConfig(**{**usual, **more}), Path(folder) / name)
            if name == "gamma 0.5":
                learners[name].version = HALF
            learners[name].begin(0)
            measure(learners[name])  # compiled, and past the first games, which are the shortest
        for _ in range(options.turns):
            for name, learner in learners.items():
                found[name].append(measure(learner))
        for learner in learners.values():
            learner.end()
    peer = [median(column) for column in zip(*found["without"], strict=True)]
    for name, each in found.items():
        play, learn = (median(column) for column in zip(*each, strict=True))
        print(
            f"{options.player}, {name}: self-play {1e3 * play:.2f} ms a decision learnt, {play / peer[0]:.2f} times; "
            f"learning {1e3 * learn:.2f} ms, {learn / peer[1]:.2f} times that without"
        )


if __name__ == "__main__":
    main()
