"""The figures of a match as a table for the terminal, as Markdown and as JSON."""

import json
import math

from rich import box
from rich.console import Group
from rich.table import Table

from suzaku.arena.spread import Comparison
from suzaku.arena.summary import Entrant, Summary
from suzaku.game import game_named
from suzaku.words import amount

PLACES = ("1st %", "2nd %", "3rd %", "4th %")


def entrant_rows(summary: Summary) -> list[tuple[str, list[str]]]:
    """The label of each figure, and its value for every entrant."""
    entrants, game = summary.entrants, game_named(summary.game)
    rows: list[tuple[str, list[str]]] = [
        ("games", [f"{e.games:,}" for e in entrants]),
        ("average rank, 95 %", [f"{e.average_rank:.3f} ± {_number(e.half, 3)}" for e in entrants]),
    ]
    rows += [(label, [f"{e.place_rates()[i]:.1f}" for e in entrants]) for i, label in enumerate(PLACES)]
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
        ("final points a game", [f"{e.points_a_game:+,.1f}" for e in entrants]),
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
    played = f"{summary.mode}, {summary.games:,} {length} on {summary.deals:,} deals"
    return f"{played}, seed {summary.seed}, rules {summary.rules}{more}"


def comparison_row(c: Comparison) -> tuple[str, str, str, str]:
    """Who, by how much, how sure, and how many more games would tell."""
    needed = "-" if c.games_needed is None else f"{c.games_needed:,}"
    p = "< 0.0001" if c.p < 0.0001 else f"{c.p:.4f}"
    return f"{c.first} - {c.second}", f"{c.difference:+.3f} ± {_number(c.half, 3)}", p, needed


COMPARED = ("on the same deals", "average rank", "p", "games still needed")


def to_rich(summary: Summary) -> Group:
    """The tables for a terminal."""
    figures = Table(title=headline(summary), title_justify="left", box=box.SIMPLE_HEAD)
    figures.add_column("")
    for entrant in summary.entrants:
        figures.add_column(entrant.name, justify="right")
    for label, values in entrant_rows(summary):
        figures.add_row(label, *values)
    compared = Table(box=box.SIMPLE_HEAD)
    for i, column in enumerate(COMPARED):
        compared.add_column(column, justify="right" if i else "left")
    for comparison in summary.comparisons:
        compared.add_row(*comparison_row(comparison))
    if summary.mode == "1v3":
        compared.caption = (
            "against three of one agent, a fourth of its kind would come to 2.5: this is the difference from it"
        )
        compared.caption_justify = "left"
    return Group(figures, compared)


def to_markdown(summary: Summary) -> str:
    """The tables as Markdown."""
    lines = [headline(summary), ""]
    lines += _markdown(["", *(_escaped(e.name) for e in summary.entrants)])
    lines += ["| " + " | ".join([label, *values]) + " |" for label, values in entrant_rows(summary)]
    lines += ["", *_markdown(list(COMPARED))]
    lines += [
        "| " + " | ".join([_escaped(row[0]), *row[1:]]) + " |" for row in map(comparison_row, summary.comparisons)
    ]
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
