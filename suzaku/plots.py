"""Pictures drawn by matplotlib, which is in the extra `plots`."""

from pathlib import Path
from typing import TYPE_CHECKING

from suzaku.system import writing_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure


ENDINGS = (".png", ".svg", ".pdf")
NEEDED = "plots need matplotlib: pip install 'suzaku[plots]'"


def have_matplotlib() -> bool:
    """Whether pictures can be drawn."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return False
    return True


def check_plot(path: Path) -> None:
    """Refuse a picture that could not be drawn, before the work is done."""
    if path.suffix.lower() not in ENDINGS:
        raise ValueError(f"{path}: a plot's name must end in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}")
    if not have_matplotlib():
        raise ValueError(NEEDED)


def new_figure(width: float, height: float) -> "Figure":
    """An empty picture of so many inches, which no window knows of."""
    if not have_matplotlib():
        raise ValueError(NEEDED)
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def save_figure(figure: "Figure", path: Path, dpi: int = 120) -> None:
    """Write a picture whole; its name's ending says in which format."""
    with writing_whole(path) as file:
        figure.savefig(file, format=path.suffix.removeprefix(".").lower(), dpi=dpi)
