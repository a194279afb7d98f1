"""Tiles: 34 kinds, 37 tiles with the red fives, and the ways people and programs write them.

A *kind* is 0..33: 1m..9m, 1p..9p, 1s..9s, then the honours 1z..7z (east, south, west, north, white, green, red).
A *tile* is 0..36: a kind, or 34, 35, 36 for the red five of characters, circles and bamboos.
A Tenhou *id* is 0..135: four of each kind; with red fives, 16, 52 and 88 are red.
"""

from collections.abc import Iterable

import numpy as np

KINDS = 34
TILES = 37
RED = 34  # the red five of suit s is the tile RED + s
WINDS = "ESWN"

SUITS = "mpsz"
MJAI_HONOURS = "ESWNPFC"
KANJI = "東南西北白發中"  # the honours as they are printed
NAMES = [f"{n}{suit}" for suit in "mps" for n in range(1, 10)] + [f"{n}z" for n in range(1, 8)] + ["0m", "0p", "0s"]
MJAI_NAMES = [*NAMES[:27], *MJAI_HONOURS, "5mr", "5pr", "5sr"]

KIND_OF = np.array([*range(34), 4, 13, 22], np.int8)  # tile -> kind
DORA_OF = np.array(  # indicator tile -> the kind that is dora
    [k + 1 if k % 9 < 8 else k - 8 for k in range(27)] + [28, 29, 30, 27, 32, 33, 31] + [5, 14, 23], np.int8
)
TERMINALS = sum(1 << k for k in (0, 8, 9, 17, 18, 26))  # bit masks of kinds
HONOURS = sum(1 << k for k in range(27, 34))
ORPHANS = TERMINALS | HONOURS

_TILE_OF_NAME = {name: tile for tile, name in enumerate(NAMES)}
_TILE_OF_MJAI = {name: tile for tile, name in enumerate(MJAI_NAMES)}


def parse(text: str) -> list[int]:
    """Read "123m406p789s1z" (0 is the red five) as a list of tiles, in the order written."""
    tiles: list[int] = []
    digits = ""
    for letter in text.replace(" ", ""):
        if letter.isdigit():
            digits += letter
            continue
        if letter not in SUITS or not digits:
            raise ValueError(f"cannot read tiles {text!r}: expected digits and then one of m, p, s, z at {letter!r}")
        for digit in digits:
            if digit + letter not in _TILE_OF_NAME:
                raise ValueError(f"cannot read tiles {text!r}: there is no tile {digit + letter!r}")
            tiles.append(_TILE_OF_NAME[digit + letter])
        digits = ""
    if digits:
        raise ValueError(f"cannot read tiles {text!r}: the suit of {digits!r} is missing (m, p, s or z)")
    return tiles


def parse_one(text: str) -> int:
    """Read one tile, such as "5m", "0s" or "7z"."""
    tiles = parse(text)
    if len(tiles) != 1:
        raise ValueError(f"expected one tile such as '5m', '0s' or '7z', not {text!r}")
    return tiles[0]


def to_text(tiles: Iterable[int], order: bool = True) -> str:
    """Write tiles as "123m406p789s1z", sorted unless `order` is False."""
    tiles = [int(tile) for tile in tiles]
    if order:
        tiles.sort(key=sort_key)
    text = ""
    for i, tile in enumerate(tiles):
        number, suit = NAMES[tile][0], NAMES[tile][1]
        last = i + 1 == len(tiles) or NAMES[tiles[i + 1]][1] != suit
        text += number + suit if last else number
    return text


def sort_key(tile: int) -> tuple[int, bool]:
    """Sorts tiles by kind, red fives before plain ones."""
    return int(KIND_OF[tile]), tile < RED


def from_mjai(name: str) -> int:
    """Read a tile as mjai writes it: "5m", "5mr", "E", "P"."""
    if name not in _TILE_OF_MJAI:
        raise ValueError(f"{name!r} is not an mjai tile (such as '5m', '5mr', 'E', 'P')")
    return _TILE_OF_MJAI[name]


def to_mjai(tile: int) -> str:
    """Write a tile as mjai does: "5m", "5mr", "E", "P"."""
    return MJAI_NAMES[tile]


def from_tenhou(number: int, red_fives: bool = True) -> int:
    """Read a Tenhou id 0..135."""
    if not 0 <= number < 136:
        raise ValueError(f"{number} is not a Tenhou tile: expected 0..135")
    if red_fives and number in (16, 52, 88):
        return RED + (16, 52, 88).index(number)
    return number // 4


def full_set(red_fives: bool = True) -> np.ndarray:
    """The 136 tiles of a game, in the order of their Tenhou ids."""
    return np.array([from_tenhou(number, red_fives) for number in range(136)], np.int8)
