"""Pictures of a match: box plots of the stable rank like Fig. 8 and 12 of the Suphx paper, and bars of the places.

Needs matplotlib.
"""

from pathlib import Path

import numpy as np

from suzaku.arena.report import headline
from suzaku.arena.summary import Summary
from suzaku.figures import new_figure, save_figure

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
    for place, (label, colour) in enumerate(zip(("1st", "2nd", "3rd", "4th"), COLOURS, strict=True)):
        bars = axis.barh(range(len(names)), rates[:, place], left=left, color=colour, label=label)
        axis.bar_label(bars, [f"{rate:.1f}" if rate >= 4 else "" for rate in rates[:, place]], label_type="center")
        left += rates[:, place]
    axis.set_yticks(range(len(names)), names)
    axis.set_xlim(0, 100)
    axis.set_xlabel("% of games")
    figure.legend(*axis.get_legend_handles_labels(), ncols=4, loc="outside upper right", fontsize=8)
    figure.suptitle(headline(summary), fontsize=9, x=0.02, ha="left")
    save_figure(figure, path)
