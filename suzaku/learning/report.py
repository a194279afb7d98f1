"""The report of a run: what the learner says of itself, then curves, pieces and settings, as Markdown and a picture."""

import json
from pathlib import Path
from typing import Any

from suzaku.learning.learner import UNKNOWN, Piece, Report, duration, totals
from suzaku.learning.loop import Run
from suzaku.plots import have_matplotlib, new_figure, save_figure
from suzaku.system import write_whole


def write_report(run: Run) -> tuple[Path, dict[str, Any]]:
    """Write report.md, and report.png where matplotlib is, into a run's folder; the page, and the learner's figures."""
    said = run.learner.report(run.folder)
    page = markdown(run, said)
    if _plot(run.curve, said, run.folder / "report.png"):
        page += "\n![Curves](report.png)\n"
    path = run.folder / "report.md"
    write_whole(path, page.encode())
    return path, said.results


def markdown(run: Run, said: Report) -> str:
    """The page."""
    lines = [f"# {run.learner.title}", "", *said.lines]
    if run.curve:
        last = run.curve[-1]
        figures = ", ".join(_figure(name, last, said) for name in last if name not in _not_alone(said))
        lines += [f"Last validation, at step {run.curve[-1]['step']:,}: {figures}.", ""]
    if run.pieces:
        lines += _pieces(run.pieces)
    settings = "\n".join(f"{key} = {json.dumps(value)}" for key, value in run.learner.settings().items())
    return "\n".join([*lines, "Settings:", "", "```toml", settings, "```", ""])


def _not_alone(said: Report) -> set[str]:
    """Names of the validation curves that go with others."""
    return {"step", *said.intervals.values()}


def _figure(name: str, row: dict[str, float], said: Report) -> str:
    """A point of a validation curve, with its interval and unit."""
    half = said.intervals.get(name, "")
    interval = f" ± {row[half]:.4g}" if half in row else ""
    return f"{name} {row[name]:.4g}{interval} {said.units.get(name, '')}".rstrip()


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


def _plot(curve: list[dict[str, float]], said: Report, path: Path) -> bool:
    """Draw the curves and what the learner draws; whether there is anything to draw, and matplotlib to do it."""
    aside = {*_not_alone(said), *said.undrawn}
    names = list(dict.fromkeys(name for row in curve for name in row if name not in aside))
    count = len(names) + len(said.panels)
    if not count or not have_matplotlib():
        return False
    figure = new_figure(5 * count, 4)
    panels = figure.subplots(1, count, squeeze=False)[0]
    for panel, name in zip(panels, names, strict=False):
        rows = [row for row in curve if name in row]
        half = said.intervals.get(name, "")
        steps, values = [row["step"] for row in rows], [row[name] for row in rows]
        if half:
            panel.errorbar(steps, values, [row.get(half, 0.0) for row in rows], marker="o", markersize=3, capsize=2)
        else:
            panel.plot(steps, values, marker="o", markersize=3)
        panel.set(xlabel="step", ylabel=said.units.get(name, f"validation {name}"), title=name)
        panel.grid(alpha=0.3)
    for panel, draw in zip(panels[len(names) :], said.panels, strict=True):
        draw(panel)
    save_figure(figure, path, dpi=90)
    return True
