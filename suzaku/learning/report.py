"""The report of a run of supervised training: Markdown and pictures beside the checkpoint."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from suzaku.figures import have_matplotlib, new_figure, save_figure
from suzaku.learning.pieces import UNKNOWN, Piece, duration, totals
from suzaku.learning.unseen import Unseen
from suzaku.networks import checkpoint
from suzaku.networks.names import parse

if TYPE_CHECKING:
    from suzaku.learning.loop import Run

PAPERS = {  # what the papers report, per cent
    "suphx": {"discard": 76.7, "riichi": 85.7, "chow": 95.0, "pong": 91.9, "kong": 94.0},  # Table 3
    "gao": {"discard": 70.44, "riichi": 75.9, "chow": 90.6, "pong": 88.3},
}
EVERYTHING = 10**9
VALIDATION = 50_000  # samples of the validation games that are reported on


def _table(title: str, rows: dict[str, tuple[float, int]]) -> list[str]:
    lines = [f"| {title} | right | samples |", "|---|---|---|"]
    return [*lines, *(f"| {key} | {share:.2%} | {n:,} |" for key, (share, n) in rows.items()), ""]


def _confusion(classes: dict[str, Any]) -> list[str]:
    """A row for every answer that was given, with how often the model guessed each."""
    names = ("no", "yes") if len(classes["confusion"]) == 2 else ("none", "lowest", "middle", "highest")
    lines = [f"| | guessed {' | '.join(names)} | precision | recall | F1 |", "|---|" + "---|" * (len(names) + 3)]
    for i, (name, row) in enumerate(zip(names, classes["confusion"], strict=True)):
        figures = [f"{n:,}" for n in row] + [f"{classes[key][i]:.3f}" for key in ("precision", "recall", "f1")]
        lines.append(f"| {name} | {' | '.join(figures)} |")
    return [*lines, ""]


def _pieces(pieces: list[Piece]) -> list[str]:
    """All starts of the run, whatever the machine, and what they come to."""
    lines = [f"Trained: {totals(pieces)}.", ""]
    if len(pieces) == 1:
        return lines
    lines += ["| began (UTC) | steps | samples | time | machine | computed in |", "|---|---|---|---|---|---|"]
    for p in pieces:
        took = UNKNOWN if p.seconds is None else duration(p.seconds)
        steps = f"{p.first + 1:,} to {p.last:,}" if p.last > p.first else "none"
        lines.append(f"| {p.began} | {steps} | {p.samples:,} | {took} | {p.machine} | {p.precision} |")
    return [*lines, ""]


def markdown(config: dict[str, Any], split: str, results: dict[str, Any], pieces: list[Piece], note: str = "") -> str:
    """The figures as a page, with the pieces of the run and a note on the games the figures are from."""
    paper = PAPERS.get(parse(config["network"]).family.name, {}).get(config["model"])
    compared = f"; the paper {paper} %" if paper else ""
    lines = [
        f"# {config['model']}, {config['network']}",
        "",
        f"On {results['samples']:,} {split} samples: **{results['accuracy']:.2%}** right (95 % interval ± "
        f"{results['interval']:.2%}); the most frequent answer alone {results['majority']:.2%}{compared}.",
        *(["", note] if note else []),
        "",
    ]
    if "top_3" in results:
        lines += [
            f"Without the legal mask {results['unmasked_accuracy']:.2%} ({results['unmasked_legal']:.2%} of choices "
            f"legal); among the first three {results['top_3']:.2%}.",
            "",
        ]
    else:
        lines += _confusion(results["classes"])
    for title, key in (
        ("shanten", "by_shanten"),
        ("own discards", "by_turn"),
        ("others in riichi (0 none, 1 some)", "by_others_riichi"),
    ):
        lines += _table(title, results[key])
    lines += ["| stated probability | right | samples |", "|---|---|---|"]
    lines += [f"| {stated:.1%} | {share:.2%} | {n:,} |" for stated, share, n in results["calibration"]]
    lines.append("")
    if pieces:
        lines += _pieces(pieces)
    settings = "\n".join(f"{key} = {json.dumps(value)}" for key, value in config.items())
    return "\n".join([*lines, "Settings:", "", "```toml", settings, "```", ""])


def _plot(curve: list[dict[str, float]], results: dict[str, Any], path: Path) -> bool:
    """Draw the curve and the calibration; whether matplotlib is there."""
    if not have_matplotlib():
        return False
    figure = new_figure(10, 4)
    left, right = figure.subplots(1, 2)
    left.plot([row["step"] for row in curve], [row["accuracy"] for row in curve], marker="o", markersize=3)
    left.set(xlabel="step", ylabel="validation accuracy", title="learning")
    left.grid(alpha=0.3)
    stated, share, _ = zip(*results["calibration"], strict=True)
    right.plot([0, 1], [0, 1], color="grey", linewidth=1)
    right.plot(stated, share, marker="o")
    right.set(xlabel="stated probability", ylabel="share right", title="calibration")
    right.grid(alpha=0.3)
    save_figure(figure, path, dpi=90)
    return True


def write_report(run: "Run", test: Path | None) -> tuple[Path, dict[str, Any]]:
    """Evaluate the best model of a run; report.md beside it, and the figures.

    They are those of the validation games, or of the games of a test store that the model was not made with.
    """
    from suzaku.learning.loop import BEST
    from suzaku.learning.supervised import Supervised, evaluate_model

    learner = run.learner
    assert isinstance(learner, Supervised)
    config, device = learner.config, learner.process.device
    module, info = checkpoint.load(run.folder / BEST)
    module.to(device)
    unseen = Unseen(test, learner.store) if test else None
    if unseen is not None:
        results = evaluate_model(module, unseen, config, "", EVERYTHING, device)
    else:
        results = evaluate_model(module, learner.store, config, "validation", VALIDATION, device)
    split = "test" if unseen is not None else "validation"
    info["results"][split] = results
    checkpoint.save(run.folder / BEST, module, info)
    note = unseen.said() if unseen is not None else ""
    page = markdown(config.to_dict(), split, results, run.pieces, note)
    if _plot(run.curve, results, run.folder / "report.png"):
        page += "\n![Learning and calibration](report.png)\n"
    path = run.folder / "report.md"
    path.write_text(page, encoding="utf-8")
    return path, results
