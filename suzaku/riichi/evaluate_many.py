"""The value of many wins at once, over arrays, in one compiled call."""

from functools import lru_cache

import numpy as np

from suzaku.hand.shanten import fill_keys
from suzaku.hand.tables import tables
from suzaku.kernel import kernel
from suzaku.riichi.rules import RULES, Rules
from suzaku.riichi.score import DRAW, base_points, round_up, win_value
from suzaku.riichi.state import ADDED_KONG, NO_MELD
from suzaku.riichi.yaku import YAKUMAN

VALUE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("yaku", "u8"),  # mask of yaku (see `yaku.py`); 0: no win
                ("ron", "i4"),  # what the discarder pays, or 0
                ("tsumo", "i4", (2,)),  # by self-draw, what the dealer and what each other pays, or 0
                ("han", "i2"),  # doras included; 13 for each yakuman
                ("fu", "i2"),  # 0 for a yakuman
                ("yakuman", "i2"),  # how many times
            ],
            align=True,
        ),
    )
)


@lru_cache(maxsize=64)
def rules_record(rules: Rules) -> np.record:
    """The rules as the compiled functions take them."""
    record = np.zeros(1, np.dtype((np.record, RULES)))
    record[0] = rules.to_record()
    return record[0]


@kernel
def _is_sound(hand, win, meld_type, meld_tile, melds, round_wind, seat_wind):
    """Whether the tiles make a hand at all: counts of 0..4, the right number, the winning tile among them."""
    total = 0
    over = 0
    for k in range(34):
        total += np.int64(hand[k])
        over |= hand[k] < 0 or hand[k] > 4
    if over or total != 14 - 3 * melds or win < 0 or win > 33 or hand[win] == 0:
        return False
    for i in range(4):
        if meld_type[i] < 0 or meld_type[i] > ADDED_KONG or (i < melds and (meld_tile[i] < 0 or meld_tile[i] > 33)):
            return False
    return 0 <= round_wind < 4 and 0 <= seat_wind < 4


@kernel
def _evaluate_many(tables, rules, hands, wins, meld_types, meld_tiles, flags, round_winds, seat_winds, extra, out):
    """Fill `out`; returns -1, or the first row that is not a valid hand."""
    key = np.empty(4, np.int32)
    for i in range(hands.shape[0]):
        melds = 0
        while melds < 4 and meld_types[i, melds] != NO_MELD:
            melds += 1
        if not _is_sound(hands[i], wins[i], meld_types[i], meld_tiles[i], melds, round_winds[i], seat_winds[i]):
            return i
        fill_keys(hands[i], key)
        mask, han, fu, yakuman = win_value(
            tables, rules, hands[i], key, melds, meld_types[i], meld_tiles[i], wins[i], flags[i],
            round_winds[i], seat_winds[i], extra[i],
        )  # fmt: skip
        row = out[i]
        row.yaku = mask
        row.han = han if yakuman == 0 else YAKUMAN * yakuman
        row.fu = fu
        row.yakuman = yakuman
        row.ron = 0
        row.tsumo[0] = 0
        row.tsumo[1] = 0
        if mask == 0:
            continue
        base = base_points(rules, han, fu, yakuman)
        dealer = seat_winds[i] == 0
        if flags[i] & DRAW:
            row.tsumo[0] = round_up(2 * base)
            row.tsumo[1] = row.tsumo[0] if dealer else round_up(base)
        else:
            row.ron = round_up((6 if dealer else 4) * base)
    return -1


def evaluate_many(
    hands: np.ndarray,
    wins: np.ndarray,
    meld_types: np.ndarray | int = 0,
    meld_tiles: np.ndarray | int = 0,
    flags: np.ndarray | int = 0,
    round_winds: np.ndarray | int = 0,
    seat_winds: np.ndarray | int = 0,
    extra: np.ndarray | int = 0,
    rules: Rules = Rules.tenhou(),  # noqa: B008 (frozen)
) -> np.ndarray:
    """The values of n wins as an array of VALUE; one number stands for the same in all rows. Honba are not included.

    `hands` are int8[n, 34] closed tiles with the winning one, `wins` the kinds won with, `meld_types` and `meld_tiles`
    int8[n, 4] (`state.py`: the kind, or NO_MELD after the last, and the lowest tile), `flags` those of `score.py`,
    winds 0..3, and `extra` the han of doras.
    """
    n = len(hands)

    def column(values: np.ndarray | int, kind: type, *shape: int) -> np.ndarray:
        filled: np.ndarray = np.empty((n, *shape), kind)  # always a new array: one type, one compilation
        filled[...] = values
        return filled

    out = np.empty(n, VALUE)
    held, won, types = column(hands, np.int8, 34), column(wins, np.int8), column(meld_types, np.int8, 4)
    winds = column(round_winds, np.int8), column(seat_winds, np.int8)
    bad = _evaluate_many(
        tables(), rules_record(rules), held, won, types, column(meld_tiles, np.int8, 4), column(flags, np.int16),
        *winds, column(extra, np.int16), out,
    )  # fmt: skip
    if bad >= 0:
        melds = int(np.argmax(np.append(types[bad], NO_MELD) == NO_MELD))
        raise ValueError(
            f"row {bad} is not a valid hand: it has {held[bad].sum()} tiles beside {melds} melds, wins with kind "
            f"{won[bad]}, winds {winds[0][bad]} and {winds[1][bad]}; expected {14 - 3 * melds} tiles, the winning one "
            "included, and winds 0..3"
        )
    return out
