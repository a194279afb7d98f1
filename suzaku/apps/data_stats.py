"""`suzaku data stats`: figures of a store."""

from typing import TYPE_CHECKING, Annotated

import typer

from suzaku.apps import data_options as opt
from suzaku.apps.errors import check_out, clear_errors

if TYPE_CHECKING:
    from rich.table import Table

    from suzaku.records.views.stats import Stats


def stats(
    store: opt.StorePath,
    plot: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Also draw plots into this file (.png, .svg, .pdf); needs matplotlib."),
    ] = None,
    min_dan: opt.MinDan = None,
    since: opt.Since = "",
    until: opt.Until = "",
    length: opt.Length = "",
    source: opt.Source = "",
) -> None:
    """Show what a store holds: games, decisions of each type, players' dan, and the rates that players know.

    The win, deal-in, riichi and call rates are a check of the whole chain: at Tenhou's top table they are near 21, 12,
    17 and 34 per cent. Of MCR the fans are counted instead of the yaku.

    Example: suzaku data stats store --plot stats.png
    """
    with clear_errors():
        from rich.console import Console

        from suzaku.apps.compiling.start import prepare
        from suzaku.records.filters import Filters
        from suzaku.records.store import Store
        from suzaku.records.views.stats import collect_stats

        path = None if plot is None else check_out(plot)
        if path is not None:
            from suzaku.figures import check_plot

            check_plot(path)
        opened = Store(store)
        filters = Filters(min_dan, since, until, length, source)
        prepare("records", *(["mcr"] if opened.has_games_of("mcr") else []))
        with opt.counting("games") as count:
            found = collect_stats(opened, filters, progress=lambda n: count(n, f"of {len(opened):,}"))
        console = Console()
        for table in _tables(found):
            console.print(table)
        if path is not None:
            from suzaku.records.views.plots import plot_stats

            plot_stats(found, path)
            typer.echo(f"plots: {plot}")


def _table(title: str, *columns: str) -> "Table":
    from rich import box
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    for i, column in enumerate(columns):
        table.add_column(column, justify="right" if i else "left")
    return table


def _tables(found: "Stats") -> "list[Table]":
    from suzaku.records.views.plots import dan_name
    from suzaku.words import amount

    t = found.counts
    store = _table("store", "", "")
    for name, value in [
        ("games", found.games), ("walls wholly known", found.known), ("rounds", int(t.rounds)),
        ("actions", int(t.actions)), ("actions of absent players", int(t.away)), ("bytes of the store", found.bytes),
    ]:  # fmt: skip
        store.add_row(name, f"{value:,}")
    types = _table("decisions", "type", "asked", "taken", "%")
    for name, asked, taken in found.decisions():
        types.add_row(
            name, f"{asked:,}", f"{taken:,}", f"{100 * taken / asked:.1f}" if asked and name != "discard" else ""
        )
    rates = _table("rates", "", "", "")
    for name, rate, unit in found.rates():
        rates.add_row(name, amount(rate, 0 if rate >= 1000 else 2), unit)
    dans = _table("players by dan", "dan", "seats")
    for dan, n in sorted(found.dan.items()):
        dans.add_row(dan_name(dan), f"{n:,}")
    results = _table("rounds by result", "result", "rounds", "%")
    for name, n in found.results():
        results.add_row(name, f"{n:,}", f"{100 * n / max(int(t.rounds), 1):.3f}")
    parts = _table(found.counted.parts_name, "", "wins", "%")
    for name, n in found.parts()[:20]:
        parts.add_row(name, f"{n:,}", f"{100 * n / max(int(t.wins), 1):.2f}")
    return [store, types, rates, dans, results, parts]
