"""PyMahjongGB, the judge of fans, fed from arrays. It is a source package: without it, its tests are skipped."""

from typing import Any

import numpy as np

from suzaku.mcr import state as how
from suzaku.mcr.state import CHOW, CLOSED_KONG, PONG

TILES = [f"{suit}{n}" for suit in "WBT" for n in range(1, 10)] + ["F1", "F2", "F3", "F4", "J3", "J2", "J1"]
RENAMED = {"独听・边张": "边张", "独听・嵌张": "嵌张", "独听・单钓": "单钓将"}


def packs(types: np.ndarray, kinds: np.ndarray) -> tuple:
    """Melds as it takes them."""
    out = []
    for what, kind in zip(types.tolist(), kinds.tolist(), strict=True):
        if what >= 0:
            name = "CHI" if what == CHOW else "PENG" if what == PONG else "GANG"
            out.append((name, TILES[kind + 1] if what == CHOW else TILES[kind], 0 if what == CLOSED_KONG else 1))
    return tuple(out)


def arguments(wins: dict[str, np.ndarray], i: int) -> tuple:
    """What its calculator takes for row i."""
    win, flags = int(wins["wins"][i]), int(wins["flags"][i])
    hand = wins["counts"][i].tolist()
    hand[win] -= 1
    tiles = tuple(TILES[kind] for kind in range(34) for _ in range(hand[kind]))
    return (
        packs(wins["meld_types"][i], wins["meld_kinds"][i]), tiles, TILES[win], 0, bool(flags & how.SELF_DRAWN),
        bool(flags & how.FOURTH_TILE), bool(flags & (how.AFTER_KONG | how.ROBBING_KONG)), bool(flags & how.LAST_TILE),
        int(wins["seat_winds"][i]), int(wins["round_winds"][i]),
    )  # fmt: skip


def fans(calculator: Any, given: tuple) -> dict[str, int]:
    """Fans by their Chinese names, with how often they count."""
    return {RENAMED.get(name, name): count for _, count, name, _ in calculator(*given, verbose=True)}


def shanten(library: Any, counts: np.ndarray, melds: int) -> int:
    """Its shanten of a hand of 3n+1 tiles; the melds themselves do not matter to it."""
    tiles = tuple(TILES[kind] for kind in range(34) for _ in range(int(counts[kind])))
    return library.MahjongShanten((("PENG", "F1", 1),) * melds, tiles)


def fifth_tile(counts: np.ndarray, ours: int, theirs: int) -> bool:
    """Whether its shanten is lower because it waits for a fifth tile of a kind."""
    return theirs < ours and counts.max() == 4
