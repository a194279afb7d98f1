"""The value, the shanten and the waits of a hand written as text, and of many hands over arrays.

- Reading indicators from text.
- The value of many wins at once, over arrays, in one compiled call.
- The value, the shanten and the waits of a hand written as text.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple, overload

import numpy as np

from suzaku.hand.notation import Meld, check_tiles, read_hand, read_melds, read_wind, to_counts
from suzaku.hand.shanten import FAR, fill_keys, shanten_parts, waits_counts
from suzaku.hand.tables import tables
from suzaku.kernel import kernel
from suzaku.riichi import score
from suzaku.riichi.rules import RULES, Rules
from suzaku.riichi.score import DRAW, base_points, round_up, win_value
from suzaku.riichi.state import ADDED_KONG, CLOSED_KONG, MELD_NAMES, NO_MELD
from suzaku.riichi.yaku import DOUBLE_MASK, YAKU, YAKUMAN
from suzaku.tiles import DORA_OF, KIND_OF, KINDS, NAMES, RED, parse, parse_one, to_text


def read_indicators(indicators: str | Iterable[str], what: str) -> list[int]:
    """Indicators from one text, or one text each."""
    tiles = parse(indicators if isinstance(indicators, str) else "".join(indicators))
    if len(tiles) > 5:
        raise ValueError(f"{len(tiles)} {what} indicators {to_text(tiles)}: there are at most five")
    return tiles


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


LIMITS = {2000: "mangan", 3000: "haneman", 4000: "baiman", 6000: "sanbaiman", 8000: "yakuman"}  # by basic points


@dataclass(frozen=True)
class Win:
    """What a win is worth. `han` is the sum of `yaku`, `dora`, `ura` and `red`; under a yakuman doras do not count."""

    yaku: tuple[tuple[str, int], ...]  # names with han
    dora: int
    ura: int
    red: int
    han: int  # 13 for each yakuman
    fu: int  # 0 for a yakuman
    yakuman: int  # how many times
    limit: str  # "", "mangan", "haneman", "baiman", "sanbaiman" or "yakuman"
    ron: int | None  # what the discarder pays, honba included
    tsumo: tuple[int, int] | None  # what the dealer and what each other pays (the same twice if the dealer wins)

    def __str__(self) -> str:
        parts = [name if self.yakuman else f"{name} {han}" for name, han in self.yaku]
        doras = (("dora", self.dora), ("ura dora", self.ura), ("red five", self.red))
        parts += [f"{name} {han}" for name, han in doras if han]
        size = f"{self.han} han {self.fu} fu"
        if self.yakuman:
            size = "yakuman" if self.yakuman == 1 else f"{self.yakuman}x yakuman"
        elif self.limit:
            size += f" ({self.limit})"
        if self.tsumo is None:
            pay = f"{self.ron} from the discarder"
        elif self.tsumo[0] == self.tsumo[1]:
            pay = f"{self.tsumo[0]} from each"
        else:
            pay = f"{self.tsumo[0]} from the dealer, {self.tsumo[1]} from each other"
        return f"{', '.join(parts)}: {size}, {pay}"


class Shanten(NamedTuple):
    """Shanten towards each of the three shapes; None for one that melds rule out."""

    normal: int
    seven_pairs: int | None
    thirteen_orphans: int | None


def payments(base: int, dealer: bool, honba: int = 0) -> tuple[int, int, int]:
    """From basic points: what a discarder pays, and by self-draw what the dealer and what each other pays."""
    ron, from_dealer, from_other = (-(-base * n // 100) * 100 for n in (6 if dealer else 4, 2, 2 if dealer else 1))
    return ron + 300 * honba, from_dealer + 100 * honba, from_other + 100 * honba


def _check_flags(flags: int, open_hand: bool, melds: int) -> None:
    """Refuse circumstances that cannot be true together."""
    draw, last, robbing = flags & score.DRAW, flags & score.LAST_TILE, flags & score.ROBBING_KONG
    riichi, after_kong = flags & (score.RIICHI | score.DOUBLE_RIICHI), flags & score.AFTER_KONG
    wrong = (
        (riichi and open_hand, "riichi needs a closed hand, but there are open melds"),
        (flags & score.IPPATSU and not riichi, "ippatsu needs riichi"),
        (flags & score.IPPATSU and after_kong, "ippatsu and after_kong cannot be together: a kong ends ippatsu"),
        (after_kong and not draw, "after_kong is a self-draw: give tsumo=True too"),
        (robbing and draw, "robbing_kong is not a self-draw: leave out tsumo"),
        (last and after_kong, "last_tile and after_kong cannot be together: a replacement is not the wall's last tile"),
        (last and robbing, "last_tile and robbing_kong cannot be together: a robbed kong is not the last discard"),
    )
    for is_wrong, why in wrong:
        if is_wrong:
            raise ValueError(why)
    if flags & score.FIRST_TURN and (riichi or last or after_kong or robbing or melds):
        raise ValueError("first_turn cannot be together with riichi, melds, last_tile, after_kong or robbing_kong")


def evaluate(
    hand: str,
    win: str,
    melds: Sequence[Meld] = (),
    *,
    tsumo: bool = False,
    riichi: bool = False,
    double_riichi: bool = False,
    ippatsu: bool = False,
    last_tile: bool = False,
    after_kong: bool = False,
    robbing_kong: bool = False,
    first_turn: bool = False,
    round_wind: str = "E",
    seat_wind: str = "E",
    dora_indicators: str | Iterable[str] = (),
    ura_indicators: str | Iterable[str] = (),
    honba: int = 0,
    rules: Rules = Rules.tenhou(),  # noqa: B008 (frozen)
) -> Win | None:
    """The value of a win, or None if the hand is not complete or has no yaku.

    `hand` is the closed tiles without the winning one ("123m406p789s1z", 0 is the red five), `win` the winning tile,
    `melds` pairs such as ("chow", "234m") of the types chow, pong, open_kong, closed_kong and added_kong. Ura dora
    count after riichi only.
    """
    groups = read_melds(melds, MELD_NAMES)
    tiles = [*read_hand(hand, (13 - 3 * len(groups),), len(groups)), parse_one(win)]
    all_tiles = tiles + [tile for _, group in groups for tile in group]
    check_tiles(all_tiles, rules.red_fives)
    if honba < 0:
        raise ValueError(f"honba is {honba}: expected 0 or more")
    winds = read_wind(round_wind, "round wind"), read_wind(seat_wind, "seat wind")
    given = (
        (tsumo, score.DRAW),
        (riichi, score.RIICHI),
        (double_riichi, score.DOUBLE_RIICHI),
        (ippatsu, score.IPPATSU),
        (last_tile, score.LAST_TILE),
        (after_kong, score.AFTER_KONG),
        (robbing_kong, score.ROBBING_KONG),
        (first_turn, score.FIRST_TURN),
    )
    flags = sum(flag for is_given, flag in given if is_given)
    _check_flags(flags, any(type_ != CLOSED_KONG for type_, _ in groups), len(groups))

    count = to_counts(all_tiles)
    dora, ura = (
        int(sum(count[DORA_OF[indicator]] for indicator in read_indicators(indicators, what)))
        for indicators, what in ((dora_indicators, "dora"), (ura_indicators, "ura dora"))
    )
    if not rules.ura_dora or not (riichi or double_riichi):
        ura = 0
    red = sum(tile >= RED for tile in all_tiles)

    record = rules_record(rules)
    counts, key = to_counts(tiles), np.empty(4, np.int32)
    fill_keys(counts, key)
    meld_type, meld_tile = np.zeros(4, np.int8), np.zeros(4, np.int8)
    for i, (type_, group) in enumerate(groups):
        meld_type[i], meld_tile[i] = type_, min(KIND_OF[group])
    mask, han, fu, yakuman = score.win_value(
        tables(), record, counts, key, len(groups), meld_type, meld_tile, int(KIND_OF[tiles[-1]]), flags, *winds,
        dora + ura + red,
    )  # fmt: skip
    if mask == 0:
        return None
    if yakuman:
        dora = ura = red = 0
        han = YAKUMAN * yakuman
    base = score.base_points(record, han, fu, yakuman)
    ron, from_dealer, from_other = payments(base, winds[1] == 0, honba)
    open_hand = any(type_ != CLOSED_KONG for type_, _ in groups)
    found = []
    for row in YAKU:
        if int(mask) >> row.number & 1:
            double = rules.double_yakuman and DOUBLE_MASK >> row.number & 1
            found.append((row.name, (row.open if open_hand else row.closed) * (2 if double else 1)))
    return Win(
        yaku=tuple(found), dora=dora, ura=ura, red=red, han=int(han), fu=int(fu), yakuman=int(yakuman),
        limit="yakuman" if yakuman else LIMITS.get(base, ""),
        ron=None if tsumo else ron, tsumo=(from_dealer, from_other) if tsumo else None,
    )  # fmt: skip


@overload
def shanten(hand: str, melds: int = 0, *, parts: Literal[False] = False) -> int: ...
@overload
def shanten(hand: str, melds: int = 0, *, parts: Literal[True]) -> Shanten: ...
def shanten(hand: str, melds: int = 0, *, parts: bool = False) -> int | Shanten:
    """How many tiles a hand is away from tenpai (-1: complete); with `parts`, towards each of the three shapes."""
    if not 0 <= melds <= 4:
        raise ValueError(f"a hand has 0 to 4 melds, not {melds}")
    tiles = read_hand(hand, (13 - 3 * melds, 14 - 3 * melds), melds)
    check_tiles(tiles)
    key = np.empty(4, np.int32)
    fill_keys(to_counts(tiles), key)
    k0, k1, k2, k3 = key.astype(np.int64)
    found = [int(n) for n in shanten_parts(tables(), k0, k1, k2, k3, melds)]
    if not parts:
        return min(found)
    return Shanten(found[0], *(None if n == FAR else n for n in found[1:]))


def waits(hand: str, melds: Sequence[Meld] = ()) -> list[str]:
    """The tiles that complete a hand; one of which the hand and its melds already hold all four is none."""
    groups = read_melds(melds, MELD_NAMES)
    tiles = read_hand(hand, (13 - 3 * len(groups),), len(groups))
    all_tiles = tiles + [tile for _, group in groups for tile in group]
    check_tiles(all_tiles)
    mask, held = int(waits_counts(tables(), to_counts(tiles), len(groups))), to_counts(all_tiles)
    return [NAMES[kind] for kind in range(KINDS) if mask >> kind & 1 and held[kind] < 4]
