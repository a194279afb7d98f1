"""The agent of the MCR paper, from games of the rule-based player to reinforcement learning and matches.

    python reproduce/mcr_agent.py --out runs/mcr --games 20000 --steps 3000 --hours 1

1. games of `heuristic` against itself, in a store;
2. three networks over the paper's 55 units (and over the first 15 for its figure), and three over planes with plans;
3. reinforcement learning of the discard model, by the win distance (the paper), with 8 fan, and by points;
4. matches in duplicate: each learnt player against its start and the teacher, the teacher against the starts.

Every step goes on from where it was stopped. Prints Markdown. The paper has 71.5, 92.4 and 90.7 % for discard,
pong and chow, of people's games, and 75 % wins of the learnt player over its start.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

PAPER = {"discard": 71.5, "pong": 92.4, "chow": 90.7}
NETWORKS = {"units": "mcr-55-b3x3c32", "first-15": "mcr-15-b3x3c32", "plan": "mcr-plan-b3c32"}
REWARDS = ("distance", "fan-distance", "round")
LEARNING = ["games=500", "tables=500", "temperature=0.7", "beta=0.05", "value_network=b1c16", "walls=500"]


def suzaku(*words: str) -> None:
    """Run a command of the package."""
    subprocess.run([sys.executable, "-m", "suzaku", *words], check=True, stdout=sys.stderr)


def train(options: argparse.Namespace, name: str) -> None:
    """The three models of one design; of the 15 units the discard model alone."""
    print(f"\n| {NETWORKS[name]} | samples | right | most frequent answer | paper |\n|---|---:|---:|---:|---:|")
    for model in PAPER if name != "first-15" else ("discard",):
        folder = options.out / name / model
        steps = options.steps if model == "discard" else options.steps // 4
        suzaku(
            "train", "supervised", "--model", model, "--network", NETWORKS[name], "--data", str(options.out / "store"),
            "--out", str(folder), "--set", f"steps={steps}", "--set", "batch=256", "--set", "warm_up=100",
        )  # fmt: skip
        found = json.loads((folder / "best.json").read_text(encoding="utf-8"))["results"]["validation"]
        share = f"{found['accuracy']:.2%} ± {found['interval']:.2%}"
        print(f"| {model} | {found['samples']:,} | {share} | {found['majority']:.2%} | {PAPER[model]} % |", flush=True)


def learn(options: argparse.Namespace, name: str, reward: str) -> None:
    """Reinforcement learning from a player's weights."""
    settings = [word for setting in LEARNING for word in ("--set", setting)]
    out = str(options.out / f"{name}-{reward}")
    hours = ("--hours", str(options.hours))
    suzaku("train", "rl", "--start", str(options.out / name), "--reward", reward, "--out", out, *hours, *settings)


def play(options: argparse.Namespace, one: str, other: str) -> None:
    """A match of one against three, all seatings of every deal, as a row."""
    folder = options.out / "matches" / f"{one}-{other}"
    agents = [name if name == "heuristic" else f"mcr:{_folder(options.out / name)}" for name in (one, other)]
    words = ["--game", "mcr", "--games", str(options.matches), "--seed", "1", "--out", str(folder), "--print", "json"]
    suzaku("arena", *agents, *words)
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    own, rest = result["entrants"]
    points = f"{own['points']:+.2f} ± {own['points_half']:.2f}"
    wins = " | ".join(f"{entrant['rates']['win rate']:.1f} %" for entrant in (own, rest))
    print(f"| {one} | {other} | {own['games']:,} | {points} | {wins} |", flush=True)


def _folder(path: Path) -> Path:
    """Where a run's player is."""
    return next((path / name for name in ("best", "last") if (path / name / "discard.json").exists()), path)


def main() -> None:
    """All of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("runs/mcr"))
    parser.add_argument("--games", type=int, default=20_000, help="of the teacher")
    parser.add_argument("--steps", type=int, default=3_000, help="of 256 samples, for a discard model")
    parser.add_argument("--hours", type=float, default=1.0, help="of reinforcement learning, for each reward")
    parser.add_argument("--matches", type=int, default=20_000, help="games of each match")
    parser.add_argument("--starts", nargs="+", default=["units", "plan"], choices=["units", "plan"])
    parser.add_argument("--rewards", nargs="+", default=list(REWARDS), choices=REWARDS)
    options = parser.parse_args()
    from suzaku.arena.selfplay import play_store

    play_store("heuristic", options.games, 1, options.out / "store", lambda n: None, "mcr")
    for name in NETWORKS:
        train(options, name)
    for name in options.starts:
        for reward in options.rewards:
            learn(options, name, reward)
    print("\n| player | against three of | games | points a game | wins | of each of the others |")
    print("|---|---|---:|---:|---:|---:|")
    for name in options.starts:
        play(options, name, "heuristic")
        for reward in options.rewards:
            play(options, f"{name}-{reward}", name)
            play(options, f"{name}-{reward}", "heuristic")


if __name__ == "__main__":
    main()
