"""Every yaku with a hand that has it and one that just has not, every source of fu, yakuman and limits."""

import pytest

from suzaku.riichi import Rules
from suzaku.riichi.evaluate import Win, evaluate, payments, rules_record
from suzaku.riichi.score import base_points
from suzaku.riichi.yaku import RENHOU, YAKU, YAKUMAN

# name | a hand that has the yaku | one that just misses it. A hand: closed tiles, winning tile, melds, circumstances;
# the seat is south in an east round unless it says otherwise.
CASES = """
menzen tsumo | 123m456p789s11z78p 9p tsumo | 456p789s11z78p 9p chow:123m tsumo
riichi | 123m456p789s22z78p 9p riichi | 123m456p789s22z78p 9p
ippatsu | 123m456p789s22z78p 9p riichi ippatsu | 123m456p789s22z78p 9p riichi
chankan | 123m456p789s22z79p 8p robbing_kong | 123m456p789s22z79p 8p
rinshan | 456p789s22z79p 8p closed_kong:1111m tsumo after_kong | 456p789s22z79p 8p closed_kong:1111m tsumo
haitei | 123m456p789s22z79p 8p tsumo last_tile | 123m456p789s22z79p 8p tsumo
houtei | 123m456p789s22z79p 8p last_tile | 123m456p789s22z79p 8p tsumo last_tile
pinfu | 123m456p789s33z78p 9p | 123m456p789s11z78p 9p riichi
pinfu | 123m456p789s44z23s 1s | 123m456p678s33z79p 8p riichi
pinfu | 123m456p789s33z78p 9p tsumo | 123m456p789s33z12s 3s tsumo
pinfu | 234m345678p1156s 7s | 234m345678p156s1s 1s riichi
tanyao | 234m456p678s22m67p 8p | 234m456p678s22m78p 9p
tanyao | 456p678s22m67p 8p chow:234m | 456p678s22m67p 8p chow:123m
iipeikou | 112233m456p78s33z 9s | 122334m456p78s33z 9s riichi
iipeikou | 11122233m567p99s 3m riichi | 123m456p78s33z 9s chow:123m
seat wind south | 123m456p78s33m222z 9s | 123m456p78s33m333z 9s riichi
round wind east | 123m456p78s33m111z 9s | 123m456p33378s11z 9s riichi
haku | 123m456p78s33m555z 9s | 123m456p33378s55z 9s riichi
hatsu | 123m456p78s33m 9s pong:666z | 123m456p33378s66z 9s riichi
chun | 123m456p78s33m 9s added_kong:7777z | 123m456p33378s77z 9s riichi
double riichi | 123m456p789s22z78p 9p double_riichi | 123m456p789s22z78p 9p riichi
double riichi | 123m456p789s22z78p 9p riichi double_riichi | 123m456p789s22z78p 9p riichi
chiitoitsu | 1133m2255p77s11z3z 3z | 112233m112233p7s 7s
chanta | 123m789p99s111z78s 9s | 123m789p99s111z78s 6s riichi
ittsuu | 123456789m23p11s 4p | 123456m23p789s11s 4p riichi
sanshoku doujun | 234m234p23s678m11z 4s | 234m234p23s678m11z 1s riichi
sanshoku doukou | 222m222p22s456m11z 2s | 222m222p33s456m11z 3s riichi
sankantsu | 456m1z 1z open_kong:2222m closed_kong:3333p added_kong:9999s | 456m1z 1z open_kong:2222m closed_kong:3333p pong:999s
toitoi | 222m99s44z 9s pong:888p pong:777p | 222m99s44z 9s chow:678p pong:777p
sanankou | 222m444p666s78s33z 9s | 222m444p66s789s33z 6s riichi
sanankou | 222m444p66s33z 6s chow:789s tsumo | 222m444p66s33z 6s chow:789s
sanankou | 222m78s33z 9s closed_kong:4444p closed_kong:6666s | 222m78s33z 9s closed_kong:4444p open_kong:6666s
sanankou | 22223m444666p9s9s 1m | 222m444p66s33z 6s chow:123m
shousangen | 555z66z123m78s 9s pong:777z | 555z11z123m78s 9s pong:777z
honroutou | 111m99p99s 9s pong:333z pong:111z | 111m88p99s 9s pong:333z pong:111z
honroutou | 1199m1199p1199s3z 3z | 1199m1199p1188s3z 3z
ryanpeikou | 111122223333m4p 4p | 111222333m456p4p 4p
ryanpeikou | 112233m778899p1s 1s | 112233m677889p1s 1s riichi
junchan | 123m789p99s11178s 9s | 123m789p111z9978s 9s riichi
honitsu | 123456m99m111z78m 9m | 123456m99m111z78p 9p riichi
chinitsu | 123456m1112378m 9m | 123456m11178m11z 9m
tenhou | 123m456p789s22z79p 8p tsumo first_turn seat=E | 123m456p789s22z79p 8p tsumo seat=E
chiihou | 123m456p789s22z79p 8p tsumo first_turn | 123m456p789s22z78p 9p first_turn
daisangen | 555z12m22s666z 3m pong:777z | 555z12m77z666z 3m pong:222s
suuankou | 222m444p66s888s33z 6s tsumo | 222m444p66s888s33z 6s
suuankou tanki | 222m444p666s888s3z 3z | 222m444p66s888s33z 6s tsumo
tsuuiisou | 1122334455667z 7z | 112233445566z7m 7m
tsuuiisou | 11z22z555z 2z pong:333z pong:666z | 11z22z555z 2z pong:333z pong:999s
ryuuiisou | 223344s666s88s66z 6z | 223344s777s88s66z 6z
chinroutou | 111m99p99s 9s pong:111s pong:111p | 111m99p99s 9s pong:111s pong:111z
chuuren | 1112235678999m 4m | 1112345678889m 9m
chuuren | 1112235678999m 4m | 2235678999m 4m closed_kong:1111m
junsei chuuren | 1112345678999m 4m | 1112235678999m 4m
kokushi | 119m19p19s123456z 7z | 119m19p19s123456z 2z
kokushi 13 wait | 19m19p19s1234567z 7z | 119m19p19s123456z 7z
daisuushi | 111z22z55s 2z pong:333z pong:444z | 11z22z555s 2z pong:333z pong:444z
shousuushi | 11z22z555s 2z pong:333z pong:444z | 11z66z555s 6z pong:333z pong:444z
suukantsu | 1z 1z open_kong:2222m closed_kong:3333p added_kong:9999s open_kong:5555z | 1z 1z open_kong:2222m closed_kong:3333p added_kong:9999s pong:555z
"""  # noqa: E501
ROWS = [tuple(part.strip() for part in line.split("|")) for line in CASES.strip().splitlines()]


def win(text: str, **options) -> Win | None:
    """The value of a hand in the notation above."""
    hand, tile, *words = text.split()
    melds = [tuple(word.split(":")) for word in words if ":" in word]
    winds = dict(word.split("=") for word in words if "=" in word)
    flags = {word: True for word in words if ":" not in word and "=" not in word}
    return evaluate(
        hand, tile, melds, round_wind=winds.get("round", "E"), seat_wind=winds.get("seat", "S"), **flags, **options
    )


def names(text: str, **options) -> list[str]:
    found = win(text, **options)
    return [] if found is None else [name for name, _ in found.yaku]


@pytest.mark.parametrize(("name", "has", "misses"), ROWS)
def test_yaku(name: str, has: str, misses: str) -> None:
    assert name in names(has)
    assert name not in names(misses)


def test_the_table_is_whole_and_tested() -> None:
    assert [row.number for row in YAKU] == list(range(52))
    winds = {f"{which} wind {wind}" for which in ("seat", "round") for wind in ("east", "south", "west", "north")}
    assert {row.name for row in YAKU} == {name for name, _, _ in ROWS} | winds | {YAKU[RENHOU].name}
    assert all((row.closed == YAKUMAN) == (row.number >= RENHOU) for row in YAKU)


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("round_wind", range(4))
def test_winds(seat: int, round_wind: int) -> None:
    words = ("east", "south", "west", "north")
    for wind in range(4):
        text = f"123m456p78s33m{3 * str(wind + 1)}z 9s riichi seat={'ESWN'[seat]} round={'ESWN'[round_wind]}"
        found = names(text)
        assert (f"seat wind {words[wind]}" in found) == (wind == seat)
        assert (f"round wind {words[wind]}" in found) == (wind == round_wind)


@pytest.mark.parametrize(
    ("text", "name", "han"),
    [
        ("789p99s111z78s 9s chow:123m", "chanta", 1),
        ("123789m23p11s 4p chow:456m", "ittsuu", 1),
        ("234m23s678m11z 4s chow:234p", "sanshoku doujun", 1),
        ("123m99s11178s 9s chow:789p", "junchan", 2),
        ("123m99m111z78m 9m chow:456m", "honitsu", 2),
        ("123m1112378m 9m chow:456m", "chinitsu", 5),
        ("123789m23p11s 4p closed_kong:4444s last_tile", "houtei", 1),
        ("123456789m23p11s 4p", "ittsuu", 2),
        ("123456m1112378m 9m", "chinitsu", 6),
    ],
)
def test_open_hands_have_fewer_han(text: str, name: str, han: int) -> None:
    assert (name, han) in win(text).yaku


@pytest.mark.parametrize(
    ("text", "fu"),
    [
        ("123m456p789s33z78p 9p tsumo", 20),  # pinfu by self-draw
        ("123m456p789s33z78p 9p", 30),  # pinfu on a discard
        ("1133m2255p77s11z3z 3z", 25),  # seven pairs
        ("456p678s22m67p 8p chow:234m", 30),  # open, nothing but 20
        ("456p678s22m67p 8p chow:234m tsumo", 30),
        ("234m456p678s22m68p 7p", 40),  # middle wait
        ("456m456p678s33z12p 3p riichi", 40),  # edge waits
        ("456m456p678s33z89p 7p riichi", 40),
        ("234m456p678s345p9m 9m riichi", 40),  # single wait
        ("234m567p678s22m34p 5p", 30),  # two-sided
        ("22m345p678s333p67s 8s tsumo", 30),  # 20 + 2 + 4
        ("222m345p678s67s44p 8s", 40),  # 30 + 4
        ("345p67p11z999s 8p chow:234m last_tile seat=E", 40),  # 20 + 8 + 4: the pair is twice a wind
        ("345p67p11z999s 8p chow:234m last_tile", 30),  # 20 + 8 + 2
        ("345p67p33z999s 8p chow:234m last_tile", 30),  # 20 + 8
        ("345p68p77z999s 7p chow:234m last_tile", 40),  # 20 + 8 + 2 + 2
        ("45p66p234s 3p closed_kong:5555s pong:222m tsumo", 40),  # 20 + 2 + 16 + 2
        ("45p66p222m 3p closed_kong:5555s chow:234s tsumo", 50),  # 20 + 2 + 16 + 4
        ("45p66p234s 3p closed_kong:5555s pong:999m tsumo last_tile", 50),  # 20 + 2 + 16 + 4
        ("45p66p234s 3p closed_kong:5555s pong:999m last_tile", 40),  # 20 + 16 + 4
        ("45p66p999m 3p closed_kong:5555s chow:234s last_tile", 50),  # 20 + 16 + 8
        ("345p66p99m 9m closed_kong:5555s chow:234s last_tile", 40),  # 20 + 16 + 4: the discard opens the triplet
        ("345p66p99m 9m closed_kong:5555s chow:234s tsumo last_tile", 50),  # 20 + 2 + 16 + 8
        ("45p66p678m 3p open_kong:2222m chow:345s", 30),  # 20 + 8
        ("46p66p678m 5p open_kong:2222m chow:345s", 30),  # 20 + 8 + 2
        ("46p66p678m 5p open_kong:2222m chow:345s tsumo", 40),  # 20 + 2 + 8 + 2
        ("45p66p678m 3p added_kong:9999m chow:345s last_tile", 40),  # 20 + 16
        ("45p66p678m 3p closed_kong:2222m chow:345s", 40),  # 20 + 16
        ("45p66p678m 3p closed_kong:1111z chow:345s", 60),  # 20 + 32
        ("45p66p678m345s 3p closed_kong:1111z", 70),  # 20 + 10 + 32
        ("45p77z 3p closed_kong:1111z closed_kong:9999m closed_kong:1111s", 130),  # 20 + 10 + 96 + 2
    ],
)
def test_fu(text: str, fu: int) -> None:
    assert win(text).fu == fu


def test_fu_of_a_double_wind_pair_is_a_switch() -> None:
    text = "345p67p11z999s 8p chow:234m last_tile seat=E"
    assert win(text, rules=Rules.tenhou(double_wind_fu=2)).fu == 30


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("111222333m99p78s 9s", ["pinfu", "iipeikou", "junchan"]),  # runs rather than triplets
        ("222333444m99p78s 9s tsumo", ["menzen tsumo", "sanankou"]),  # triplets rather than runs
        ("1122334455667m 7m", ["pinfu", "ryanpeikou", "chinitsu"]),  # never seven pairs
        ("2233445566778p 8p", ["pinfu", "tanyao", "ryanpeikou", "chinitsu"]),
        ("22333444555m66p 2m", ["tanyao", "toitoi", "sanankou"]),  # the discard opens one of four triplets
        ("123789m678s2344p 4p riichi", ["riichi", "pinfu"]),  # the run, not the pair
    ],
)
def test_the_best_reading_counts(text: str, expected: list[str]) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    ("text", "times", "doubled"),
    [
        ("555z66z77z 6z pong:111z pong:222z", 1, 1),
        ("55z666z22z 5z pong:777z pong:111z", 2, 2),  # big dragons, all honours
        ("222m444p666s888s3z 3z", 1, 2),
        ("1112345678999m 4m", 1, 2),
        ("19m19p19s1234567z 7z", 1, 2),
        ("111z22z55s 2z pong:333z pong:444z", 1, 2),
        ("111z222z333z444z5z 5z", 3, 5),  # big winds, all honours, four concealed triplets
        ("119m19p19s123456z 7z tsumo first_turn", 2, 2),
        ("5z 5z closed_kong:1111z closed_kong:2222z closed_kong:3333z closed_kong:4444z", 4, 6),
    ],
)
def test_yakuman_stack(text: str, times: int, doubled: int) -> None:
    found = win(text)
    assert (found.yakuman, found.han, found.fu) == (times, 13 * times, 0)
    assert (found.ron or 2 * found.tsumo[0]) == 32_000 * times
    assert all(han == YAKUMAN for _, han in found.yaku)
    assert win(text, rules=Rules.tenhou(double_yakuman=True)).yakuman == doubled


def test_doras_do_not_count_for_a_yakuman_nor_make_a_yaku() -> None:
    found = win("1112345678999m 0m", dora_indicators="9m")
    assert (found.han, found.dora, found.red, found.ron) == (13, 0, 0, 32_000)
    assert win("123m456p789s22z79p 8p", dora_indicators="1m9m") is None


def test_switches() -> None:
    assert win("456p678s22m67p 8p chow:234m", rules=Rules.tenhou(open_tanyao=False)) is None
    assert names("234m456p678s22m67p 8p", rules=Rules.tenhou(open_tanyao=False)) == ["pinfu", "tanyao"]
    assert names("123m456p789s22z79p 8p riichi ippatsu", rules=Rules.tenhou(ippatsu=False)) == ["riichi"]
    riichi = "234m456p678s22m67p 8p riichi"
    assert win(riichi, ura_indicators="1m").ura == 3
    assert win(riichi, ura_indicators="1m", rules=Rules.tenhou(ura_dora=False)).ura == 0
    assert win("234m456p678s22m67p 8p", ura_indicators="1m").ura == 0  # only after riichi


@pytest.mark.parametrize(
    ("han", "fu", "base"),
    [
        (1, 30, 240), (1, 110, 880), (2, 25, 400), (2, 20, 320), (3, 60, 1920), (3, 70, 2000), (4, 25, 1600),
        (4, 30, 1920), (4, 40, 2000), (5, 20, 2000), (6, 30, 3000), (7, 30, 3000), (8, 30, 4000), (10, 30, 4000),
        (11, 30, 6000), (12, 30, 6000), (13, 30, 8000), (26, 30, 8000),
    ],
)  # fmt: skip
def test_basic_points(han: int, fu: int, base: int) -> None:
    assert base_points(rules_record(Rules.tenhou()), han, fu, 0) == base
    assert base_points.py_func(rules_record(Rules.tenhou()), han, fu, 0) == base


def test_limits_that_are_switches() -> None:
    assert base_points(rules_record(Rules.tenhou(counted_yakuman=False)), 13, 30, 0) == 6000
    round_up = rules_record(Rules.tenhou(round_up_mangan=True))
    assert [base_points(round_up, *size, 0) for size in ((4, 30), (3, 60), (4, 25))] == [2000, 2000, 1600]
    assert base_points(round_up, 0, 0, 2) == 16_000


@pytest.mark.parametrize(
    ("base", "other", "dealer"),
    [
        (240, (1000, 500, 300), (1500, 500, 500)),
        (320, (1300, 700, 400), (2000, 700, 700)),
        (400, (1600, 800, 400), (2400, 800, 800)),
        (1920, (7700, 3900, 2000), (11600, 3900, 3900)),
        (2000, (8000, 4000, 2000), (12000, 4000, 4000)),
        (8000, (32000, 16000, 8000), (48000, 16000, 16000)),
    ],
)
def test_payments(base: int, other: tuple[int, ...], dealer: tuple[int, ...]) -> None:
    assert payments(base, False) == other
    assert payments(base, True) == dealer
    assert payments(base, False, honba=2) == (other[0] + 600, other[1] + 200, other[2] + 200)
