"""Plots of a store's figures. Needs matplotlib."""

from pathlib import Path

import numpy as np

from suzaku.figures import check_plot, new_figure, save_figure
from suzaku.records.formats.tenhou6_names import DAN
from suzaku.records.views.stats import Stats


def dan_name(dan: int) -> str:
    """A dan in English, from Tenhou's number."""
    if not 0 <= dan < len(DAN):
        return "unknown"
    return "new" if dan == 0 else f"{10 - dan} kyu" if dan < 10 else "Tenhou" if dan == 20 else f"{dan - 9} dan"


def plot_stats(stats: Stats, path: Path) -> None:
    """Draw the figures into one picture (PNG, SVG or PDF by the ending)."""
    check_plot(path)
    figure = new_figure(15, 8.5)
    axes = figure.subplots(2, 3)
    figure.suptitle(f"{stats.games:,} games, {int(stats.counts.rounds):,} rounds")
    dans = sorted(stats.dan)
    _bars(axes[0, 0], "players by dan", [dan_name(dan) for dan in dans], [stats.dan[dan] for dan in dans])
    years = sorted(stats.years)
    _bars(axes[0, 1], "games by year", years, [stats.years[year] for year in years])
    rates = [(name, value) for name, value, unit in stats.rates() if unit == "% of hands"]
    _bars(axes[0, 2], "rates, % of hands", [name for name, _ in rates], [value for _, value in rates])
    points = stats.counts.points
    axes[1, 0].bar(np.arange(49), points[:49])
    axes[1, 0].set_title("wins by worth")
    axes[1, 0].set_xlabel(stats.counted.points_unit)
    parts = stats.parts()[:15][::-1]
    share = [100 * n / max(int(stats.counts.wins), 1) for _, n in parts]
    axes[1, 1].barh([name for name, _ in parts], share)
    axes[1, 1].set_title(f"{stats.counted.parts_name}, % of wins")
    results = stats.results()[::-1]
    axes[1, 2].barh([name for name, _ in results], [n for _, n in results])
    axes[1, 2].set_xscale("log")
    axes[1, 2].set_title("rounds by result")
    save_figure(figure, path)


def _bars(axis, title: str, names: list[str], values: list) -> None:
    axis.bar(names, values)
    axis.set_title(title)
    axis.tick_params(axis="x", rotation=90 if len(names) > 12 else 45)
