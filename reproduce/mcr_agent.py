"""The agent of the MCR paper, from games of the rule-based player to reinforcement learning and matches.

    python reproduce/mcr_agent.py --out runs/mcr --games 12000 --steps 2200 --learn 12000

1. games of `heuristic` against itself, in a store;
2. three networks over the paper's 55 units (and discard models over the first 15, 17 and 27 for its figure of what more
   units bring, units.png), and with `--starts units plan` three over planes with plans;
3. reinforcement learning of the discard model, by the win distance (the paper), with 8 fan, and by points;
4. matches in duplicate: each learnt player against its start, one against three in both directions and two against
   two, and the players against their teacher.

Every step goes on from where it was stopped. Prints Markdown. The paper has 71.5, 92.4 and 90.7 % for discard,
pong and chow, of people's games. It says that the learnt player "wins 75% over 100000 games" against its start, and not
how they sat: `share` is the learnt player's part of the hands that somebody won, two against two being even at 50 %.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

from suzaku.plots import have_matplotlib, new_figure, save_figure

PAPER = {"discard": 71.5, "pong": 92.4, "chow": 90.7}
FIRST = {f"first-{units}": f"mcr-{units}-b3x3c32" for units in (15, 17, 27)}
NETWORKS = {"units": "mcr-55-b3x3c32", **FIRST, "plan": "mcr-plan-b3c32"}
SHARE = {"discard": 1.0, "pong": 0.1, "chow": 0.2}  # of the steps: claims begin with the discard model's layers
REWARDS = ("distance", "fan-distance", "round")
SEATS = {"1v3": (1, 3), "2v2": (2, 2)}
LEARNING = [
    "games=300", "tables=300", "temperature=0.7", "batch=4096", "rate=3e-4", "gae_lambda=0", "beta=0.05",
    "value_network=b1c16", "value_first=3", "value_every=1", "value_rate=1e-3", "walls=300",
]  # fmt: skip


def suzaku(*words: str) -> None:
    """Run a command of the package."""
    subprocess.run([sys.executable, "-m", "suzaku", *words], check=True, stdout=sys.stderr)


def settings(given: list[str]) -> list[str]:
    """As options."""
    return [word for setting in given for word in ("--set", setting)]


def train(options: argparse.Namespace, name: str) -> None:
    """The three models of one design; of the first units the discard model alone."""
    print(f"\n| {NETWORKS[name]} | samples | right | most frequent answer | paper |\n|---|---:|---:|---:|---:|")
    for model in PAPER if name not in FIRST else ("discard",):
        folder = options.out / name / model
        steps = max(1, int(options.steps * SHARE[model]))
        if name == "plan":
            steps = -(-steps // 10)  # the planes hold what the teacher goes by
        given = [f"steps={steps}", "batch=512", f"warm_up={min(100, steps // 2)}", f"eval_every={-(-steps // 4)}"]
        if model != "discard":
            given += [f"start={options.out / name / 'discard'}", "rate=1e-3"]
        suzaku(
            "train", "supervised", "--model", model, "--network", NETWORKS[name], "--data", str(options.out / "store"),
            "--out", str(folder), *settings(given),
        )  # fmt: skip
        found = validated(folder)
        share = f"{found['accuracy']:.2%} ± {found['interval']:.2%}"
        print(f"| {model} | {found['samples']:,} | {share} | {found['majority']:.2%} | {PAPER[model]} % |", flush=True)


def validated(folder: Path) -> dict[str, float]:
    """What a model got right of hands that it did not learn from."""
    found: dict[str, float] = json.loads((folder / "best.json").read_text(encoding="utf-8"))["results"]["validation"]
    return found


def draw_units(options: argparse.Namespace) -> None:
    """The paper's figure 3: how often the discard model is right with more units."""
    if not have_matplotlib():
        return
    folders = {**{int(name.removeprefix("first-")): options.out / name for name in FIRST}, 55: options.out / "units"}
    found = {units: validated(folder / "discard") for units, folder in folders.items()}
    figure = new_figure(6, 3.5)
    axes = figure.add_subplot()
    right, half = ([100 * one[name] for one in found.values()] for name in ("accuracy", "interval"))
    axes.errorbar(list(found), right, half, marker="o", capsize=3)
    axes.set(xlabel="units that the discard model sees", ylabel="right, %", xticks=list(found))
    save_figure(figure, options.out / "units.png")


def learn(options: argparse.Namespace, name: str, reward: str) -> None:
    """Reinforcement learning from a player's weights."""
    out, start = str(options.out / f"{name}-{reward}"), str(options.out / name)
    words = ["--start", start, "--reward", reward, "--out", out, "--games", str(options.learn)]
    suzaku("train", "rl", *words, *settings([*LEARNING, *options.set]))


def play(options: argparse.Namespace, one: str, other: str, mode: str = "1v3") -> None:
    """A match on duplicate walls, as a row."""
    folder = options.out / "matches" / f"{one}-{other}-{mode}"
    agents = [name if name == "heuristic" else f"mcr:{_folder(options.out / name)}" for name in (one, other)]
    words = ["--game", "mcr", "--mode", mode, "--games", str(options.matches), "--seed", "1", "--out", str(folder)]
    suzaku("arena", *agents, *words, "--print", "json")
    own, rest = json.loads((folder / "result.json").read_text(encoding="utf-8"))["entrants"]
    points = f"{own['points_a_game']:+.2f} ± {own['points_half']:.2f}"
    wins = [entrant["rates"]["win rate"] for entrant in (own, rest)]
    ours, theirs = (seats * rate for seats, rate in zip(SEATS[mode], wins, strict=True))
    hands = own["games"] // SEATS[mode][0]
    decided = max(1, hands * (ours + theirs) / 100)
    share = ours / max(ours + theirs, 1e-9)
    half = 1.96 * (share * (1 - share) / decided) ** 0.5
    told = f"{wins[0]:.1f} % | {wins[1]:.1f} % | {share:.1%} ± {half:.1%}"
    print(f"| {one} | {other} | {mode} | {hands:,} | {points} | {told} |", flush=True)


def _folder(path: Path) -> Path:
    """Where a run's player is: the newest weights of a learnt one, since validation chooses by chance among many."""
    return path / "last" if (path / "last" / "discard.json").exists() else path


def main() -> None:
    """All of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("runs/mcr"))
    parser.add_argument("--games", type=int, default=12_000, help="of the teacher")
    parser.add_argument("--steps", type=int, default=2_200, help="of 512 samples, for a discard model")
    parser.add_argument("--learn", type=int, default=12_000, help="hands of reinforcement learning, for each reward")
    parser.add_argument("--matches", type=int, default=20_000, help="hands of each match")
    parser.add_argument("--starts", nargs="+", default=["units"], choices=["units", "plan"])
    parser.add_argument("--rewards", nargs="+", default=list(REWARDS), choices=REWARDS)
    parser.add_argument("--set", nargs="+", default=[], help="further settings of reinforcement learning")
    options = parser.parse_args()
    from suzaku.arena.selfplay import play_store

    play_store("heuristic", options.games, 1, options.out / "store", lambda n: None, "mcr")
    for name in [*options.starts, *FIRST]:
        train(options, name)
    if "units" in options.starts:
        draw_units(options)
    for name in options.starts:
        for reward in options.rewards:
            learn(options, name, reward)
    print("\n| player | against | seats | hands | points a hand | wins | of each other | share of wins |")
    print("|---|---|---|---:|---:|---:|---:|---:|")
    for name in options.starts:
        play(options, name, "heuristic")
        for reward in options.rewards:
            learnt = f"{name}-{reward}"
            play(options, learnt, name)
            play(options, name, learnt)
            play(options, learnt, name, "2v2")
            play(options, learnt, "heuristic")


if __name__ == "__main__":
    main()
