"""What a change of structure must leave as it is: hashes of what the package computes, and its start-up times.

python benchmarks/fingerprint.py [--out FILE] [--compare FILE]

Features of both games, the answers of the bundled networks in all their forms, matches, one iteration of
reinforcement learning and one step of supervised learning. The same processor and the same versions of NumPy, torch
and onnxruntime give the same hashes, before and after the change.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np

CLAIMS = {"riichi": (39, 116), "mcr": (34, 38)}  # actions that feature sets of claims take
STARTS = [["--help"], ["model", "info", "suphx"], ["train", "rl", "--help"]]


def digest(*values: Any) -> str:
    """A hash of arrays and of whatever has a text."""
    found = hashlib.sha256()
    for value in values:
        found.update(np.ascontiguousarray(value).tobytes() if isinstance(value, np.ndarray) else str(value).encode())
    return found.hexdigest()[:16]


def states(game: str, n: int) -> np.ndarray:
    """Tables after some random moves, those that ask somebody."""
    from suzaku.mcr import Tables as McrTables
    from suzaku.riichi import Tables

    tables, rng = (Tables if game == "riichi" else McrTables)(n, seed=5), np.random.default_rng(5)
    for _ in range(60):
        tables.step((rng.random(tables.legal.shape) * tables.legal).argmax(1))
    return tables.records[tables.seat >= 0].copy()


def legal(game: str, records: np.ndarray) -> np.ndarray:
    """What is legal there."""
    from suzaku.table.game import game_named

    one = game_named(game)
    found = np.zeros((len(records), one.actions), np.bool_)
    for i in range(len(records)):
        one.legal(one.tables(), records[i], found[i])
    return found


def features(game: str) -> Callable[[], str]:
    """All feature sets of a game, dense and sparse."""

    def run() -> str:
        from suzaku.features.sets import SETS

        records = states(game, 1024)
        first, last = CLAIMS[game]
        claims = legal(game, records)[:, first:last]
        claimed = claims.any(1)
        found = []
        for name, one in SETS.items():
            if one.game != game or name == "rounds":
                continue
            rows = claimed if one.claim else slice(128)
            claim = first + claims[rows].argmax(1) if one.claim else None
            found.append(one.encode(records[rows], claim))
            if one.sparse_encoder:
                found.append(one.encode_sparse(records[rows], claim).dense())
        return digest(*found)

    return run


def agents(*names: str, game: str = "riichi") -> Callable[[], str]:
    """The answers of agents with networks and of those with rules."""

    def run() -> str:
        from suzaku.agents.make import make_agent

        records = states(game, 64)
        return digest(*(make_agent(name, game).act(records, legal(game, records)).actions for name in names))

    return run


def networks() -> str:
    """The bundled models under onnxruntime, NumPy and torch, as logits to three digits."""
    import torch

    from suzaku.features import suphx
    from suzaku.networks.bundled import bundled
    from suzaku.networks.checkpoint import load
    from suzaku.networks.info import read_weights
    from suzaku.networks.onnx_graph import to_onnx

    path = bundled("weak") / "discard"
    weights, info = read_weights(path)
    planes = torch.from_numpy(suphx.encode_many(states("riichi", 16)))
    with torch.inference_mode():
        logits = load(path)[0](planes).numpy()
    return digest(to_onnx(weights, info), logits.round(3))


def match(agents: tuple[str, ...], games: int, game: str = "riichi") -> Callable[[], str]:
    """The results of a match."""

    def run() -> str:
        from suzaku.arena.log import Log
        from suzaku.arena.match import Match
        from suzaku.arena.play import Play, here

        one = Match(agents, "1v3", 3, "east" if game == "riichi" else "", game=game)
        return digest(Play(one, Log(one), games).run(here(one, 32)).rows)

    return run


def reinforcement() -> str:
    """One iteration of self-play."""
    from suzaku.learning.loop import Run
    from suzaku.rl.config import RlConfig
    from suzaku.rl.learner import Reinforcement

    with tempfile.TemporaryDirectory() as folder:
        small = {"games": 4, "tables": 4, "length": "east", "batch": 64, "value_network": "b1c8", "value_first": 0}
        config = RlConfig(start="weak", iterations=2, workers=0, walls=0, bfloat16=False, **small)
        learner = Reinforcement(config, Path(folder))
        Run(learner, Path(folder)).run(lambda figures: None)
        return digest(*(value.numpy() for value in learner.modules["discard"].state_dict().values()))


CHECKS: dict[str, Callable[[], str]] = {
    "features": features("riichi"),
    "features of MCR": features("mcr"),
    "networks": networks,
    "agents": agents("suphx", "gao", "heuristic", "efr", "shanten"),
    "agents of MCR": agents("mcr", "heuristic", "shanten", game="mcr"),
    "match of rules": match(("heuristic", "shanten"), 100),
    "match of networks": match(("weak", "gao"), 20),
    "match of MCR": match(("heuristic", "shanten"), 40, "mcr"),
    "reinforcement learning": reinforcement,
}


def main() -> None:
    """Print, and compare with an earlier run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="write the hashes and times as JSON")
    parser.add_argument(
        "--compare", type=Path, help="compare with a file that --out wrote; exit code 1 if a hash differs"
    )
    options = parser.parse_args()
    found: dict[str, Any] = {}
    for words in STARTS:
        times = []
        for _ in range(3):
            began = time.perf_counter()
            subprocess.run([sys.executable, "-m", "suzaku", *words], check=True, stdout=subprocess.DEVNULL)
            times.append(time.perf_counter() - began)
        found[f"seconds of suzaku {' '.join(words)}"] = round(min(times), 2)
    for name, check in CHECKS.items():
        found[name] = check()
        print(f"{name:32} {found[name]}", flush=True)
    before = json.loads(options.compare.read_text()) if options.compare else {}
    for name, value in found.items():
        if isinstance(value, float):
            print(f"{name:48} {value:5.2f}" + (f"  before {before[name]:5.2f}" if name in before else ""))
    if options.out:
        options.out.write_text(json.dumps(found, indent=1))
    changed = [name for name, value in found.items() if isinstance(value, str) and before.get(name, value) != value]
    if changed:
        sys.exit(f"changed: {', '.join(changed)}")


if __name__ == "__main__":
    main()
