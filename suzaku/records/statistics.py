"""Figures of a store: what there is, the rates that players know, and their plots.

- Figures of a store: what there is, and the rates that players know.
- Plots of a store's figures. Needs matplotlib.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from suzaku.plots import check_plot, new_figure, save_figure
from suzaku.records.store import Filters, Store
from suzaku.records.stored import illegal, table_at_start
from suzaku.records.tenhou6 import DAN
from suzaku.records.types import RecordError
from suzaku.table.game import GAMES, Counted, game_named, rates_of


def counted(game: str) -> Counted:
    """How a game is counted."""
    if (found := game_named(game).counted) is None:
        known = [name for name in GAMES if game_named(name).counted]
        raise RecordError(f"games of {game} are not counted; those of {', '.join(known)} are")
    return found


@dataclass
class Stats:
    """The counts of some games, all of one game."""

    game: str
    counted: Counted
    games: int = 0
    bytes: int = 0  # of the store's files
    known: int = 0  # games whose walls are wholly known
    dan: Counter[int] = field(default_factory=Counter)  # players (seats of games) by dan
    years: Counter[str] = field(default_factory=Counter)
    sources: Counter[str] = field(default_factory=Counter)
    places: np.ndarray = field(default_factory=lambda: np.zeros((4, 4), np.int64))  # by first seat and place

    def __post_init__(self) -> None:
        self.tally = np.zeros(1, self.counted.counts)

    @property
    def counts(self) -> np.record:
        """The counts of all rounds together."""
        return self.tally.view(np.recarray)[0]

    def rates(self) -> list[tuple[str, float, str]]:
        """Name, value and unit of the rates that players know."""
        t = self.counts
        return [
            *rates_of(self.counted.rates, t),
            (self.counted.drawn_name, 100 * t.results[self.counted.drawn] / max(int(t.rounds), 1), "% of rounds"),
            ("rounds a game", t.rounds / max(self.games, 1), ""),
        ]

    def decisions(self) -> list[tuple[str, int, int]]:
        """Type of decision, how often it was asked, and how often it was taken."""
        taken, asked = self.counts.taken, self.counts.decisions
        ranges = self.counted.taken.items()
        return [(name, int(asked[i]), int(taken[slice(*found)].sum())) for i, (name, found) in enumerate(ranges)]

    def results(self) -> list[tuple[str, int]]:
        """Rounds by how they ended."""
        return [(self.counted.results[i], int(n)) for i, n in enumerate(self.counts.results) if n]

    def parts(self) -> list[tuple[str, int]]:
        """Wins by yaku or fans, the most frequent first."""
        return sorted(self.counted.parts(self.counts), key=lambda pair: -pair[1])


def collect_stats(
    store: Store, filters: Filters | None = None, split: str = "", progress: Callable[[int], None] | None = None
) -> Stats:
    """Replay all games of a store and count."""
    stats: Stats | None = None
    for stored in store.games(filters, split):
        if stats is None:
            game = game_named(stored.game)
            stats = Stats(game.name, counted(game.name), bytes=sum(path.stat().st_size for path in store.parts))
            legal, row = np.zeros(game.actions, np.bool_), stats.counts
        if stored.game != stats.game:
            raise RecordError(f"{store.path}: game {stored.id} is of {stored.game}, and others are of {stats.game}")
        if not game.tally(game.tables(), table_at_start(stored)[0], stored.walls, stored.actions, legal, row):
            raise illegal(stored)
        stats.games += 1
        stats.known += stored.walls_known
        stats.dan.update(stored.dan)
        stats.years[stored.time[:4] or "unknown"] += 1
        stats.sources[stored.lobby or stored.format] += 1
        for seat in range(game.seats):
            stats.places[seat, stored.ranks[seat]] += stored.finished
        if progress:
            progress(stats.games)
    if stats is None:
        raise RecordError(f"{store.path}: no game of the store passes the filters")
    return stats


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
