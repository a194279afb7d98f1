"""Accuracy against the number of games learnt from: a table and a picture from finished training runs.

    for part in 256 64 16 4; do
      suzaku train supervised --model discard --network suphx-b5c64 --data STORE --out runs/part-$part \
        --set part=$part --set steps=1000 --set warm_up=150
    done
    python benchmarks/learning_curve.py STORE runs/part-* --png docs/images/learning-curve.png

Runs without the look-ahead channels (`--set lookahead=false`) are drawn as points of their own.
"""

import argparse
import json
from pathlib import Path
from typing import NamedTuple

from suzaku.plots import new_figure, save_figure
from suzaku.records.store import Filters, Store


class Point(NamedTuple):
    """A run: what it learnt from, and what it reached on the validation games."""

    games: int
    lookahead: bool
    network: str
    samples: int
    accuracy: float
    interval: float
    loss: float


def read(store: Store, run: Path) -> Point:
    """The figures of a run."""
    info = json.loads((run / "best.json").read_text(encoding="utf-8"))
    training, found = info["training"], info["results"]["validation"]
    games = sum(1 for _ in store.games(Filters(part=training["part"]), "train"))
    return Point(
        games,
        training["lookahead"],
        info["network"],
        info["step"] * training["batch"],
        found["accuracy"],
        found["interval"],
        found["loss"],
    )


def draw(points: list[Point], path: Path) -> None:
    """Accuracy with intervals over games on a logarithmic axis."""
    figure = new_figure(6, 3.6)
    axes = figure.subplots()
    for lookahead, name in ((True, "with look-ahead"), (False, "without look-ahead")):
        chosen = [point for point in points if point.lookahead == lookahead]
        if chosen:
            axes.errorbar(
                [point.games for point in chosen],
                [100 * point.accuracy for point in chosen],
                [100 * point.interval for point in chosen],
                marker="o",
                capsize=3,
                label=name,
            )
    axes.set_xscale("log")
    axes.set_xlabel("games learnt from")
    axes.set_ylabel("discards as played, %")
    axes.grid(alpha=0.3)
    axes.legend()
    save_figure(figure, path, dpi=110)


def main() -> None:
    """Read the runs, print the table, draw the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=Path)
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--png", type=Path)
    options = parser.parse_args()
    store = Store(options.store)
    points = sorted(read(store, run) for run in options.runs)
    print("| games | look-ahead | network | samples | right | loss |\n|---:|---|---|---:|---:|---:|")
    for point in points:
        right = f"{100 * point.accuracy:.2f} ± {100 * point.interval:.2f} %"
        seen = "yes" if point.lookahead else "no"
        print(f"| {point.games:,} | {seen} | {point.network} | {point.samples:,} | {right} | {point.loss:.3f} |")
    if options.png:
        draw(points, options.png)


if __name__ == "__main__":
    main()
