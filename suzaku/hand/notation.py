"""Reading hands and melds from text, with one clear sentence for what cannot be."""

from collections.abc import Iterable, Sequence

import numpy as np

from suzaku.system import some
from suzaku.tiles import KIND_OF, KINDS, NAMES, RED, WINDS, parse

Meld = tuple[str, str]  # type and tiles, such as ("pong", "777z")


def read_meld(meld: Meld, names: Sequence[str]) -> tuple[int, list[int]]:
    """The number of a meld's type, by the names that a game has for them, and its tiles."""
    if isinstance(meld, str) or len(meld) != 2:
        raise ValueError(f"a meld is a pair such as ('pong', '777z'), not {meld!r}")
    name, text = meld
    if not name or name not in names:
        raise ValueError(f"{name!r} is not a type of meld: choose one of {', '.join(filter(None, names))}")
    tiles = parse(text)
    kinds = sorted(int(KIND_OF[tile]) for tile in tiles)
    if name == "chow":
        first = kinds[0] if kinds else KINDS
        if first % 9 > 6 or first >= 27 or kinds != [first, first + 1, first + 2]:
            raise ValueError(f"{text!r} is not a valid chow: expected three tiles in a row of one suit")
    else:
        size = 3 if name == "pong" else 4
        if len(kinds) != size or kinds[0] != kinds[-1]:
            word = "three" if size == 3 else "four"
            raise ValueError(f"{text!r} is not a valid {name.replace('_', ' ')}: expected {word} equal tiles")
    return names.index(name), tiles


def read_melds(melds: Sequence[Meld], names: Sequence[str]) -> list[tuple[int, list[int]]]:
    """All melds of a hand, at most four."""
    if isinstance(melds, str):
        raise ValueError(f"melds are pairs such as ('pong', '777z'), not {melds!r}")
    if len(melds) > 4:
        raise ValueError(f"a hand has at most four melds, not {len(melds)}")
    return [read_meld(meld, names) for meld in melds]


def read_hand(text: str, sizes: Sequence[int], melds: int) -> list[int]:
    """The tiles of a hand that must have one of these sizes beside so many melds."""
    if not isinstance(text, str):
        raise ValueError(f"a hand is text such as '123m406p789s1z', not {text!r}")
    tiles = parse(text)
    if len(tiles) not in sizes:
        beside = f" beside {some(melds, 'meld')}" if melds else ""
        expected = " or ".join(str(size) for size in sizes)
        raise ValueError(
            f"{text!r} is not a valid hand: it has {some(len(tiles), 'tile')}, expected {expected}{beside}"
        )
    return tiles


def check_tiles(tiles: Iterable[int], red_fives: bool = True) -> None:
    """Refuse a fifth tile of a kind, and more red fives than there are."""
    counts = np.bincount(list(tiles), minlength=RED + 3)
    for suit in range(3):
        five = 9 * suit + 4
        counts[five] += counts[RED + suit]
        if counts[RED + suit] > red_fives:
            there = "only one" if red_fives else "none under these rules"
            raise ValueError(f"{counts[RED + suit]} red fives {NAMES[RED + suit]}: there is {there}")
    for kind in range(KINDS):
        if counts[kind] > 4:
            raise ValueError(f"{counts[kind]} tiles {NAMES[kind]}: there are only four of a kind")


def read_wind(wind: str, what: str) -> int:
    """A wind by its letter."""
    if not isinstance(wind, str) or len(wind) != 1 or wind not in WINDS:
        raise ValueError(f"the {what} {wind!r} is unknown: choose one of {', '.join(WINDS)}")
    return WINDS.index(wind)


def to_counts(tiles: Iterable[int]) -> np.ndarray:
    """Tiles as 34 counts."""
    return np.bincount(KIND_OF[list(tiles)], minlength=KINDS).astype(np.int8)
