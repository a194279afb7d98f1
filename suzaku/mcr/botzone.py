"""Tiles as Botzone writes them: W characters, B dots, T bamboo, F1 to F4 the winds, J1 to J3 red, green, white."""

NAMES = [f"{suit}{n}" for suit in "WBT" for n in range(1, 10)] + ["F1", "F2", "F3", "F4", "J3", "J2", "J1"]
_TILE = {name: tile for tile, name in enumerate(NAMES)}


def read_tile(name: str) -> int:
    """The kind that a name stands for; flowers are not played on Botzone."""
    tile = _TILE.get(name.upper(), -1)
    if tile < 0:
        raise ValueError(f"{name!r} is not a tile: expected one such as W5, T1, F2 or J3")
    return tile


def write_tile(tile: int) -> str:
    """The name of a kind."""
    return NAMES[tile]
