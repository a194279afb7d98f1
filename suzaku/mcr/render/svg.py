"""A table as SVG, for notebooks and pages."""

import numpy as np

from suzaku.mcr.render.picture import picture
from suzaku.table.render.svg import picture_svg


def draw_svg(
    record: np.record, seat: int | None = None, reveal: bool = True, names: tuple[str, ...] = ("", "", "", "")
) -> str:
    """The table as SVG: as `seat` sees it, from its side; without one all of it, or with `reveal` off what all see."""
    return picture_svg(picture(record, seat, reveal), seat or 0, names)
