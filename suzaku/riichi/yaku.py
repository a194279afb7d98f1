"""The yaku by number, and those that lie in the shape of a hand.

- The yaku by number (Tenhou's numbering): names, meanings and han. In kernels, bit n of a mask is yaku n.
- The yaku that lie in the shape of a hand: kernels over one reading of the whole hand, melds included.
"""

from typing import NamedTuple

from suzaku.hand.tables import popcount
from suzaku.kernel import kernel
from suzaku.tiles import HONOURS, ORPHANS, TERMINALS

# fmt: off
(
    MENZEN_TSUMO, RIICHI, IPPATSU, CHANKAN, RINSHAN, HAITEI, HOUTEI, PINFU, TANYAO, IIPEIKOU,
    SEAT_EAST, SEAT_SOUTH, SEAT_WEST, SEAT_NORTH, ROUND_EAST, ROUND_SOUTH, ROUND_WEST, ROUND_NORTH, HAKU, HATSU,
    CHUN, DOUBLE_RIICHI, CHIITOITSU, CHANTA, ITTSUU, SANSHOKU_DOUJUN, SANSHOKU_DOUKOU, SANKANTSU, TOITOI, SANANKOU,
    SHOUSANGEN, HONROUTOU, RYANPEIKOU, JUNCHAN, HONITSU, CHINITSU, RENHOU, TENHOU, CHIIHOU, DAISANGEN,
    SUUANKOU, SUUANKOU_TANKI, TSUUIISOU, RYUUIISOU, CHINROUTOU, CHUUREN, JUNSEI_CHUUREN, KOKUSHI, KOKUSHI_13, DAISUUSHI,
    SHOUSUUSHI, SUUKANTSU,
) = range(52)
# fmt: on

YAKUMAN = 13  # han that the table gives to a yakuman


class Yaku(NamedTuple):
    """One yaku: its number, its name, what it means, and its han in a closed and in an open hand (0: not when open)."""

    number: int
    name: str
    gloss: str
    closed: int
    open: int


YAKU = (
    Yaku(MENZEN_TSUMO, "menzen tsumo", "self-draw with a closed hand", 1, 0),
    Yaku(RIICHI, "riichi", "declared ready with a closed hand", 1, 0),
    Yaku(IPPATSU, "ippatsu", "win within a turn of riichi", 1, 0),
    Yaku(CHANKAN, "chankan", "win by robbing a kong", 1, 1),
    Yaku(RINSHAN, "rinshan", "win on the replacement tile of a kong", 1, 1),
    Yaku(HAITEI, "haitei", "win by the last draw", 1, 1),
    Yaku(HOUTEI, "houtei", "win on the last discard", 1, 1),
    Yaku(PINFU, "pinfu", "four runs, a worthless pair and a two-sided wait", 1, 0),
    Yaku(TANYAO, "tanyao", "no terminals or honours", 1, 1),
    Yaku(IIPEIKOU, "iipeikou", "two equal runs", 1, 0),
    Yaku(SEAT_EAST, "seat wind east", "triplet of the own wind", 1, 1),
    Yaku(SEAT_SOUTH, "seat wind south", "triplet of the own wind", 1, 1),
    Yaku(SEAT_WEST, "seat wind west", "triplet of the own wind", 1, 1),
    Yaku(SEAT_NORTH, "seat wind north", "triplet of the own wind", 1, 1),
    Yaku(ROUND_EAST, "round wind east", "triplet of the round's wind", 1, 1),
    Yaku(ROUND_SOUTH, "round wind south", "triplet of the round's wind", 1, 1),
    Yaku(ROUND_WEST, "round wind west", "triplet of the round's wind", 1, 1),
    Yaku(ROUND_NORTH, "round wind north", "triplet of the round's wind", 1, 1),
    Yaku(HAKU, "haku", "triplet of white dragons", 1, 1),
    Yaku(HATSU, "hatsu", "triplet of green dragons", 1, 1),
    Yaku(CHUN, "chun", "triplet of red dragons", 1, 1),
    Yaku(DOUBLE_RIICHI, "double riichi", "riichi with the first discard", 2, 0),
    Yaku(CHIITOITSU, "chiitoitsu", "seven pairs", 2, 0),
    Yaku(CHANTA, "chanta", "a terminal or honour in every set", 2, 1),
    Yaku(ITTSUU, "ittsuu", "straight of one suit", 2, 1),
    Yaku(SANSHOKU_DOUJUN, "sanshoku doujun", "the same run in three suits", 2, 1),
    Yaku(SANSHOKU_DOUKOU, "sanshoku doukou", "the same triplet in three suits", 2, 2),
    Yaku(SANKANTSU, "sankantsu", "three kongs", 2, 2),
    Yaku(TOITOI, "toitoi", "four triplets", 2, 2),
    Yaku(SANANKOU, "sanankou", "three concealed triplets", 2, 2),
    Yaku(SHOUSANGEN, "shousangen", "two triplets and a pair of dragons", 2, 2),
    Yaku(HONROUTOU, "honroutou", "only terminals and honours", 2, 2),
    Yaku(RYANPEIKOU, "ryanpeikou", "twice two equal runs", 3, 0),
    Yaku(JUNCHAN, "junchan", "a terminal in every set", 3, 2),
    Yaku(HONITSU, "honitsu", "one suit and honours", 3, 2),
    Yaku(CHINITSU, "chinitsu", "one suit alone", 6, 5),
    Yaku(RENHOU, "renhou", "win on a discard before the first draw (not played)", YAKUMAN, 0),
    Yaku(TENHOU, "tenhou", "the dealer's win by the first draw", YAKUMAN, 0),
    Yaku(CHIIHOU, "chiihou", "another seat's win by its first draw", YAKUMAN, 0),
    Yaku(DAISANGEN, "daisangen", "triplets of all dragons", YAKUMAN, YAKUMAN),
    Yaku(SUUANKOU, "suuankou", "four concealed triplets", YAKUMAN, 0),
    Yaku(SUUANKOU_TANKI, "suuankou tanki", "four concealed triplets, waiting for the pair", YAKUMAN, 0),
    Yaku(TSUUIISOU, "tsuuiisou", "only honours", YAKUMAN, YAKUMAN),
    Yaku(RYUUIISOU, "ryuuiisou", "only green tiles", YAKUMAN, YAKUMAN),
    Yaku(CHINROUTOU, "chinroutou", "only terminals", YAKUMAN, YAKUMAN),
    Yaku(CHUUREN, "chuuren", "nine gates", YAKUMAN, 0),
    Yaku(JUNSEI_CHUUREN, "junsei chuuren", "nine gates, waiting for all nine", YAKUMAN, 0),
    Yaku(KOKUSHI, "kokushi", "thirteen orphans", YAKUMAN, 0),
    Yaku(KOKUSHI_13, "kokushi 13 wait", "thirteen orphans, waiting for all thirteen", YAKUMAN, 0),
    Yaku(DAISUUSHI, "daisuushi", "triplets of all winds", YAKUMAN, YAKUMAN),
    Yaku(SHOUSUUSHI, "shousuushi", "three triplets and a pair of winds", YAKUMAN, YAKUMAN),
    Yaku(SUUKANTSU, "suukantsu", "four kongs", YAKUMAN, YAKUMAN),
)


def _having(bit: int, column: str) -> int:
    """Mask of the ordinary yaku whose han has this binary digit."""
    return sum(1 << row.number for row in YAKU[:RENHOU] if getattr(row, column) & bit)


# The han of a mask is the number of its bits in the first of these masks, plus 2x and 4x those in the others.
CLOSED_HAN_1, CLOSED_HAN_2, CLOSED_HAN_4 = (_having(bit, "closed") for bit in (1, 2, 4))
OPEN_HAN_1, OPEN_HAN_2, OPEN_HAN_4 = (_having(bit, "open") for bit in (1, 2, 4))
YAKUMAN_MASK = sum(1 << row.number for row in YAKU[RENHOU:])
DOUBLE_MASK = 1 << KOKUSHI_13 | 1 << SUUANKOU_TANKI | 1 << JUNSEI_CHUUREN | 1 << DAISUUSHI  # if double yakuman count


def names(mask: int) -> list[str]:
    """The names of the yaku in a mask, by number."""
    return [row.name for row in YAKU if int(mask) >> row.number & 1]


# A reading is three numbers: the mask of kinds that are triplets (or kongs), the runs (3 bits say how often a run
# starts at a place; 7 places a suit), and the kind of the pair.

RUN_BITS = 21  # bits of a suit in the runs
ONE_SUIT = (1 << RUN_BITS) - 1
PLACES = sum(1 << 3 * i for i in range(21))  # lowest bit of every place
FIRST_PLACES = 1 | 1 << 21 | 1 << 42
OUTER_RUNS = FIRST_PLACES | FIRST_PLACES << 18  # 123 and 789
DRAGONS, WINDS = 31, 27  # first kind of each
GREEN = sum(1 << k for k in (19, 20, 21, 23, 25, 32))
GREEN_RUN = 1 << 42 + 3  # 234 of bamboos


@kernel
def count_suits(triplets, runs, pair):
    """How many of the three suits are in the hand."""
    sets = triplets | 1 << pair
    n = 0
    for suit in range(3):
        if (sets >> 9 * suit) & 511 != 0 or (runs >> RUN_BITS * suit) & ONE_SUIT != 0:
            n += 1
    return n


@kernel
def shape_yaku(open_tanyao, triplets, runs, pair, kongs, closed, round_wind, seat_wind):
    """The ordinary yaku of a reading, but for pinfu and concealed triplets: these hang on the winning tile."""
    sets = triplets | 1 << pair
    starts = (runs | runs >> 1 | runs >> 2) & PLACES
    found = 0
    if sets & ORPHANS == 0 and starts & OUTER_RUNS == 0:
        if closed or open_tanyao:
            found |= 1 << TANYAO
    elif sets & ~ORPHANS == 0 and starts & ~OUTER_RUNS == 0:
        if starts == 0:
            found |= 1 << HONROUTOU
        elif sets & HONOURS != 0:
            found |= 1 << CHANTA
        else:
            found |= 1 << JUNCHAN
    if count_suits(triplets, runs, pair) == 1:
        found |= 1 << (HONITSU if sets & HONOURS != 0 else CHINITSU)

    if starts == 0:
        found |= 1 << TOITOI
    else:
        if starts & starts >> RUN_BITS & starts >> 2 * RUN_BITS != 0:
            found |= 1 << SANSHOKU_DOUJUN
        if starts & starts >> 9 & starts >> 18 & FIRST_PLACES != 0:
            found |= 1 << ITTSUU
        if closed:
            equal = popcount(runs >> 1 & PLACES) + 2 * popcount(runs >> 2 & PLACES)
            if equal == 1:
                found |= 1 << IIPEIKOU
            elif equal == 2:
                found |= 1 << RYANPEIKOU

    if triplets & triplets >> 9 & triplets >> 18 & 511 != 0:
        found |= 1 << SANSHOKU_DOUKOU
    if kongs == 3:
        found |= 1 << SANKANTSU
    if triplets & HONOURS != 0:
        found |= (triplets >> DRAGONS) << HAKU
        if sets >> DRAGONS == 7:
            found |= 1 << SHOUSANGEN
        found |= (triplets >> WINDS + seat_wind & 1) << SEAT_EAST + seat_wind
        found |= (triplets >> WINDS + round_wind & 1) << ROUND_EAST + round_wind
    return found


@kernel
def shape_yakuman(triplets, runs, pair, kongs):
    """The yakuman of a reading, but for nine gates and concealed triplets: these hang on the winning tile."""
    sets = triplets | 1 << pair
    found = 0
    if kongs == 4:
        found |= 1 << SUUKANTSU
    if sets & HONOURS != 0:
        if triplets >> DRAGONS == 7:
            found |= 1 << DAISANGEN
        if triplets >> WINDS & 15 == 15:
            found |= 1 << DAISUUSHI
        elif sets >> WINDS & 15 == 15:
            found |= 1 << SHOUSUUSHI
        if runs == 0 and sets & ~HONOURS == 0:
            found |= 1 << TSUUIISOU
    elif runs == 0 and sets & ~TERMINALS == 0:
        found |= 1 << CHINROUTOU
    if sets & ~GREEN == 0 and (runs | runs >> 1 | runs >> 2) & PLACES & ~GREEN_RUN == 0:
        found |= 1 << RYUUIISOU
    return found
