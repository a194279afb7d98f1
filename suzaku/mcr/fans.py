"""The fans: numbers, names, values, what they mean and what is not counted beside them.

- The fans: numbers, names, values, what they mean and what is not counted beside them.
- The total of a set of fans, once those are gone that others exclude.
"""

from typing import NamedTuple

import numpy as np

from suzaku.hand.tables import popcount
from suzaku.kernel import kernel

# In kernels a fan is a bit: of `big` for the fans 1 to 47 (8 and more), of `small` for the others (6 and less). The
# constants named after the fans are these bits. Eight of the small ones can count several times (`REPEATED`).

FIRST_SMALL = 48  # number of the first fan whose bit is one of `small`

# fmt: off
(
    BIG_FOUR_WINDS, BIG_THREE_DRAGONS, ALL_GREEN, NINE_GATES, FOUR_KONGS, SEVEN_SHIFTED_PAIRS, THIRTEEN_ORPHANS,
    ALL_TERMINALS, LITTLE_FOUR_WINDS, LITTLE_THREE_DRAGONS, ALL_HONORS, FOUR_CONCEALED_PUNGS, PURE_TERMINAL_CHOWS,
    QUADRUPLE_CHOW, FOUR_PURE_SHIFTED_PUNGS, FOUR_PURE_SHIFTED_CHOWS, THREE_KONGS, ALL_TERMINALS_AND_HONORS,
    SEVEN_PAIRS, GREATER_HONORS_AND_KNITTED_TILES, ALL_EVEN_PUNGS, FULL_FLUSH, PURE_TRIPLE_CHOW, PURE_SHIFTED_PUNGS,
    UPPER_TILES, MIDDLE_TILES, LOWER_TILES, PURE_STRAIGHT, THREE_SUITED_TERMINAL_CHOWS, PURE_SHIFTED_CHOWS, ALL_FIVE,
    TRIPLE_PUNG, THREE_CONCEALED_PUNGS, LESSER_HONORS_AND_KNITTED_TILES, KNITTED_STRAIGHT, UPPER_FOUR, LOWER_FOUR,
    BIG_THREE_WINDS, MIXED_STRAIGHT, REVERSIBLE_TILES, MIXED_TRIPLE_CHOW, MIXED_SHIFTED_PUNGS, CHICKEN_HAND,
    LAST_TILE_DRAW, LAST_TILE_CLAIM, OUT_WITH_REPLACEMENT_TILE, ROBBING_THE_KONG,
) = (1 << i for i in range(47))
(
    ALL_PUNGS, HALF_FLUSH, MIXED_SHIFTED_CHOWS, ALL_TYPES, MELDED_HAND, TWO_CONCEALED_KONGS, TWO_DRAGON_PUNGS,
    OUTSIDE_HAND, FULLY_CONCEALED_HAND, TWO_MELDED_KONGS, LAST_TILE, DRAGON_PUNG, PREVALENT_WIND, SEAT_WIND,
    CONCEALED_HAND, ALL_CHOWS, TILE_HOG, DOUBLE_PUNG, TWO_CONCEALED_PUNGS, CONCEALED_KONG, ALL_SIMPLES,
    PURE_DOUBLE_CHOW, MIXED_DOUBLE_CHOW, SHORT_STRAIGHT, TWO_TERMINAL_CHOWS, PUNG_OF_TERMINALS_OR_HONORS, MELDED_KONG,
    ONE_VOIDED_SUIT, NO_HONORS, EDGE_WAIT, CLOSED_WAIT, SINGLE_WAIT, SELF_DRAWN, FLOWER_TILES, MIXED_KONGS,
) = (1 << i for i in range(35))
# fmt: on


class Fan(NamedTuple):
    """One fan: its number, names and value, its condition, and the fans (by number) that are not counted beside it."""

    number: int
    name: str
    chinese: str
    value: int
    condition: str
    excludes: tuple[int, ...] = ()


FANS = (
    Fan(1, "Big Four Winds", "大四喜", 88, "pungs of all four winds", (38, 48, 60, 61, 73)),
    Fan(2, "Big Three Dragons", "大三元", 88, "pungs of all three dragons", (54, 59)),
    Fan(3, "All Green", "绿一色", 88, "only 2s 3s 4s 6s 8s 6z", (49, 75)),
    Fan(4, "Nine Gates", "九莲宝灯", 88, "1112345678999 of one suit, and any tile of it", (22, 56, 62, 75, 76)),
    Fan(5, "Four Kongs", "四杠", 88, "four kongs", (48, 79)),
    Fan(6, "Seven Shifted Pairs", "连七对", 88, "seven pairs in a row of one suit", (19, 22, 56, 62, 75, 76, 79)),
    Fan(7, "Thirteen Orphans", "十三幺", 88, "each terminal and honour, one of them twice", (18, 51, 56, 62, 79)),
    Fan(8, "All Terminals", "清幺九", 64, "only terminals", (18, 48, 55, 65, 73, 76)),
    Fan(9, "Little Four Winds", "小四喜", 64, "pungs of three winds and a pair of the fourth", (38, 73)),
    Fan(10, "Little Three Dragons", "小三元", 64, "pungs of two dragons and a pair of the third", (54, 59)),
    Fan(11, "All Honors", "字一色", 64, "only honours", (18, 48, 55, 73, 75)),
    Fan(12, "Four Concealed Pungs", "四暗刻", 64, "four concealed pungs", (33, 48, 56, 62, 66)),
    Fan(13, "Pure Terminal Chows", "一色双龙会", 64, "two 123, two 789, 55 of a suit", (19, 22, 63, 69, 72, 75, 76)),
    Fan(14, "Quadruple Chow", "一色四同顺", 48, "four equal chows", (23, 24, 64, 69)),
    Fan(15, "Four Pure Shifted Pungs", "一色四节高", 48, "four pungs in a row of one suit", (23, 24, 48)),
    Fan(16, "Four Pure Shifted Chows", "一色四步高", 32, "four chows of one suit in steps of 1 or 2", (30, 71, 72)),
    Fan(17, "Three Kongs", "三杠", 32, "three kongs"),
    Fan(18, "All Terminals and Honors", "混幺九", 32, "only terminals and honours, both of them", (48, 55, 73)),
    Fan(19, "Seven Pairs", "七对", 24, "seven pairs; four alike are two", (56, 62, 79)),
    Fan(20, "Greater Honors and Knitted Tiles", "七星不靠", 24, "all honours, seven knitted", (34, 51, 56, 62, 79)),
    Fan(21, "All Even Pungs", "全双刻", 24, "pungs and a pair of 2, 4, 6, 8", (48, 68, 76)),
    Fan(22, "Full Flush", "清一色", 24, "one suit", (75, 76)),
    Fan(23, "Pure Triple Chow", "一色三同顺", 24, "three equal chows", (24, 69)),
    Fan(24, "Pure Shifted Pungs", "一色三节高", 24, "three pungs in a row of one suit", (23,)),
    Fan(25, "Upper Tiles", "全大", 24, "only 7, 8, 9", (36, 76)),
    Fan(26, "Middle Tiles", "全中", 24, "only 4, 5, 6", (68, 76)),
    Fan(27, "Lower Tiles", "全小", 24, "only 1, 2, 3", (37, 76)),
    Fan(28, "Pure Straight", "清龙", 16, "123 456 789 of one suit"),
    Fan(29, "Three-Suited Terminal Chows", "三色双龙会", 16, "123 789 of two suits, 55 of the third", (63, 70, 72, 76)),
    Fan(30, "Pure Shifted Chows", "一色三步高", 16, "three chows of one suit in steps of 1 or 2"),
    Fan(31, "All Five", "全带五", 16, "a 5 in each set and in the pair", (68, 76)),
    Fan(32, "Triple Pung", "三同刻", 16, "pungs of one number in three suits"),
    Fan(33, "Three Concealed Pungs", "三暗刻", 16, "three concealed pungs", (66,)),
    Fan(34, "Lesser Honors and Knitted Tiles", "全不靠", 12, "14 different honours and knitted", (51, 56, 62, 79)),
    Fan(35, "Knitted Straight", "组合龙", 12, "147, 258 and 369, each of another suit"),
    Fan(36, "Upper Four", "大于五", 12, "only 6 to 9", (76,)),
    Fan(37, "Lower Four", "小于五", 12, "only 1 to 4", (76,)),
    Fan(38, "Big Three Winds", "三风刻", 12, "pungs of three winds"),
    Fan(39, "Mixed Straight", "花龙", 8, "123, 456 and 789, each of another suit"),
    Fan(40, "Reversible Tiles", "推不倒", 8, "only 1234589p 245689s 5z", (75,)),
    Fan(41, "Mixed Triple Chow", "三色三同顺", 8, "the same chow in three suits"),
    Fan(42, "Mixed Shifted Pungs", "三色三节高", 8, "pungs in three suits, each 1 higher"),
    Fan(43, "Chicken Hand", "无番和", 8, "no other fan but flowers"),
    Fan(44, "Last Tile Draw", "妙手回春", 8, "self-drawn on the last tile of the wall", (80,)),
    Fan(45, "Last Tile Claim", "海底捞月", 8, "won on the discard after the last tile of the wall"),
    Fan(46, "Out with Replacement Tile", "杠上开花", 8, "self-drawn on the replacement of an own kong", (80,)),
    Fan(47, "Robbing the Kong", "抢杠和", 8, "won on the tile added to a pong", (58,)),
    Fan(48, "All Pungs", "碰碰和", 6, "four pungs and a pair"),
    Fan(49, "Half Flush", "混一色", 6, "one suit and honours", (75,)),
    Fan(50, "Mixed Shifted Chows", "三色三步高", 6, "chows in three suits, each 1 higher"),
    Fan(51, "All Types", "五门齐", 6, "all three suits, winds and dragons"),
    Fan(52, "Melded Hand", "全求人", 6, "four open melds and a discard", (79,)),
    Fan(53, "Two Concealed Kongs", "双暗杠", 6, "two concealed kongs", (66,)),
    Fan(54, "Two Dragons Pungs", "双箭刻", 6, "pungs of two dragons", (59,)),
    Fan(55, "Outside Hand", "全带幺", 4, "a terminal or honour in each set and in the pair"),
    Fan(56, "Fully Concealed Hand", "不求人", 4, "no open meld, self-drawn", (62, 80)),
    Fan(57, "Two Melded Kongs", "双明杠", 4, "two open or added kongs"),
    Fan(58, "Last Tile", "和绝张", 4, "the other three of the winning tile lie open"),
    Fan(59, "Dragon Pung", "箭刻", 2, "pung of a dragon, each"),
    Fan(60, "Prevalent Wind", "圈风刻", 2, "pung of the round's wind"),
    Fan(61, "Seat Wind", "门风刻", 2, "pung of the own wind"),
    Fan(62, "Concealed Hand", "门前清", 2, "no open meld, won on a discard"),
    Fan(63, "All Chows", "平和", 2, "four chows (or a knitted straight and one) and a pair of a suit", (76,)),
    Fan(64, "Tile Hog", "四归一", 2, "all four of a kind, not as a kong, each"),
    Fan(65, "Double Pung", "双同刻", 2, "pungs of one number in two suits, each"),
    Fan(66, "Two Concealed Pungs", "双暗刻", 2, "two concealed pungs"),
    Fan(67, "Concealed Kong", "暗杠", 2, "one concealed kong"),
    Fan(68, "All Simples", "断幺", 2, "no terminals or honours", (76,)),
    Fan(69, "Pure Double Chow", "一般高", 1, "two equal chows"),
    Fan(70, "Mixed Double Chow", "喜相逢", 1, "the same chow in two suits"),
    Fan(71, "Short Straight", "连六", 1, "two chows in a row of one suit"),
    Fan(72, "Two Terminal Chows", "老少副", 1, "123 and 789 of one suit"),
    Fan(73, "Pung of Terminals or Honors", "幺九刻", 1, "pung of a terminal or of a wind that scores nothing else"),
    Fan(74, "Melded Kong", "明杠", 1, "one open or added kong"),
    Fan(75, "One Voided Suit", "缺一门", 1, "two suits"),
    Fan(76, "No Honors", "无字", 1, "no honours"),
    Fan(77, "Edge Wait", "边张", 1, "12 waits for 3 or 89 for 7, and for nothing else", (78, 79)),
    Fan(78, "Closed Wait", "嵌张", 1, "waits for the middle of a chow, and for nothing else", (79,)),
    Fan(79, "Single Wait", "单钓将", 1, "waits for the pair, and for nothing else"),
    Fan(80, "Self-Drawn", "自摸", 1, "won on an own draw"),
    Fan(81, "Flower Tiles", "花牌", 1, "each flower; they do not count towards the 8"),
    Fan(82, "Concealed Kong and Melded Kong", "明暗杠", 5, "one concealed and one melded kong"),
)  # fmt: skip

REPEATED = (59, 64, 65, 69, 70, 71, 72, 73)  # numbers of the fans that can count several times
# How often beyond the first they count, in one number: COUNT_BITS each.
COUNT_BITS = 3
(MORE_DRAGONS, MORE_HOGS, MORE_DOUBLE_PUNGS, MORE_PURE_DOUBLES, MORE_MIXED_DOUBLES, MORE_SHORT_STRAIGHTS,
 MORE_TERMINAL_CHOWS, MORE_TERMINAL_PUNGS) = range(0, 24, COUNT_BITS)  # fmt: skip


def _words(numbers: tuple[int, ...]) -> tuple[int, int]:
    """Fans by number, as bits of `big` and of `small`."""
    big = sum(1 << n - 1 for n in numbers if n < FIRST_SMALL)
    return big, sum(1 << n - FIRST_SMALL for n in numbers if n >= FIRST_SMALL)


EXCLUDES = np.array([_words(fan.excludes) for fan in FANS], np.int64)  # by number - 1: bits of `big` and of `small`
BIG_EXCLUDERS, SMALL_EXCLUDERS = _words(tuple(fan.number for fan in FANS if fan.excludes))
VALUES = np.array([fan.value for fan in FANS], np.int64)
REPEATED_SHIFT = {number: COUNT_BITS * i for i, number in enumerate(REPEATED)}
REPEATED_BITS = np.array([1 << n - FIRST_SMALL for n in REPEATED], np.int64)
REPEATED_VALUES = np.array([FANS[n - 1].value for n in REPEATED], np.int64)


@kernel
def apply_exclusions(big, small):
    """The fans that are left."""
    no_big = no_small = 0
    rest = big & BIG_EXCLUDERS
    while rest != 0:
        low = rest & -rest
        rest ^= low
        i = popcount(low - 1)
        no_big |= EXCLUDES[i, 0]
        no_small |= EXCLUDES[i, 1]
    rest = small & SMALL_EXCLUDERS
    while rest != 0:
        low = rest & -rest
        rest ^= low
        no_small |= EXCLUDES[FIRST_SMALL - 1 + popcount(low - 1), 1]
    return big & ~no_big, small & ~no_small


@kernel
def total(big, small, more):
    """The sum of the values; `more` says how often beyond the first the repeated fans count."""
    points = 0
    while big != 0:
        low = big & -big
        big ^= low
        points += VALUES[popcount(low - 1)]
    rest = small
    while rest != 0:
        low = rest & -rest
        rest ^= low
        points += VALUES[FIRST_SMALL - 1 + popcount(low - 1)]
    i = 0
    while more != 0:
        if small & REPEATED_BITS[i] != 0:
            points += (more & (1 << COUNT_BITS) - 1) * REPEATED_VALUES[i]
        more >>= COUNT_BITS
        i += 1
    return points
