"""Tiles and melds as the page of `suzaku play` knows them."""

from typing import Any

from suzaku.table.render.picture import HIDDEN, Meld
from suzaku.tiles import NAMES

Data = dict[str, Any]


def tile_name(tile: int) -> str:
    """A tile as the page knows it; "?" lies face down."""
    return "?" if tile == HIDDEN else NAMES[tile]


def tile_names(tiles: Any) -> list[str]:
    """Several of them."""
    return [tile_name(int(tile)) for tile in tiles]


def meld_data(meld: Meld) -> Data:
    """A meld as the page knows it."""
    return {
        "type": meld.type,
        "tiles": tile_names(meld.tiles),
        "called": meld.called,
        "added": tile_name(meld.added) if meld.added >= 0 else None,
    }
