"""Reinforcement learning against where it began (Suphx, sections 3.1 and 3.2): each player against three of each other.

    python reproduce/reinforcement.py SL=weak RL-basic=suphx:runs/rl-basic/last RL-1=suphx:runs/rl-1/last

Greedy play on both sides, every deal in all four seatings, 10,000 hanchan a pair and direction; goes on where it was
stopped, from the folder --out. Prints Markdown. Training itself is

    suzaku train rl --start weak --reward round --set natural=3 --set damping=0.3 --set advantage=mean \\
        --set batch=512 --set seed=2 --games 33600 --out runs/rl-basic

and the same with --reward global --out runs/rl-1; with weak as SL. What it gave is in docs/findings/self-play.md.
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
    add_match_options(parser, 10_000, 1, Path("runs/reinforcement"))
    options = parser.parse_args()
    players = dict(text.partition("=")[::2] for text in options.players)
    if len(players) < 2 or not all(players.values()):
        parser.error("name at least two players, each as NAME=AGENT, such as SL=weak")
    print("| player | against three of | hanchan | average rank | points a round |")
    print("|---|---|---:|---:|---:|")
    for one, other in permutations(players, 2):
        result = play(players[one], players[other], options.out / f"{one}-{other}", options)
        print(row(one, other, result), flush=True)


def add_match_options(parser: argparse.ArgumentParser, games: int, seed: int, out: Path) -> None:
    """What `play` is told."""
    parser.add_argument("--games", type=int, default=games, help="hanchan of a match, at least 8")
    parser.add_argument("--seed", type=int, default=seed, help="of the deals")
    parser.add_argument("--processes", type=int, default=0, help="0: one for each core")
    parser.add_argument("--out", type=Path, default=out, help="a folder for the matches")


def play(agent: str, others: str, folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    """What came of a match of one agent against three others, played as far as it was not before."""
    words = [agent, others, "--games", str(max(8, options.games)), "--seed", str(options.seed)]
    words += ["--processes", str(options.processes), "--out", str(folder), "--print", "json"]
    ended = subprocess.run([sys.executable, "-m", "suzaku", "arena", *words], check=False, stdout=subprocess.DEVNULL)
    if ended.returncode:  # it has said why
        sys.exit(ended.returncode)
    return json.loads((folder / "result.json").read_text(encoding="utf-8"))


def row(one: str, other: str, result: dict[str, Any]) -> str:
    """What came of a match."""
    own = result["entrants"][0]
    rank = f"{own['average_rank']:.3f} ± {own['half']:.3f}"
    return f"| {one} | {other} | {own['games']:,} | {rank} | {own['points_a_round']:+.0f} |"


if __name__ == "__main__":
    main()
