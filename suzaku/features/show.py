"""Show the channels of a state: as text, group by group, and as a picture."""

from pathlib import Path

import numpy as np

from suzaku.features.groups import ON, Group
from suzaku.plots import new_figure, save_figure
from suzaku.tiles import to_text


def encoding_of(group: Group) -> str:
    """How a group is encoded, with the steps it counts by."""
    steps = group.steps
    if len(steps) < 2:
        return group.encoding
    size = steps[1] - steps[0]
    if steps == tuple(range(steps[0], steps[-1] + 1, size)):
        return f"{group.encoding}: {steps[0]:,} to {steps[-1]:,} by {size:,}"
    return f"{group.encoding}: {' '.join(format(step, ',') for step in steps)}"


def _one(channel: np.ndarray) -> str:
    """One channel in words: nothing, all, tiles, or tiles with their values in hundredths."""
    if (channel == ON).all():
        return "all"
    kinds = np.flatnonzero(channel)
    if (channel[kinds] == ON).all():
        return to_text(kinds)
    return " ".join(f"{to_text([int(kind)])}={100 * int(channel[kind]) / ON:.1f}" for kind in kinds)


def describe(planes: np.ndarray, groups: tuple[Group, ...]) -> str:
    """The channels that are not empty, a line each: group, number within the group, where it is set."""
    lines = []
    at = 0
    for group in groups:
        for i in range(group.count):
            if planes[at + i].any():
                lines.append(f"{group.name}.{i}: {_one(planes[at + i])}")
        at += group.count
    return "\n".join(lines) + "\n"


def picture(planes: np.ndarray, groups: tuple[Group, ...], path: str | Path) -> None:
    """Draw all channels side by side, one column a channel and one row a kind, with the groups named, into a PNG."""
    width = 140
    rows = -(-len(planes) // width)
    figure = new_figure(20, 4.2 * rows)
    starts = np.cumsum([0] + [group.count for group in groups])
    for row in range(rows):
        first = row * width
        part = np.zeros((34, width))
        chunk = planes[first : first + width]
        part[:, : len(chunk)] = chunk.T / ON
        axes = figure.add_subplot(rows, 1, row + 1)
        axes.imshow(part, aspect="auto", cmap="magma_r", vmin=0, vmax=1, extent=(first, first + width, 33.5, -0.5))
        axes.set_yticks(range(34), [to_text([kind]) for kind in range(34)], fontsize=5)
        inside = [i for i, start in enumerate(starts[:-1]) if first <= start < first + width]
        axes.set_xticks(
            [starts[i] for i in inside], [groups[i].name for i in inside], rotation=60, ha="right", fontsize=7
        )
        axes.grid(axis="x", linewidth=0.5)
    save_figure(figure, Path(path), dpi=90)
