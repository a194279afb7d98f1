"""A policy before and after its adaptation, to look at."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from suzaku.figures import new_figure, save_figure
from suzaku.riichi import actions as act
from suzaku.riichi.actions import ACTION_NAMES
from suzaku.tiles import NAMES

FAINT = 0.0005  # probabilities that never reach this are not shown


@dataclass
class Change:
    """The probability of an action."""

    action: int
    label: str  # the tile that it throws, or what it is called
    before: float
    after: float

    @property
    def difference(self) -> float:
        """After less before."""
        return self.after - self.before


def changes(record: np.record, legal: np.ndarray, before: np.ndarray, after: np.ndarray) -> list[Change]:
    """The actions of a decision, those whose probability changed most first."""
    found = []
    for action in np.flatnonzero(legal).tolist():
        if max(before[action], after[action]) >= FAINT:
            found.append(Change(action, _label(record, action), float(before[action]), float(after[action])))
    return sorted(found, key=lambda one: -abs(one.difference))


def _label(record: np.record, action: int) -> str:
    if action == act.DISCARD_DRAWN:
        return f"{NAMES[int(record.drawn)]} (drawn)"
    return NAMES[action] if action < act.DISCARD_DRAWN else ACTION_NAMES[action]


def picture(found: list[Change], title: str, path: Path) -> None:
    """Draw the probabilities before and after side by side; the name's ending says in which format."""
    figure = new_figure(max(5.0, 0.6 * len(found) + 2), 3.6)
    axes = figure.add_subplot()
    order = sorted(found, key=lambda one: one.action)
    x = np.arange(len(order))
    axes.bar(x - 0.2, [one.before for one in order], 0.4, label="offline", color="#9aa5b1")
    axes.bar(x + 0.2, [one.after for one in order], 0.4, label="adapted", color="#c8402f")
    axes.set_xticks(x, [one.label for one in order], rotation=30 if len(order) > 6 else 0)
    axes.set(ylabel="probability", ylim=(0, 1), title=title)
    axes.legend()
    save_figure(figure, path)
