"""The fans, the shanten and the waits of a hand written as text, and of many wins over arrays.

- The fans, the shanten and the waits of a hand written as text.
- The fans of many wins at once, over arrays, in one compiled call.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, overload

import numpy as np

from suzaku.hand.notation import Meld, check_tiles, read_hand, read_melds, read_wind, to_counts
from suzaku.hand.shanten import FAR
from suzaku.hand.tables import tables
from suzaku.kernel import kernel
from suzaku.mcr import state as how
from suzaku.mcr.fans import FANS, FIRST_SMALL, REPEATED_SHIFT
from suzaku.mcr.score import win_fans
from suzaku.mcr.shanten import all_shanten, waits_mask
from suzaku.mcr.state import ADDED_KONG, CHOW, MELD_NAMES, PONG
from suzaku.tiles import KIND_OF, KINDS, NAMES, parse, parse_one

MINIMUM = 8  # fan that a win needs, flowers apart
FLOWERS = 81  # number of their fan


@dataclass(frozen=True)
class CountedFan:
    """A fan in a win."""

    name: str
    chinese: str
    value: int  # of one
    count: int


@dataclass(frozen=True)
class Win:
    """What a complete hand is worth."""

    fans: tuple[CountedFan, ...]  # by number
    fan: int  # total, flowers included
    flowers: int
    may_win: bool  # whether it has 8 fan without the flowers
    tsumo: bool

    @property
    def payments(self) -> tuple[int, int, int]:
        """What the discarder pays and what each of the two others; by self-draw everyone pays the same."""
        return (8 + self.fan,) * 3 if self.tsumo else (8 + self.fan, 8, 8)

    @property
    def gain(self) -> int:
        """What the winner gets in all."""
        return sum(self.payments)

    def __str__(self) -> str:
        parts = [f"{fan.name} {fan.value}" + (f" x{fan.count}" if fan.count > 1 else "") for fan in self.fans]
        pay = f"{8 + self.fan} from each" if self.tsumo else f"{8 + self.fan} from the discarder, 8 from each other"
        if not self.may_win:
            pay = f"no win below {MINIMUM}"
        return f"{', '.join(parts)}: {self.fan} fan, {pay}"


def counted_fans(big: int, small: int, more: int, flowers: int = 0) -> tuple[CountedFan, ...]:
    """The fans of the masks that the kernels give, by number."""
    found = []
    for fan in FANS:
        n = fan.number
        count = big >> n - 1 & 1 if n < FIRST_SMALL else small >> n - FIRST_SMALL & 1
        if count and n in REPEATED_SHIFT:
            count += more >> REPEATED_SHIFT[n] & 7
        if n == FLOWERS:
            count = flowers
        if count:
            found.append(CountedFan(fan.name, fan.chinese, fan.value, count))
    return tuple(found)


def _check_flags(flags: int, kongs: int) -> None:
    """Refuse circumstances that cannot be true together."""
    drawn = flags & how.SELF_DRAWN
    wrong = (
        (flags & how.AFTER_KONG and not drawn, "after_kong is a self-draw: give tsumo=True too"),
        (flags & how.AFTER_KONG and not kongs, "after_kong needs a kong among the melds"),
        (flags & how.ROBBING_KONG and drawn, "robbing_kong is not a self-draw: leave out tsumo"),
    )
    for is_wrong, why in wrong:
        if is_wrong:
            raise ValueError(why)


def read_hand_and_melds(hand: str, melds: Sequence[Meld], visible: str = "") -> tuple[list[int], list]:
    """The concealed tiles (13 or 14 less 3 a meld) and the melds; `visible` tiles count against the four of a kind."""
    groups = read_melds(melds, MELD_NAMES)
    tiles = read_hand(hand, (13 - 3 * len(groups), 14 - 3 * len(groups)), len(groups))
    check_tiles([*tiles, *parse(visible), *(tile for _, group in groups for tile in group)], red_fives=False)
    return tiles, groups


def evaluate(
    hand: str,
    win: str,
    melds: Sequence[Meld] = (),
    *,
    tsumo: bool = False,
    seat_wind: str = "E",
    round_wind: str = "E",
    flowers: int = 0,
    last_tile: bool = False,
    fourth_tile: bool = False,
    after_kong: bool = False,
    robbing_kong: bool = False,
    mixed_kongs: bool = True,
) -> Win | None:
    """The fans of a win, or None if the tiles complete no hand.

    `hand` is the concealed tiles without the winning one ("123m456p789s1z": m characters, p dots, s bamboo, 1z to 4z
    the winds, 5z white, 6z green, 7z red), `win` the winning tile, `melds` pairs such as ("chow", "234m") of the types
    chow, pong, open_kong, closed_kong and added_kong. A hand below 8 fan is evaluated too: see `may_win`.
    `mixed_kongs`: fan 82, which Botzone plays and the official list does not have.
    """
    groups = read_melds(melds, MELD_NAMES)
    tiles = [*read_hand(hand, (13 - 3 * len(groups),), len(groups)), parse_one(win)]
    check_tiles(tiles + [tile for _, group in groups for tile in group], red_fives=False)
    if not 0 <= flowers <= 8:
        raise ValueError(f"flowers is {flowers}: expected 0 to 8")
    given = (
        (tsumo, how.SELF_DRAWN),
        (last_tile, how.LAST_TILE),
        (fourth_tile, how.FOURTH_TILE),
        (after_kong, how.AFTER_KONG),
        (robbing_kong, how.ROBBING_KONG),
        (not mixed_kongs, how.NO_MIXED_KONGS),
    )
    flags = sum(flag for is_given, flag in given if is_given)
    _check_flags(flags, sum(type_ not in (CHOW, PONG) for type_, _ in groups))
    meld_types, meld_kinds = np.zeros(4, np.int8), np.zeros(4, np.int8)
    for i, (type_, group) in enumerate(groups):
        meld_types[i], meld_kinds[i] = type_, min(KIND_OF[group])
    fan, big, small, more = win_fans(
        tables(), to_counts(tiles).astype(np.uint8), meld_types, meld_kinds, len(groups), tiles[-1], flags,
        read_wind(seat_wind, "seat wind"), read_wind(round_wind, "round wind"),
    )  # fmt: skip
    if fan < 0:
        return None
    found = counted_fans(int(big), int(small), int(more), flowers)
    return Win(found, int(fan) + flowers, flowers, bool(fan >= MINIMUM), tsumo)


class Shanten(NamedTuple):
    """Shanten towards each of the shapes; None for one that melds rule out."""

    normal: int
    seven_pairs: int | None
    thirteen_orphans: int | None
    honours_and_knitted: int | None
    knitted_straight: int | None


@overload
def shanten(hand: str, melds: int = 0, *, parts: Literal[False] = False) -> int: ...
@overload
def shanten(hand: str, melds: int = 0, *, parts: Literal[True]) -> Shanten: ...
def shanten(hand: str, melds: int = 0, *, parts: bool = False) -> int | Shanten:
    """How many tiles a hand is away from ready (-1: complete), whatever its fans; with `parts`, towards each shape."""
    if not 0 <= melds <= 4:
        raise ValueError(f"a hand has 0 to 4 melds, not {melds}")
    tiles = read_hand(hand, (13 - 3 * melds, 14 - 3 * melds), melds)
    check_tiles(tiles, red_fives=False)
    found = [int(n) for n in all_shanten(tables(), to_counts(tiles).astype(np.uint8), melds)]
    if not parts:
        return min(found)
    return Shanten(found[0], *(None if n >= FAR else n for n in found[1:]))


def waits(hand: str, melds: Sequence[Meld] = ()) -> list[str]:
    """The tiles that complete a hand, whatever its fans; one that the hand and its melds hold all of is none."""
    groups = read_melds(melds, MELD_NAMES)
    tiles = read_hand(hand, (13 - 3 * len(groups),), len(groups))
    every = tiles + [tile for _, group in groups for tile in group]
    check_tiles(every, red_fives=False)
    mask, held = int(waits_mask(tables(), to_counts(tiles).astype(np.uint8), len(groups))), to_counts(every)
    return [NAMES[kind] for kind in range(KINDS) if mask >> kind & 1 and held[kind] < 4]


NO_MELD = -1  # in an array of meld types: there is none
VALUE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("big", "i8"),  # mask of the fans 1 to 47 (see `fans.py`)
                ("small", "i8"),  # mask of the fans 48 to 82
                ("more", "i4"),  # how often beyond the first repeated fans count
                ("fan", "i4"),  # their total without flowers; -1: no hand
            ],
            align=True,
        ),
    )
)


@kernel
def _is_sound(counts, win, types, kinds, melds, seat_wind, round_wind):
    """Whether the tiles make a hand at all: the right number, at most four of a kind, the winning tile among them."""
    if win < 0 or win > 33 or counts[win] == 0 or not (0 <= seat_wind < 4 and 0 <= round_wind < 4):
        return False
    total = 3 * melds
    for kind in range(34):
        n = np.int64(counts[kind])
        total += n
        for i in range(melds):
            if types[i] == CHOW:
                n += kinds[i] <= kind <= kinds[i] + 2
            elif kinds[i] == kind:
                n += 3 if types[i] == PONG else 4
        if n < 0 or n > 4:
            return False
    for i in range(melds):
        if types[i] > ADDED_KONG or not 0 <= kinds[i] < 34:
            return False
        if types[i] == CHOW and (kinds[i] >= 27 or kinds[i] % 9 > 6):
            return False
    return total == 14


@kernel
def _evaluate_many(tables, counts, wins, meld_types, meld_kinds, flags, seat_winds, round_winds, out):
    """Fill `out`; returns -1, or the first row that is not a valid hand."""
    for i in range(counts.shape[0]):
        melds = 0
        while melds < 4 and meld_types[i, melds] >= 0:
            melds += 1
        if not _is_sound(counts[i], wins[i], meld_types[i], meld_kinds[i], melds, seat_winds[i], round_winds[i]):
            return i
        fan, big, small, more = win_fans(
            tables, counts[i], meld_types[i], meld_kinds[i], melds, wins[i], flags[i], seat_winds[i], round_winds[i]
        )
        row = out[i]
        row.fan = fan
        row.big = big
        row.small = small
        row.more = more
    return -1


def evaluate_many(
    counts: np.ndarray,
    wins: np.ndarray,
    meld_types: np.ndarray | int = NO_MELD,
    meld_kinds: np.ndarray | int = 0,
    flags: np.ndarray | int = 0,
    seat_winds: np.ndarray | int = 0,
    round_winds: np.ndarray | int = 0,
) -> np.ndarray:
    """The fans of n wins as an array of VALUE; one number stands for the same in all rows. Flowers are not included.

    `counts` are uint8[n, 34] concealed tiles with the winning one, `wins` the kinds won with, `meld_types` and
    `meld_kinds` int8[n, 4] (`melds.py`: the type, or NO_MELD after the last, and the lowest kind), `flags` those of
    `flags.py`, winds 0..3.
    """
    n = len(counts)

    def column(values: np.ndarray | int, kind: type, *shape: int) -> np.ndarray:
        filled: np.ndarray = np.empty((n, *shape), kind)  # always a new array: one type, one compilation
        filled[...] = values
        return filled

    out = np.empty(n, VALUE)
    held, won, types = column(counts, np.uint8, 34), column(wins, np.int8), column(meld_types, np.int8, 4)
    winds = column(seat_winds, np.int8), column(round_winds, np.int8)
    bad = _evaluate_many(
        tables(), held, won, types, column(meld_kinds, np.int8, 4), column(flags, np.int16), *winds, out
    )
    if bad >= 0:
        melds = int(np.argmax(np.append(types[bad], NO_MELD) < 0))
        raise ValueError(
            f"row {bad} is not a valid hand: it has {held[bad].sum()} tiles beside {melds} melds, wins with kind "
            f"{won[bad]}, winds {winds[0][bad]} and {winds[1][bad]}; expected {14 - 3 * melds} tiles, the winning one "
            "included, at most four of a kind, and winds 0..3"
        )
    return out
