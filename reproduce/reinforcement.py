"""Reinforcement learning against where it began (Suphx, sections 3.1 and 3.2): each player against three of each other.

    python reproduce/reinforcement.py SL=weak RL-basic=suphx:runs/rl-basic/last RL-1=suphx:runs/rl-1/last

Greedy play on both sides, every deal in all four seatings, 10,000 hanchan a pair and direction; goes on where it was
stopped, from the folder --out. Prints Markdown. Training itself is

    suzaku train rl --start weak --reward round --set natural=2 --set damping=0.3 --set advantage=mean \\
        --set games=400 --set beta=0.05 --out runs/rl-basic

and the same with --reward global --out runs/rl-1; with weak as SL. What it gave is in docs/findings.md.
"""

import argparse
import json
import subprocess
import sys
from itertools import permutations
from pathlib import Path
from typing import Any


def main() -> None:
    """Play what is missing, and print a row for each pair."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", nargs="+", metavar="NAME=AGENT")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=0, help="0: one for each core")
    parser.add_argument("--out", type=Path, default=Path("runs/reinforcement"))
    options = parser.parse_args()
    players = dict(text.split("=", 1) for text in options.players)
    print("| player | against three of | hanchan | average rank | points a round |")
    print("|---|---|---:|---:|---:|")
    for one, other in permutations(players, 2):
        folder = options.out / f"{one}-{other}"
        words = [players[one], players[other], "--games", str(options.games), "--seed", str(options.seed)]
        words += ["--processes", str(options.processes), "--out", str(folder), "--print", "json"]
        subprocess.run([sys.executable, "-m", "suzaku", "arena", *words], check=True, stdout=subprocess.DEVNULL)
        print(row(one, other, json.loads((folder / "result.json").read_text(encoding="utf-8"))), flush=True)


def row(one: str, other: str, result: dict[str, Any]) -> str:
    """What came of a match."""
    own = result["entrants"][0]
    rank = f"{own['average_rank']:.3f} ± {own['half']:.3f}"
    return f"| {one} | {other} | {own['games']:,} | {rank} | {own['points_a_round']:+.0f} |"


if __name__ == "__main__":
    main()
