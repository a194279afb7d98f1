"""The figures of a match as a table for the terminal, as Markdown, as JSON and as pictures.

- The figures of a match as a table for the terminal, as Markdown and as JSON.
- Pictures of a match: box plots of the stable rank like Fig. 8 and 12 of the Suphx paper, and bars of the places.
"""

import json
import math
from pathlib import Path

import numpy as np
from rich import box
from rich.console import Group
from rich.table import Table

from suzaku.arena.statistics import Comparison, with_half
from suzaku.arena.summary import Entrant, Summary
from suzaku.plots import new_figure, save_figure
from suzaku.system import amount, some
from suzaku.table.game import game_named

PLACES = ("1st %", "2nd %", "3rd %", "4th %")


def entrant_rows(summary: Summary) -> list[tuple[str, list[str]]]:
    """The label of each figure, and its value for every entrant."""
    entrants, game = summary.entrants, game_named(summary.game)
    rows: list[tuple[str, list[str]]] = [
        ("games", [f"{e.games:,}" for e in entrants]),
        ("average rank, 95 %", [with_half(f"{e.average_rank:.3f}", e.half, 3) for e in entrants]),
    ]
    rows += [(label, [f"{e.place_rates()[i]:.1f}" for e in entrants]) for i, label in enumerate(PLACES[: game.seats])]
    rows += (
        [
            ("stable rank, dan", [_number(e.stable_rank, 2) for e in entrants]),
            ("its quartiles", [_quartiles(e) for e in entrants]),
            ("record rank", [e.record_rank for e in entrants]),
        ]
        if game.ladder
        else []
    )
    rows += [(label, _rate(entrants, name, digits)) for label, name, digits in game.shown_rates]
    rows += [
        ("points a round", [f"{e.points_a_round:+,.0f}" for e in entrants]),
        ("final points a game, 95 %", [with_half(f"{e.points_a_game:+,.1f}", e.points_half, 1) for e in entrants]),
        *([] if game.ladder or math.isnan(entrants[0].rank_points) else [_rank_points(entrants)]),
        ("ms a decision", [f"{e.milliseconds:.3f}" for e in entrants]),
    ]
    if any(e.faults for e in entrants):
        words = [", ".join(f"{fault} {n:,}" for fault, n in sorted(e.faults.items())) or "0" for e in entrants]
        rows.append(("replaced answers", words))
    return rows


def headline(summary: Summary) -> str:
    """What was played, in a line."""
    length = game_named(summary.game).lengths[summary.length]
    more = "" if summary.complete else ", interrupted"
    played = f"{summary.mode}, {summary.games:,} {length} on {some(summary.deals, 'deal')}"
    return f"{played}, seed {summary.seed}, rules {summary.rules}{more}"


def comparison_row(c: Comparison, digits: int = 3) -> tuple[str, str, str, str]:
    """Who, by how much, how sure, and how many more games would tell."""
    needed = "-" if c.games_needed is None else f"{c.games_needed:,}"
    p = "-" if math.isinf(c.half) else "< 0.0001" if c.p < 0.0001 else f"{c.p:.4f}"
    return f"{c.first} - {c.second}", with_half(f"{c.difference:+.{digits}f}", c.half, digits), p, needed


def _rank_points(entrants: list[Entrant]) -> tuple[str, list[str]]:
    return "rank points a deal", [f"{e.rank_points:.3f}" for e in entrants]


COMPARED = ("on the same deals", "average rank", "p", "games still needed")
BY_POINTS = ("on the same deals", "final points a game", "p", "games still needed")


def compared_tables(summary: Summary) -> list[tuple[tuple[str, ...], list[tuple[str, ...]]]]:
    """Columns and rows of the comparisons: by rank, and by points where these are what a game is about."""
    tables = [(COMPARED, [comparison_row(c) for c in summary.comparisons])]
    if not game_named(summary.game).ladder:
        tables.append((BY_POINTS, [comparison_row(c, 2) for c in summary.point_comparisons]))
    return tables  # type: ignore[return-value]


def to_rich(summary: Summary) -> Group:
    """The tables for a terminal."""
    figures = Table(title=headline(summary), title_justify="left", box=box.SIMPLE_HEAD)
    figures.add_column("")
    for entrant in summary.entrants:
        figures.add_column(entrant.name, justify="right")
    for label, values in entrant_rows(summary):
        figures.add_row(label, *values)
    grids = []
    for columns, rows in compared_tables(summary):
        compared = Table(box=box.SIMPLE_HEAD)
        for i, column in enumerate(columns):
            compared.add_column(column, justify="right" if i else "left")
        for row in rows:
            compared.add_row(*row)
        grids.append(compared)
    if summary.mode.startswith("1v"):
        seats = game_named(summary.game).seats
        rest = {3: "two of one agent, a third", 4: "three of one agent, a fourth"}[seats]
        even = f"against {rest} of its kind would come to {(seats + 1) / 2:g}"
        grids[0].caption = f"{even}: this is the difference from it"
        grids[0].caption_justify = "left"
    return Group(figures, *grids, *([summary.note, ""] if summary.note else []))


def to_markdown(summary: Summary) -> str:
    """The tables as Markdown."""
    lines = [headline(summary), ""]
    lines += _markdown(["", *(_escaped(e.name) for e in summary.entrants)])
    lines += ["| " + " | ".join([label, *values]) + " |" for label, values in entrant_rows(summary)]
    for columns, rows in compared_tables(summary):
        lines += ["", *_markdown(list(columns))]
        lines += ["| " + " | ".join([_escaped(row[0]), *row[1:]]) + " |" for row in rows]
    lines += ["", summary.note] if summary.note else []
    return "\n".join(lines) + "\n"


def to_json(summary: Summary) -> str:
    """The figures as JSON."""
    return json.dumps(summary.to_json(), indent=2, ensure_ascii=False) + "\n"


def _markdown(columns: list[str]) -> list[str]:
    return ["| " + " | ".join(columns) + " |", "|---|" + "---:|" * (len(columns) - 1)]


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


def _rate(entrants: list[Entrant], name: str, digits: int = 2) -> list[str]:
    return [amount(e.rates[name], digits) for e in entrants]


def _number(value: float, digits: int) -> str:
    return "∞" if math.isinf(value) else f"{value:.{digits}f}"


def _quartiles(e: Entrant) -> str:
    return " / ".join(_number(value, 2) for value in e.stable_quartiles)


# Needs matplotlib.

COLOURS = ("#2a6f97", "#89c2d9", "#f4a261", "#c1121f")  # first to fourth


def plot_stable(summary: Summary, path: Path) -> None:
    """Box plots of the resampled stable ranks: quartiles, whiskers of 1.5 times their distance, and outliers."""
    figure = new_figure(1.6 + 1.3 * len(summary.entrants), 4.5)
    axis = figure.subplots()
    samples = [e.samples[np.isfinite(e.samples)] for e in summary.entrants]
    axis.boxplot(samples, widths=0.5, flierprops={"marker": ".", "markersize": 3})
    axis.set_xticks(range(1, len(samples) + 1), [e.name for e in summary.entrants])
    for i, sample in enumerate(samples, 1):
        if not len(sample):
            axis.text(i, 0.5, "never\nfourth", ha="center", va="center", transform=axis.get_xaxis_transform())
    axis.set_ylabel("stable rank, dan")
    axis.grid(axis="y", alpha=0.3)
    figure.suptitle(headline(summary), fontsize=9)
    save_figure(figure, path)


def plot_places(summary: Summary, path: Path) -> None:
    """A bar for each entrant, divided by how often it came first to fourth."""
    figure = new_figure(7.0, 1.4 + 0.6 * len(summary.entrants))
    axis = figure.subplots()
    names = [e.name for e in summary.entrants][::-1]
    rates = np.array([e.place_rates() for e in summary.entrants])[::-1]
    left = np.zeros(len(names))
    for place, (label, colour) in enumerate(list(zip(PLACES, COLOURS, strict=True))[: rates.shape[1]]):
        bars = axis.barh(range(len(names)), rates[:, place], left=left, color=colour, label=label.removesuffix(" %"))
        axis.bar_label(bars, [f"{rate:.1f}" if rate >= 4 else "" for rate in rates[:, place]], label_type="center")
        left += rates[:, place]
    axis.set_yticks(range(len(names)), names)
    axis.set_xlim(0, 100)
    axis.set_xlabel("% of games")
    figure.legend(*axis.get_legend_handles_labels(), ncols=4, loc="outside upper right", fontsize=8)
    figure.suptitle(headline(summary), fontsize=9, x=0.02, ha="left")
    save_figure(figure, path)
