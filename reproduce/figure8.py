"""Fig. 8 of Suphx: SL-weak, SL, RL-basic, RL-1 and RL-2, each against three SL-weak on the same deals.

    python reproduce/figure8.py draw --png figure8.png
    python reproduce/figure8.py play --out runs/figure8
    python reproduce/figure8.py play SL=suphx RL-1=rl-1 mine=suphx:runs/mine/last --out runs/figure8
    python reproduce/figure8.py draw --out runs/figure8 --png figure8.png

`play` plays what is missing, every deal in all four seatings, and keeps each match in a folder of its own; killed, it
goes on. The players are NAME=AGENT, or left out the bundled ones. `draw` reads these folders, or without --out the
places that `keep` wrote beside this script: box plots of the stable rank of 1,000 resamplings, and as Markdown the
ranks and, paired by deal, each player less SL-weak and what climbed from it less the step before. Whole deals are
drawn, since the four games on one are not independent. One SL-weak against three others plays the same game in every
seating: on each deal it is once first, second, third and fourth, so it need not be played, and its box is a line at 5.
"""

import argparse
import json
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import reinforcement

from suzaku.arena.log import IDENTITIES, SETTINGS, Log
from suzaku.arena.match import Match
from suzaku.arena.statistics import compare, count_places, mean_interval, mean_ranks, resample_stable, stable_rank
from suzaku.plots import new_figure, save_figure
from suzaku.system import write_whole

KEPT = Path(__file__).with_suffix(".json")
OUT = Path("runs/figure8")
PAPER = ("SL-weak", "SL", "RL-basic", "RL-1", "RL-2")  # in the figure's order; other players follow
STEPS = PAPER[2:]  # each with one idea more than the one before; they began from SL-weak, and SL did not
BUNDLED = ("SL=suphx", "RL-basic=rl-basic", "RL-1=rl-1", "RL-2=rl-2")


@dataclass(frozen=True)
class Stored:
    """Matches on the same deals."""

    weak: str  # who sat in the other three seats
    seed: int
    places: dict[str, np.ndarray]  # by player: how often it came where on each deal, int64[deals, 4]

    @property
    def deals(self) -> str:
        """On which they were played."""
        return f"{len(next(iter(self.places.values()))):,} deals of seed {self.seed} against three of {self.weak}"


def in_order(name: str) -> tuple[int, str]:
    """The key that puts players in the paper's order."""
    return PAPER.index(name) if name in PAPER else len(PAPER), name


def play(options: argparse.Namespace) -> None:
    """Play every player's match."""
    for text in options.players:
        name, equals, agent = text.partition("=")
        if not equals:
            sys.exit(f"{text!r}: write NAME=AGENT, such as SL=suphx")
        reinforcement.play(agent, options.weak, options.out / name, options)


def read(folder: Path) -> tuple[str, Match, np.ndarray]:
    """A stored match: its player's name, and how often that came where on each deal, int64[deals, 4]."""
    said = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
    names = ("mode", "seed", "length", "save", "game", "rules")
    match = Match(tuple(said["agents"]), *(said[name] for name in names))
    log = Log(match, folder, said.get(IDENTITIES))
    rows = log.deals(0, log.whole)
    log.close(log.clocks)
    return folder.name, match, count_places(match, rows)[:, 0]


def read_all(out: Path) -> Stored:
    """The matches of a folder, as far as all have come."""
    folders = [path.parent for path in out.glob(f"*/{SETTINGS}")]
    folders.sort(key=lambda path: in_order(path.name))
    if not folders:
        sys.exit(f"{out} holds no match: run `play` first")
    found = [read(folder) for folder in folders]
    if len({(match.seed, match.agents[1], match.rules_text) for _, match, _ in found}) > 1:
        sys.exit(f"{out} holds matches on other deals, or against other players: they cannot be compared")
    deals = min(len(places) for _, _, places in found)
    match = found[0][1]
    return Stored(match.agents[1], int(match.seed), {name: places[:deals] for name, _, places in found})


def keep(options: argparse.Namespace) -> None:
    """Write the places alone: four digits a deal, how often it came first, second, third and fourth there.

    Players that are kept already stay.
    """
    stored = read_all(options.out)
    found = stored.places
    if KEPT.exists():
        before = kept()
        if before.deals != stored.deals:
            sys.exit(
                f"{KEPT} has {before.deals}, and {options.out} {stored.deals}: play as many on the same ones, or "
                "delete the file"
            )
        found = {**before.places, **found}
    places = {name: "".join(map(str, found[name].ravel())) for name in sorted(found, key=in_order)}
    text = json.dumps({"weak": stored.weak, "seed": stored.seed, "places": places}, indent=1) + "\n"
    write_whole(KEPT, text.encode())
    print(f"written: {KEPT}")


def kept() -> Stored:
    """What `keep` wrote."""
    if not KEPT.exists():
        sys.exit(f"{KEPT} is missing: say --out, a folder of `play`")
    said = json.loads(KEPT.read_text(encoding="utf-8"))
    places = {name: np.array(list(text), np.int64).reshape(-1, 4) for name, text in said["places"].items()}
    return Stored(said["weak"], said["seed"], places)


def draw(options: argparse.Namespace) -> None:
    """The picture and the tables, from what was stored."""
    stored = read_all(options.out) if options.out else kept()
    weak = np.ones_like(next(iter(stored.places.values())))  # against three of itself it need not be played
    shown = {PAPER[0] if stored.weak == "weak" else stored.weak: weak, **stored.places}
    names, places = list(shown), list(shown.values())
    with np.errstate(invalid="ignore"):  # the stable rank of who is never fourth is infinite, and shown as a dash
        samples = [resample_stable(one, times=options.times) for one in places]
        print("\n".join(table(names, places, samples)), end="\n\n")
        print("\n".join(differences(shown)))
    if options.png:
        plot(names, samples, f"{places[0].sum():,} hanchan each against three of {stored.weak}", options.png)


def table(names: list[str], places: list[np.ndarray], samples: list[np.ndarray]) -> list[str]:
    """A row for each player."""
    lines = [
        "| player | hanchan | average rank, 95 % | stable rank, dan | its quartiles |",
        "|---|---:|---:|---:|---:|",
    ]
    for name, one, drawn in zip(names, places, samples, strict=True):
        mean, half = mean_interval(mean_ranks(one))
        quartiles = " / ".join(dan(value) for value in np.percentile(drawn, (25, 50, 75)))
        stable = dan(float(stable_rank(one.sum(0))))
        lines.append(f"| {name} | {one.sum():,} | {mean:.3f} ± {half:.3f} | {stable} | {quartiles} |")
    return lines


def dan(value: float, form: str = ".2f") -> str:
    """A stable rank, or a difference of two."""
    return format(value, form) if np.isfinite(value) else "-"


def differences(places: dict[str, np.ndarray]) -> list[str]:
    """Each player less the first, and each of STEPS less the one before it, on the same deals."""
    first, *others = places
    pairs = [(name, first) for name in others]
    pairs += [(name, before) for before, name in pairwise(STEPS) if name in others and before in others]
    lines = ["| on the same deals | average rank, 95 % | stable rank, dan, 95 % | p |", "|---|---:|---:|---:|"]
    for name, other in pairs:
        now, before = places[name], places[other]
        found = compare(name, other, mean_ranks(now) - mean_ranks(before), int(now[0].sum()))
        drawn = np.random.default_rng(0).integers(len(now), size=(1000, len(now)))
        ranks = [stable_rank(now[rows].sum(0)) - stable_rank(before[rows].sum(0)) for rows in drawn]
        low, high = np.percentile(ranks, (2.5, 97.5))
        apart = stable_rank(now.sum(0)) - stable_rank(before.sum(0))
        stable = f"{dan(apart, '+.2f')} ({dan(low, '+.2f')} to {dan(high, '+.2f')})"
        lines.append(f"| {name} - {other} | {found.difference:+.3f} ± {found.half:.3f} | {stable} | {found.p:.4f} |")
    return lines


def plot(names: list[str], samples: list[np.ndarray], title: str, path: Path) -> None:
    """Box plots: quartiles, whiskers of 1.5 times their distance, and outliers."""
    figure = new_figure(1.6 + 1.2 * len(names), 4.5)
    axis = figure.subplots()
    axis.boxplot([one[np.isfinite(one)] for one in samples], widths=0.5, flierprops={"marker": ".", "markersize": 3})
    axis.set_xticks(range(1, len(names) + 1), names)
    axis.set_ylabel("stable rank, dan")
    axis.grid(axis="y", alpha=0.3)
    figure.suptitle(title, fontsize=9)
    path.parent.mkdir(parents=True, exist_ok=True)
    save_figure(figure, path)
    print(f"\nwritten: {path}")


def main() -> None:
    """Play, draw, or keep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("play")
    one.add_argument("players", nargs="*", metavar="NAME=AGENT", default=BUNDLED, help="default: " + " ".join(BUNDLED))
    one.add_argument("--weak", default="weak", help="who sits in the other three seats")
    reinforcement.add_match_options(one, 10_000, 8, OUT)
    one.set_defaults(do=play)
    other = commands.add_parser("draw")
    other.add_argument("--times", type=int, default=1000)
    other.add_argument("--png", type=Path)
    other.set_defaults(do=draw)
    third = commands.add_parser("keep")
    third.set_defaults(do=keep)
    third.add_argument("--out", type=Path, default=OUT)
    other.add_argument("--out", type=Path, help="a folder of `play`; left out: the places that are kept here")
    options = parser.parse_args()
    try:
        options.do(options)
    except ValueError as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
