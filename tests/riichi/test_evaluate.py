"""The public functions on hands as text, their errors, and the form over arrays."""

import numpy as np
import pytest

from suzaku.riichi import Rules, evaluate, evaluate_many, shanten, waits
from suzaku.riichi.score import DRAW, RIICHI
from suzaku.riichi.state import PONG
from suzaku.riichi.yaku import names
from suzaku.tiles import KIND_OF, parse

HAND, WIN = "123m406p789s11z23s", "1s"


def test_a_win_by_draw() -> None:
    win = evaluate(
        HAND, WIN, tsumo=True, riichi=True, seat_wind="S", honba=1, dora_indicators=["9m", "4z"], ura_indicators="3p"
    )
    assert win is not None
    assert win.yaku == (("menzen tsumo", 1), ("riichi", 1))
    assert (win.dora, win.ura, win.red) == (3, 1, 1)  # 1m and 1z 1z; 4p; the red five
    assert (win.han, win.fu, win.yakuman, win.limit) == (7, 30, 0, "haneman")
    assert (win.tsumo, win.ron) == ((6100, 3100), None)
    assert str(win) == (
        "menzen tsumo 1, riichi 1, dora 3, ura dora 1, red five 1: 7 han 30 fu (haneman), "
        "6100 from the dealer, 3100 from each other"
    )


def test_a_win_on_a_discard() -> None:
    win = evaluate("123m406p7s", "7s", [("pong", "777z"), ("chow", "234s")], seat_wind="W", honba=2)
    assert win is not None
    assert win.yaku == (("chun", 1),)
    assert (win.han, win.fu, win.ron, win.tsumo) == (2, 30, 2600, None)
    assert str(win) == "chun 1, red five 1: 2 han 30 fu, 2600 from the discarder"


def test_the_dealer_gets_the_same_from_all() -> None:
    win = evaluate("234m456p678s22m67p", "8p", tsumo=True, seat_wind="E")
    assert win is not None
    assert win.tsumo == (1300, 1300)
    assert str(win).endswith("3 han 20 fu, 1300 from each")
    yakuman = evaluate("55z666z22z", "5z", [("pong", "777z"), ("pong", "111z")])
    assert yakuman is not None
    assert str(yakuman) == "daisangen, tsuuiisou: 2x yakuman, 96000 from the discarder"


def test_no_win_is_none() -> None:
    assert evaluate(HAND, "5s") is None  # not complete
    assert evaluate("123m406p789s22z79p", "8p") is None  # no yaku


@pytest.mark.parametrize(
    ("arguments", "how", "message"),
    [
        (("11111m406p789s23s", "1s"), {}, "5 tiles 1m"),
        (("1111m406p789s234s", "1m"), {}, "5 tiles 1m"),
        (("11m406p23s11z7p", "1s", [("pong", "111m")]), {}, "5 tiles 1m"),
        (("100m406p789s11z23s", "1s"), {}, "2 red fives 0m"),
        ((HAND, WIN), {"rules": Rules.no_red()}, "none under these rules"),
        (("123m406p789s11z2s", "1s"), {}, "it has 12 tiles, expected 13"),
        ((HAND, WIN, [("pong", "777z")]), {}, "it has 13 tiles, expected 10 beside 1 meld"),
        ((HAND, "12s"), {}, "expected one tile"),
        ((HAND, "8z"), {}, "no tile '8z'"),
        (("123", WIN), {}, "the suit of '123' is missing"),
        (("406p789s11z23s", "1s", [("chow", "124m")]), {}, "'124m' is not a valid chow"),
        (("406p789s11z23s", "1s", [("chow", "891m")]), {}, "'891m' is not a valid chow"),
        (("406p789s11z23s", "1s", [("chow", "123z")]), {}, "'123z' is not a valid chow"),
        (("406p789s11z23s", "1s", [("chow", "9m12p")]), {}, "is not a valid chow"),
        (("406p789s11z23s", "1s", [("chow", "")]), {}, "is not a valid chow"),
        (("406p789s11z23s", "1s", [("pong", "1111m")]), {}, "'1111m' is not a valid pong: expected three equal tiles"),
        (("406p789s11z23s", "1s", [("closed_kong", "111m")]), {}, "not a valid closed kong: expected four equal tiles"),
        (("406p789s11z23s", "1s", [("chi", "123m")]), {}, "'chi' is not a type of meld"),
        (("406p789s11z23s", "1s", ["111m"]), {}, "a meld is a pair"),
        (("1z", "1z", [("pong", "222z")] * 5), {}, "at most four melds"),
        ((HAND, WIN), {"seat_wind": "X"}, "the seat wind 'X' is unknown"),
        ((HAND, WIN), {"round_wind": "ES"}, "the round wind 'ES' is unknown"),
        ((HAND, WIN), {"dora_indicators": "123456m"}, "6 dora indicators"),
        ((HAND, WIN), {"ura_indicators": ["1x"]}, "cannot read tiles"),
        ((HAND, WIN), {"honba": -1}, "honba is -1"),
        ((HAND, WIN), {"ippatsu": True}, "ippatsu needs riichi"),
        (("406p789s11z23s", "1s", [("chow", "123m")]), {"riichi": True}, "riichi needs a closed hand"),
        ((HAND, WIN), {"robbing_kong": True, "tsumo": True}, "robbing_kong is not a self-draw"),
        ((HAND, WIN), {"after_kong": True}, "after_kong is a self-draw"),
        ((HAND, WIN), {"after_kong": True, "last_tile": True, "tsumo": True}, "last_tile and after_kong"),
        ((HAND, WIN), {"robbing_kong": True, "last_tile": True}, "last_tile and robbing_kong"),
        ((HAND, WIN), {"riichi": True, "ippatsu": True, "after_kong": True, "tsumo": True}, "a kong ends ippatsu"),
        ((HAND, WIN), {"first_turn": True, "riichi": True, "tsumo": True}, "first_turn cannot be together"),
    ],
)
def test_what_cannot_be_is_named(arguments, how, message) -> None:
    with pytest.raises(ValueError, match=message):
        evaluate(*arguments, **how)


def test_shanten() -> None:
    assert shanten("123m456p789s11z23s") == 0
    assert shanten("123m456p789s11z234s") == -1
    assert shanten("1m", 4) == 0
    assert shanten("147m258p369s1234z") == 6
    parts = shanten("19m19p19s1234567z", parts=True)
    assert (parts.normal, parts.seven_pairs, parts.thirteen_orphans) == (8, 6, 0)
    assert shanten("123m45p11z", 2, parts=True) == (0, None, None)
    for wrong, message in (
        (("123m",), "is not a valid hand: it has 3 tiles, expected 13 or 14"),
        (("123m", 3), "is not a valid hand: it has 3 tiles, expected 4 or 5 beside 3 melds"),
        (("11111m222233334p",), "5 tiles 1m"),
        (("1m", 5), "0 to 4 melds"),
    ):
        with pytest.raises(ValueError, match=message):
            shanten(*wrong)


def test_waits() -> None:
    assert waits("1112345678999m") == [f"{n}m" for n in range(1, 10)]
    assert waits("19m19p19s1234567z")[-1] == "7z"
    assert waits("123m456p789s11z23s") == ["1s", "4s"]
    assert waits("147m258p369s1234z") == []
    assert waits("2223m", [("pong", "777z"), ("chow", "123p"), ("chow", "123p")]) == ["1m", "3m", "4m"]
    assert waits("1m", [("pong", "111m"), ("pong", "777z"), ("chow", "123p"), ("chow", "123p")]) == []  # no fifth 1m
    assert waits("23s11z", [("closed_kong", "1111s"), ("pong", "777z"), ("chow", "123p")]) == ["4s"]
    with pytest.raises(ValueError, match="has 14 tiles, expected 13"):
        waits("123m456p789s11z234s")


def _arrays(text: str) -> np.ndarray:
    return np.bincount(KIND_OF[parse(text)], minlength=34).astype(np.int8)


def test_many() -> None:
    hands = np.array([_arrays("123m456p789s11z123s"), _arrays("234m456p678s22m678p"), _arrays("123m456p77s")])
    kinds, tiles = np.zeros((3, 4), np.int8), np.zeros((3, 4), np.int8)
    kinds[2], tiles[2] = [PONG, PONG, 0, 0], [33, 26, 0, 0]
    wins = np.array([18, 16, 24])
    out = evaluate_many(hands, wins, kinds, tiles, [RIICHI, RIICHI | DRAW, 0], seat_winds=[1, 0, 2], extra=[0, 2, 1])
    assert [names(mask) for mask in out["yaku"]] == [
        ["riichi"],
        ["menzen tsumo", "riichi", "pinfu", "tanyao"],
        ["chun"],
    ]
    assert out["han"].tolist() == [1, 6, 2]
    assert out["fu"].tolist() == [40, 20, 30]
    assert out["ron"].tolist() == [1300, 0, 2000]
    assert out["tsumo"].tolist() == [[0, 0], [6000, 6000], [0, 0]]


@pytest.mark.parametrize(
    "change",
    [
        {"hands": _arrays("123m456p789s11z12s")},  # a tile short
        {"hands": _arrays("11111m456p789s111z")},  # five of a kind
        {"wins": 33},  # not in the hand
        {"wins": 40},
        {"meld_types": [PONG, 0, 0, 0]},  # too many tiles beside a meld
        {"seat_winds": 4},
    ],
)
def test_many_refuses_rows_that_are_no_hands(change) -> None:
    good = {"hands": _arrays("123m456p789s11z123s"), "wins": 0}
    with pytest.raises(
        ValueError, match=r"row 1 is not a valid hand: it has \d+ tiles beside \d melds, wins with kind"
    ):
        evaluate_many(
            **{
                name: np.array([{**good, "meld_types": [0] * 4, "seat_winds": 0}[name], value], np.int8)
                for name, value in {**good, **change}.items()
            }
        )
