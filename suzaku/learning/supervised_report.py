"""What the report of supervised learning says: the figures of the best model on validation or test games."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from suzaku.learning.learner import Report
from suzaku.learning.loop import BEST
from suzaku.learning.unseen import Unseen
from suzaku.networks import checkpoint
from suzaku.networks.names import parse

if TYPE_CHECKING:
    from suzaku.learning.supervised import Supervised

PAPERS = {  # what the papers report, per cent
    "suphx": {"discard": 76.7, "riichi": 85.7, "chow": 95.0, "pong": 91.9, "kong": 94.0},  # Table 3
    "gao": {"discard": 70.44, "riichi": 75.9, "chow": 90.6, "pong": 88.3},
    "mcr": {"discard": 71.5, "pong": 92.4, "chow": 90.7},  # Table 2; its players were people
}
EVERYTHING = 10**9
VALIDATION = 50_000  # samples of the validation games that are reported on


def report(learner: "Supervised", folder: Path) -> Report:
    """Evaluate the best model of a run, and keep the figures in its checkpoint.

    They are those of the validation games, or of the games of a test store that the model was not made with.
    """
    from suzaku.learning.supervised import evaluate_model

    config, device = learner.config, learner.process.device
    module, info = checkpoint.load(folder / BEST)
    module.to(device)
    if learner.test is not None:
        unseen = Unseen(learner.test, learner.store)
        split, note = "test", unseen.said()
        results = evaluate_model(module, unseen, config, "", EVERYTHING, device)
    else:
        split, note = "validation", ""
        results = evaluate_model(module, learner.store, config, split, VALIDATION, device)
    info["results"][split] = results
    checkpoint.save(folder / BEST, module, info)

    def draw(panel: Any) -> None:
        _draw_calibration(panel, results["calibration"])

    return Report(_lines(config.network, config.model, split, results, note), results, (draw,))


def _lines(network: str, model: str, split: str, results: dict[str, Any], note: str) -> list[str]:
    """The figures as Markdown, with a note on the games they are from."""
    paper = PAPERS.get(parse(network).family.player, {}).get(model)
    compared = f"; the paper {paper} %" if paper else ""
    lines = [
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
        lines += _table(title, results[key]) if results[key] else []
    lines += ["| stated probability | right | samples |", "|---|---|---|"]
    lines += [f"| {stated:.1%} | {share:.2%} | {n:,} |" for stated, share, n in results["calibration"]]
    return [*lines, ""]


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


def _draw_calibration(panel: Any, calibration: list[tuple[float, float, int]]) -> None:
    stated, share, _ = zip(*calibration, strict=True)
    panel.plot([0, 1], [0, 1], color="grey", linewidth=1)
    panel.plot(stated, share, marker="o")
    panel.set(xlabel="stated probability", ylabel="share right", title="calibration")
    panel.grid(alpha=0.3)
