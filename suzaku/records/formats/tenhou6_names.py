"""Names and numbers of tenhou.net/6 JSON: tiles, yaku, results, dan."""

from suzaku.records.game import RecordError
from suzaku.riichi import state as st
from suzaku.tiles import RED

YAKU = (
    "門前清自摸和", "立直", "一発", "槍槓", "嶺上開花", "海底摸月", "河底撈魚", "平和", "断幺九", "一盃口",
    "自風 東", "自風 南", "自風 西", "自風 北", "場風 東", "場風 南", "場風 西", "場風 北", "役牌 白", "役牌 發",
    "役牌 中", "両立直", "七対子", "混全帯幺九", "一気通貫", "三色同順", "三色同刻", "三槓子", "対々和", "三暗刻",
    "小三元", "混老頭", "二盃口", "純全帯幺九", "混一色", "清一色", "人和", "天和", "地和", "大三元",
    "四暗刻", "四暗刻単騎", "字一色", "緑一色", "清老頭", "九蓮宝燈", "純正九蓮宝燈", "国士無双", "国士無双１３面",
    "大四喜", "小四喜", "四槓子", "ドラ", "裏ドラ", "赤ドラ",
)  # fmt: skip
DORA, URA, RED_FIVE = 52, 53, 54
YAKUMAN_NAME = "役満"

WON = "和了"
ENDS = {
    "流局": st.EXHAUSTED, "全員聴牌": st.EXHAUSTED, "全員不聴": st.EXHAUSTED, "流し満貫": st.NAGASHI,
    "九種九牌": st.NINE_KINDS, "四風連打": st.FOUR_WINDS, "四家立直": st.FOUR_RIICHI, "四槓散了": st.FOUR_KONGS,
    "三家和了": st.THREE_WINS, "三家和": st.THREE_WINS,
}  # fmt: skip
END_NAMES = {
    st.EXHAUSTED: "流局", st.NAGASHI: "流し満貫", st.NINE_KINDS: "九種九牌", st.FOUR_WINDS: "四風連打",
    st.FOUR_RIICHI: "四家立直", st.FOUR_KONGS: "四槓散了", st.THREE_WINS: "三家和了",
}  # fmt: skip
ALL_WAIT, NOBODY_WAITS = "全員聴牌", "全員不聴"

DAN = (
    "新人", "９級", "８級", "７級", "６級", "５級", "４級", "３級", "２級", "１級",
    "初段", "二段", "三段", "四段", "五段", "六段", "七段", "八段", "九段", "十段", "天鳳位",
)  # fmt: skip
TABLES = {"鳳": "houou", "特": "tokujou", "上": "joukyuu", "般": "general"}


def read_tile(number: int) -> int:
    """The tile of a number: 11..19 characters, 21..29 circles, 31..39 bamboos, 41..47 honours, 51..53 red fives."""
    suit, rank = divmod(number, 10)
    if suit == 5 and 1 <= rank <= 3:
        return RED + rank - 1
    if (1 <= suit <= 3 and 1 <= rank <= 9) or (suit == 4 and 1 <= rank <= 7):
        return 9 * (suit - 1) + rank - 1
    raise RecordError(f"{number} is not a tile: expected one such as 11, 39, 47 or 51")


def write_tile(tile: int) -> int:
    """The number of a tile."""
    return 51 + tile - RED if tile >= RED else 10 * (tile // 9 + 1) + tile % 9 + 1


def read_yaku(text: str) -> tuple[int, int]:
    """Number and han of a yaku such as "立直(1飜)"; 0 han for a yakuman."""
    name, _, worth = text.partition("(")
    if name not in YAKU:
        raise RecordError(f"{name!r} is not a yaku of Tenhou")
    return YAKU.index(name), 0 if worth.startswith(YAKUMAN_NAME) else int(worth.removesuffix("飜)"))
