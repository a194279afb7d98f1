"""The fans of many wins at once, over arrays, in one compiled call."""

import numpy as np

from suzaku.hand.tables import tables
from suzaku.kernel import kernel
from suzaku.mcr.melds import ADDED_KONG, CHOW, PONG
from suzaku.mcr.win import win_fans

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
