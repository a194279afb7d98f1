"""Walls: from a seed as Tenhou publishes it, or from the tiles that showed in a round."""

import base64
import binascii
import hashlib

import numpy as np

from suzaku.kernel import kernel
from suzaku.records import types as ev
from suzaku.records.types import RecordError, Round
from suzaku.riichi.actions import OPEN_KONG
from suzaku.riichi.deal import PLAIN_SET, RED_SET
from suzaku.riichi.state import INDICATORS, REPLACEMENTS, URA_INDICATORS, WALL
from suzaku.tiles import NAMES, RED, TILES, full_set

SEED = "mt19937ar-sha512-n288-base64"
HEX_SEED = "mt19937ar-sha512-n288"  # as of 2009: fewer words, written in base 16
OLD_SEED = "mt19937ar"
BLOCKS, BLOCK = 9, 128  # bytes of generator output hashed for a round

LIVE_WALL = WALL - 1  # the first draw; the draws go down from here
DEALT = 52


@kernel
def _shuffle(words, wall):
    """Tenhou's shuffle of the ids 0..135."""
    for i in range(136):
        wall[i] = i
    for i in range(135):
        j = i + np.int64(words[i]) % (136 - i)
        tile = wall[i]
        wall[i] = wall[j]
        wall[j] = tile


def _tiles(words: np.ndarray, red_fives: bool) -> np.ndarray:
    ids = np.empty(WALL, np.int64)
    _shuffle(words, ids)
    return (RED_SET if red_fives else PLAIN_SET)[ids]


def _hex_words(text: str) -> np.ndarray:
    try:
        return np.array([int(word, 16) for word in text.split(",")], np.uint32)
    except (ValueError, OverflowError):
        raise RecordError("the wall's seed is not a list of 32-bit words in base 16") from None


def _turn_pairs(wall: np.ndarray) -> np.ndarray:
    """In 2009 the two tiles of every pair of the dead wall lay the other way round."""
    wall[:14] = wall[:14].reshape(7, 2)[:, ::-1].reshape(14)
    return wall


class Shuffler:
    """The walls of a game, one after another, from its `SHUFFLE` seed."""

    def __init__(self, seed: str, red_fives: bool = True) -> None:
        name, _, text = seed.partition(",")
        if name == SEED:
            try:
                key = np.frombuffer(base64.b64decode(text), "<u4")
            except (binascii.Error, ValueError):
                raise RecordError("the wall's seed is not base64 text of 32-bit words") from None
            if len(key) != 624:
                raise RecordError(f"the wall's seed has {len(key)} words where 624 are expected")
        elif name == HEX_SEED:
            key = _hex_words(text)
        else:
            raise RecordError(f"the wall's seed is of the unknown type {name[:40]!r}")
        self._random = np.random.RandomState(key)
        self._red_fives = red_fives
        self._old_layout = name == HEX_SEED

    def next_wall(self) -> np.ndarray:
        """The wall of the next round."""
        text = self._random.bytes(BLOCKS * BLOCK)
        digest = b"".join(hashlib.sha512(text[i : i + BLOCK]).digest() for i in range(0, len(text), BLOCK))
        wall = _tiles(np.frombuffer(digest, "<u4"), self._red_fives)
        return _turn_pairs(wall) if self._old_layout else wall


def old_wall(seed: str, red_fives: bool = True) -> np.ndarray:
    """The wall of one round from the seed that records of 2009 carry with each `INIT`.

    Its words are the generator's key and its outputs shuffle the tiles as they are.
    """
    name, _, text = seed.partition(",")
    if name != OLD_SEED:
        raise RecordError(f"the wall's seed is of the unknown type {name[:40]!r}")
    wall = _tiles(np.frombuffer(np.random.RandomState(_hex_words(text)).bytes(4 * 135), "<u4"), red_fives)
    return _turn_pairs(wall)


def wall_of_events(recorded: Round, red_fives: bool) -> np.ndarray:
    """A wall that agrees with the tiles that showed; the rest is filled with what is left, in a stable random order."""
    draws: list[int] = []
    replacements: list[int] = []
    shown = [recorded.indicator]
    ura = next((list(win.ura) for win in recorded.wins if win.ura), [])
    after_kong = False
    for type_, _, a, _ in recorded.events.tolist():
        if type_ == ev.DRAW:
            (replacements if after_kong else draws).append(a)
            after_kong = False
        elif type_ == ev.KONG or (type_ == ev.CALL and a == OPEN_KONG):
            after_kong = True
        elif type_ == ev.INDICATOR:
            shown.append(a)
    wall = np.full(WALL, -1, np.int8)
    dealt = [[int(tile) for tile in np.repeat(np.arange(TILES), recorded.hands[seat])] for seat in range(4)]
    place = LIVE_WALL
    for turn in range(16):
        seat = (recorded.dealer + turn) % 4
        for _ in range(4 if turn < 12 else 1):
            wall[place] = dealt[seat].pop()
            place -= 1
    if len(draws) > 70 or len(replacements) > 4 or len(shown) > 5 or len(ura) > 5:
        raise RecordError(
            f"{len(draws)} draws, {len(replacements)} replacements, {len(shown)} dora and {len(ura)} ura indicators: "
            "a wall has 70, 4, 5 and 5"
        )
    wall[LIVE_WALL - DEALT - np.arange(len(draws))] = draws
    wall[REPLACEMENTS[: len(replacements)]] = replacements
    wall[INDICATORS[: len(shown)]] = shown
    wall[URA_INDICATORS[: len(ura)]] = ura
    there = np.bincount(full_set(red_fives), minlength=TILES)
    left = there - np.bincount(wall[wall >= 0], minlength=TILES)
    if left.min() < 0:
        tile = int(left.argmin())
        shows = f"{NAMES[tile]} shows {there[tile] - left[tile]} times, a set of tiles has {there[tile]}"
        raise RecordError(shows + _red_hint(left))
    order = np.random.default_rng(np.frombuffer(hashlib.sha256(wall.tobytes()).digest(), "<u4"))
    wall[wall < 0] = order.permutation(np.repeat(np.arange(TILES), left)).astype(np.int8)
    return wall


def _red_hint(left: np.ndarray) -> str:
    plain = {4: 0, 13: 1, 22: 2}
    reds = any(left[kind] < 0 and left[RED + suit] > 0 for kind, suit in plain.items())
    return " (four plain fives of a suit: a game without red fives?)" if reds else ""
