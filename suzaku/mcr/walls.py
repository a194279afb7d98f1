"""Walls given from outside: read and checked."""

from collections.abc import Sequence

import numpy as np

from suzaku import tiles
from suzaku.mcr.rules import Rules
from suzaku.mcr.state import FLOWER, TILES, WALL


def check_wall(wall: Sequence[int] | np.ndarray | str, rules: Rules) -> np.ndarray:
    """The wall as an array of 144 places, or a ValueError that says why it cannot be one."""
    if np.ndim(wall) == 0 and not isinstance(wall, str):
        raise ValueError(f"a wall is a list of tiles or a text, not {wall!r}: for one wall, give [wall]")
    numbers = _read(wall) if isinstance(wall, str) else [int(tile) for tile in wall if tile >= 0]
    size = WALL if rules.flowers else WALL - (TILES - FLOWER)
    if len(numbers) != size:
        raise ValueError(f"a wall has {size} tiles, not {len(numbers)}")
    if not all(0 <= tile < TILES for tile in numbers):
        raise ValueError("a wall holds kinds 0..33, and flowers 34..41 if the rules have them")
    found = np.bincount(numbers, minlength=TILES)
    for tile in range(TILES):
        expected = 4 if tile < FLOWER else int(rules.flowers)
        if found[tile] != expected:
            raise ValueError(f"the wall has {found[tile]} of {tile_name(tile)} where the rules have {expected}")
    return np.array(numbers + [-1] * (WALL - size), np.int8)


def tile_name(tile: int) -> str:
    """A kind such as 5m, or a flower, 1f to 8f."""
    return tiles.NAMES[tile] if tile < FLOWER else f"{tile - FLOWER + 1}f"


def _read(text: str) -> list[int]:
    """Tiles in the usual notation, with flowers as "1f"."""
    found: list[int] = []
    for part in text.split():
        if part.endswith("f") and part[:-1].isdigit():
            found += [FLOWER + int(digit) - 1 for digit in part[:-1]]
        else:
            found += tiles.parse(part)
    if any(FLOWER <= tile < FLOWER + 3 for tile in found) and "0" in text:
        raise ValueError("there are no red fives in this game: write 5 for 0")
    return found
