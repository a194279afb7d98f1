"""The learning curve of self-play: strength against games, for one or more runs of `suzaku train rl`.

    suzaku train rl --start suphx --reward round --set keep_every=20 ... --out runs/rl-basic
    python reproduce/rl_curve.py runs/rl-basic runs/rl-basic-2 --png curve.png

Every player that a run kept (OUT/kept, and the last one) sits down against three of the run's start, greedy on both
sides, every deal in all four seatings, the same deals for all. It goes on where it was stopped and prints Markdown.
docs/findings/self-play.md has the results. With --validated nothing is played: it tells what the runs themselves
measured while they learnt, in single rounds against the start (`--set walls=1000`).
"""

import argparse
import json
import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import reinforcement
import torch

from suzaku.learning.loop import STATE
from suzaku.networks.info import Info, read_info
from suzaku.plots import check_plot, new_figure, save_figure
from suzaku.rl.config import agent_of


@dataclass(frozen=True)
class Point:
    """A player on its way."""

    games: int  # that it has learnt from
    strength: float  # average rank, or points a round
    half: float


def main() -> None:
    """Play what is missing, print a row for each player, and draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN")
    parser.add_argument("--png", type=Path)
    parser.add_argument("--validated", action="store_true", help="what the runs measured themselves")
    reinforcement.add_match_options(parser, 10_000, 5, Path("runs/rl-curve"))
    options = parser.parse_args()
    if options.png:
        check_plot(options.png)
    if options.validated:
        curves = {str(run): validated(run) for run in options.runs}
        print("| run | games | gain, points a round |\n|---|---:|---:|")
        for name, points in curves.items():
            for point in points:
                print(f"| {name} | {point.games:,} | {point.strength:+.0f} ± {point.half:.0f} |")
    else:
        print("| run | games learnt from | hanchan | average rank | points a round |")
        print("|---|---:|---:|---:|---:|")
        curves = {str(run): curve(run, options) for run in options.runs}
    if options.png:
        draw(curves, options.validated, options.png)


def validated(run: Path) -> list[Point]:
    """What a run found itself to gain over its start."""
    if not (run / STATE).exists():
        raise SystemExit(f"{run / STATE} is missing: name the folder of a run")
    try:
        found = json.loads(torch.load(run / STATE, weights_only=True)["curve"])
    except (RuntimeError, EOFError, OSError, KeyError, ValueError, pickle.UnpicklingError):
        raise SystemExit(f"{run / STATE} is damaged") from None
    if not found:
        raise SystemExit(f"{run} has measured nothing as it learnt: it was told walls=0")
    return [Point(int(one["games"]), one["gain"], one["interval"]) for one in found]


def curve(run: Path, options: argparse.Namespace) -> list[Point]:
    """What the players of a run reach against its start."""
    found = {
        info["played"]: (player, info) for player in (run / "last", *run.glob("kept/*")) for info in [told(player)]
    }
    points = []
    for games, (player, info) in sorted(found.items()):
        folder = options.out / f"{str(run).strip('/').replace('/', '-')}-{games}"
        result = reinforcement.play(f"suphx:{player}", agent_of(info["training"]["start"]), folder, options)
        own = result["entrants"][0]
        points.append(Point(games, own["average_rank"], own["half"]))
        print(reinforcement.row(str(run), f"{games:,}", result), flush=True)
    return points


def told(player: Path) -> Info:
    """What the checkpoint of a model that learnt says of its training."""
    infos = [read_info(path.with_suffix("")) for path in sorted(player.glob("*.json"))]
    learnt: list[dict[str, Any]] = [info for info in infos if "played" in info]
    if not learnt:
        raise SystemExit(f"{player} holds no model that learnt by self-play: name the folder of a run")
    return learnt[0]


def draw(curves: dict[str, list[Point]], points: bool, path: Path) -> None:
    """Points a round or the average rank over games, with intervals; a player as good as the start has 0 or 2.5."""
    figure = new_figure(6, 3.6)
    axis = figure.subplots()
    for name, found in curves.items():
        games, strength, half = zip(*((one.games, one.strength, one.half) for one in found), strict=True)
        axis.errorbar(games, strength, half, marker="o", markersize=4, capsize=3, label=name)
    axis.axhline(0 if points else 2.5, color="black", linewidth=0.8)
    axis.set_xlabel("games of self-play")
    if points:
        axis.set_ylabel("gain over the start, points a round")
    else:
        axis.invert_yaxis()
        axis.set_ylabel("average rank against three of the start")
    axis.legend()
    save_figure(figure, path)
    print(f"\nwritten: {path}")


if __name__ == "__main__":
    main()
