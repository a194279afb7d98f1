"""Winning scores by self-play (Mizukami and Tsuruoka): Table 5, learning curves, calibration, and the picture of EFR.

    python reproduce/winning_scores.py [table] [curves RUN ...] [calibration] [efr]

With no argument, all of them but the curves. `curves` takes the folders of training runs. Prints Markdown; draws
docs/images/winning-scores-*.png. The models were trained by

    suzaku train winning-scores --model mcp --opponents drawing --set tiles=83 --out runs/mcp-drawing
    suzaku train winning-scores --model mcp --opponents one-player --out runs/mcp
    suzaku train winning-scores --model bcp --opponents one-player --out runs/bcp

and Tables 6 and 7 are `suzaku arena efr:NAME heuristic --games 4000 --seed 1`.
"""

import json
import sys
from pathlib import Path

import numpy as np
import torch

from suzaku.learning.loop import STATE, unpack
from suzaku.plots import new_figure, save_figure
from suzaku.riichi.game import SITUATION
from suzaku.winning_scores.efr import ExpectedRank
from suzaku.winning_scores.hand import AIMS, LIVE, WHOLE
from suzaku.winning_scores.learner import Success, samples, success
from suzaku.winning_scores.model import OPPONENTS, Model, load_model
from suzaku.winning_scores.play import DRAWING, ONE_PLAYER

IMAGES = Path("docs/images")
SEED = 20
HALF = 0.002  # the widest interval is this to either side
PIECE = 20_000  # hands played before looking at the interval again
CALIBRATED = 20_000  # hands of each model and aim in the calibration
DRAWN, PLAYED = (0.6411, 0.5235, 0.3169, 0.1708), (0.2446, 0.1979, 0.1278, 0.0734)  # the paper's baselines
ROWS = (  # player, the bundled model, opponents, tiles to draw, the paper's figures
    ("baseline, no aim", "", DRAWING, LIVE, DRAWN),
    ("baseline, no aim", "", DRAWING, WHOLE, DRAWN),
    ("baseline", "", DRAWING, WHOLE, DRAWN),
    ("MCP", "mcp-drawing", DRAWING, WHOLE, (0.6574, 0.5450, 0.3663, 0.2274)),
    ("baseline, no aim", "", ONE_PLAYER, LIVE, PLAYED),
    ("baseline, no aim", "", ONE_PLAYER, WHOLE, PLAYED),
    ("baseline", "", ONE_PLAYER, LIVE, PLAYED),
    ("MCP", "mcp", ONE_PLAYER, LIVE, (0.2318, 0.1833, 0.1296, 0.0825)),
    ("BCP", "bcp", ONE_PLAYER, LIVE, (0.2382, 0.1863, 0.1267, 0.0793)),
)


def measured(model: Model | None, aim: int, opponents: int, tiles: int, counted: int) -> Success:
    """Hands until the interval of those won with `counted` han is narrow enough; every player gets the same ones."""
    found = success(model, aim, opponents, 3 * PIECE, SEED, tiles).counted_for(counted)
    while found.half >= HALF:
        more = success(model, aim, opponents, PIECE, SEED + found.hands, tiles)
        found = Success(counted, tuple(a + b for a, b in zip(found.counts, more.counts, strict=True)))
    return found


def table() -> list[str]:
    """Table 5."""
    lines = [
        "| player | opponents | tiles to draw | hands learnt | >= 1 han | >= 2 | >= 3 | >= 4 |",
        "|---|---|---:|---:|---|---|---|---|",
    ]
    for player, name, opponents, tiles, paper in ROWS:
        model = load_model(name) if name else None
        cells = []
        for counted in range(1, AIMS + 1):
            aim = 1 if "no aim" in player else counted
            found = measured(model, aim, opponents, tiles, counted)
            cells.append(f"{found.rate:.4f} ± {found.half:.4f} ({paper[counted - 1]:.4f})")
        told = next(text for text, number in OPPONENTS.items() if number == opponents)
        learnt = f"{model.about['hands']:,}" if model else ""
        lines.append(f"| {player} | {told} | {tiles} | {learnt} | {' | '.join(cells)} |")
        print(lines[-1], file=sys.stderr, flush=True)
    return lines


def curves(folders: list[str], path: Path) -> list[str]:
    """The success rates over the hands learnt, as the runs looked at them."""
    figure = new_figure(5 * len(folders), 4)
    lines = []
    for axes, folder in zip(figure.subplots(1, len(folders), squeeze=False)[0], folders, strict=True):
        state = unpack(torch.load(Path(folder) / STATE, map_location="cpu", weights_only=True))
        config, curve = json.loads(state["config"]), json.loads(state["curve"])
        hands = [row["step"] * config["step_hands"] for row in curve]
        title = f"{config['model']}, opponents {config['opponents']}"
        lines += [f"{title}:", "", "| hands | >= 1 han | >= 2 | >= 3 | >= 4 |", "|---:|---|---|---|---|"]
        for n, row in zip(hands, curve, strict=True):
            lines.append(f"| {n:,} | " + " | ".join(f"{row[f'at_least_{a}_han']:.3f}" for a in range(1, 5)) + " |")
        for aim in range(1, AIMS + 1):
            axes.plot(hands, [row[f"at_least_{aim}_han"] for row in curve], marker="o", label=f">= {aim} han")
        axes.set(xscale="log", xlabel="hands learnt", ylabel="success rate", title=title)
        axes.grid(alpha=0.3)
        axes.legend()
        lines.append("")
    save_figure(figure, path)
    return lines


def calibration(path: Path, hands: int) -> list[str]:
    """What the models said at a random position of hands they played with random aims, and how often it came true."""
    names = [(name, opponents, tiles) for _, name, opponents, tiles, _ in ROWS if name]
    figure = new_figure(5 * len(names), 4.5)
    lines = ["| model | aim | said, by tenths of the positions | came true | mean error |", "|---|---|---|---|---|"]
    for axes, (name, opponents, tiles) in zip(figure.subplots(1, len(names), squeeze=False)[0], names, strict=True):
        model = load_model(name)
        for aim in range(1, AIMS + 1):
            said, han = samples(model, aim if name == "bcp" else 0, opponents, hands, SEED + 1, tiles)
            stated, true = said[:, aim:].sum(1), han >= aim
            parts = np.array_split(np.argsort(stated), 10)
            x, y = np.array([[stated[part].mean(), true[part].mean()] for part in parts]).T
            axes.plot(x, y, marker="o", label=f">= {aim} han")
            low, high = (" ".join(f"{v:.2f}" for v in values) for values in (x, y))
            lines.append(f"| {name} | {aim} | {low} | {high} | {np.abs(x - y).mean():.4f} |")
        axes.plot([0, 1], [0, 1], color="grey", linewidth=1)
        axes.set(xlabel="said", ylabel="came true", title=name)
        axes.grid(alpha=0.3)
        axes.legend()
    save_figure(figure, path)
    return lines


def efr(path: Path) -> None:
    """Expected final rank over a seat's points, the others' being equal, as the game goes on."""
    ranks = ExpectedRank()
    own = np.arange(0, 60_001, 500)
    figure = new_figure(6, 4.5)
    axes = figure.subplots(1, 1)
    for name, number in (("east 1", 0), ("east 4", 3), ("south 2", 5), ("south 3", 6), ("south 4", 7)):
        rows = np.zeros(len(own), SITUATION)
        rows["round_no"], rows["dealer"] = number, number % 4
        rows["scores"] = ((100_000 - own) / 3)[:, None]
        seat = (number + 2) % 4
        rows["scores"][:, seat] = own
        axes.plot(own / 1000, 4 - 3 * ranks.values(rows, seat), label=name)
    axes.invert_yaxis()
    axes.set(xlabel="thousand points, the others' being equal", ylabel="expected final rank", title="EFR, not dealing")
    axes.grid(alpha=0.3)
    axes.legend()
    save_figure(figure, path)


def main(asked: list[str]) -> None:
    """What was asked for."""
    if "curves" in asked:
        at = asked.index("curves")
        print("\n".join(curves(asked[at + 1 :], IMAGES / "winning-scores-curves.png")))
        asked = asked[:at]
        if not asked:
            return
    for name in asked or ["table", "calibration", "efr"]:
        if name == "table":
            print("\n".join(table()), "\n")
        elif name == "calibration":
            print("\n".join(calibration(IMAGES / "winning-scores-calibration.png", CALIBRATED)), "\n")
        elif name == "efr":
            efr(IMAGES / "winning-scores-efr.png")
        else:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
