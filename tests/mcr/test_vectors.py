"""Hands whose fans are known, one by one, and the cases that are easily got wrong."""

from pathlib import Path

import pytest

from suzaku.mcr import evaluate, shanten, waits

LINES = [line for line in (Path(__file__).parent / "vectors.txt").read_text("utf-8").splitlines() if line[0] != "#"]


def read(line: str) -> tuple[dict, int, dict[str, int]]:
    """What `evaluate` takes, the total, and the fans by Chinese name."""
    hand, win, melds, given, answer = (part.strip() for part in line.split("|"))
    arguments: dict = {"hand": hand, "win": win, "melds": [tuple(meld.split(":")) for meld in melds.split()]}
    for word in given.split():
        name, _, value = word.partition("=")
        arguments[name] = value or True
    total, names = answer.split("=")
    counts = {name.partition("x")[0]: int(name.partition("x")[2] or 1) for name in names.split()}
    return arguments, int(total), counts


@pytest.mark.parametrize("line", LINES)
def test_fans_of_known_hands(line):
    arguments, total, counts = read(line)
    win = evaluate(**arguments)
    assert win is not None
    assert {fan.chinese: fan.count for fan in win.fans} == counts
    assert win.fan == total == sum(fan.value * fan.count for fan in win.fans)
    assert win.may_win == (total >= 8)


def total(hand: str, win: str, *melds: tuple[str, str], **given) -> int:
    found = evaluate(hand, win, melds, **given)
    assert found is not None
    return found.fan


@pytest.mark.parametrize(
    ("win", "fan"), [("1", 106), ("9", 106), ("2", 92), ("8", 92), ("5", 91), ("3", 89), ("6", 89)]
)
def test_nine_gates_on_each_tile(win, fan):
    assert total("1112345678999m", win + "m") == fan


@pytest.mark.parametrize(
    ("hand", "win", "wait"),
    [
        ("1233m", "3m", "边张"),
        ("5667m", "6m", "嵌张"),
        ("1222m", "1m", ""),
        ("4445m", "5m", ""),
        ("2344m", "1m", ""),
    ],
)
def test_only_a_lone_wait_scores(hand, win, wait):
    melds = [("chow", "123s"), ("chow", "456p"), ("chow", "789p")]
    found = evaluate(hand, win, melds)
    if hand == "2344m":
        assert "1m" in waits(hand, melds)
    assert found is not None
    assert [fan.chinese for fan in found.fans if fan.chinese in ("边张", "嵌张", "单钓将")] == ([wait] if wait else [])


def test_seven_pairs_spoil_a_lone_wait_too():
    win = evaluate("445566m2277779s", "8s")
    assert win is not None
    assert not {"边张", "嵌张", "单钓将"} & {fan.chinese for fan in win.fans}
    assert waits("445566m2277779s") == ["8s", "9s"]


def test_kongs_and_fan_82():
    melds = [("closed_kong", "1111m"), ("added_kong", "3333s")]
    assert total("34567p77z", "2p", *melds) == 7
    assert total("34567p77z", "2p", *melds, mixed_kongs=False) == 5
    assert total("34567p77z", "2p", ("open_kong", "1111m"), ("added_kong", "3333s")) == 6


def test_flags_that_cannot_be_are_dropped_or_refused():
    melds = [("chow", "123m"), ("chow", "456s"), ("pong", "888p")]
    assert total("67m11z", "8m", *melds, robbing_kong=True) == 8
    others = [("chow", "123p"), ("chow", "456s"), ("pong", "888p")]
    assert total("6788m", "8m", *others, robbing_kong=True) == total("6788m", "8m", *others)
    assert total("6788m", "8m", *others, fourth_tile=True) == total("6788m", "8m", *others)
    with pytest.raises(ValueError, match="give tsumo=True"):
        evaluate("67m11z", "8m", melds, after_kong=True)
    with pytest.raises(ValueError, match="needs a kong"):
        evaluate("67m11z", "8m", melds, after_kong=True, tsumo=True)
    with pytest.raises(ValueError, match="leave out tsumo"):
        evaluate("67m11z", "8m", melds, robbing_kong=True, tsumo=True)


def test_flowers_count_but_not_towards_eight():
    melds = [("chow", "123m"), ("chow", "456s"), ("pong", "888p")]
    chicken = evaluate("67m11z", "8m", melds, flowers=3)
    assert chicken is not None
    assert (chicken.fan, chicken.may_win) == (11, True)
    poor = evaluate("67m11z", "8m", melds, flowers=8, fourth_tile=True)
    assert poor is not None
    assert (poor.fan, poor.may_win) == (12, False)


def test_payments():
    win = evaluate("147m258s369p123m5s", "5s")
    assert win is not None
    assert (win.payments, win.gain) == ((25, 8, 8), 41)
    drawn = evaluate("147m258s369p123m5s", "5s", tsumo=True)
    assert drawn is not None
    assert (drawn.payments, drawn.gain) == ((8 + drawn.fan,) * 3, 24 + 3 * drawn.fan)


def test_what_is_no_hand():
    assert evaluate("147m258s369p123m5s", "6s") is None
    assert evaluate("1112345678999m", "1z") is None
    with pytest.raises(ValueError, match="only four of a kind"):
        evaluate("1111m", "1m", [("chow", "123s")] * 3)
    with pytest.raises(ValueError, match="red fives"):
        evaluate("0m", "5m", [("chow", "123s")] * 4)


def test_shanten_of_all_shapes():
    assert shanten("19m19p19s1234567z") == 0
    assert shanten("147m258s369p12345z") == -1
    assert shanten("147m258s369p11234z", parts=True).knitted_straight == 1
    assert shanten("1111m3333s5566p77z") == -1
    assert shanten("11z", 4) == -1
    assert shanten("147m258s369p7z", 1) == 0
    assert shanten("1m", 4) == 0
