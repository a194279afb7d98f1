"""Fans and shanten against PyMahjongGB: its frozen answers everywhere, live where it is installed."""

import numpy as np
import pytest

from suzaku.hand.tables import tables
from suzaku.mcr import evaluate_many
from suzaku.mcr.evaluate import counted_fans
from suzaku.mcr.fans import FANS
from suzaku.mcr.shanten import shanten_many
from tests.mcr import gb
from tests.mcr.freeze import FILE, HANDS, SEED, WINS
from tests.mcr.random_wins import random_hands, random_wins

UNSCORED = {"花牌"}


def shanten_of(hands: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    out = np.empty(len(hands[0]), np.int8)
    shanten_many(tables(), *hands, out)
    return out


def test_fans_are_as_the_judge_said():
    wins, said = random_wins(SEED, WINS), np.load(FILE)["totals"]
    value = evaluate_many(**wins)
    wrong = np.flatnonzero(value["fan"] != said)
    assert not len(wrong), f"row {wrong[0]}: {gb.arguments(wins, wrong[0])} is {said[wrong[0]]}"
    found = {fan.chinese for row in value for fan in counted_fans(int(row["big"]), int(row["small"]), int(row["more"]))}
    assert found == {fan.chinese for fan in FANS} - UNSCORED
    names_and_totals = [
        sum(fan.value * fan.count for fan in counted_fans(int(row["big"]), int(row["small"]), int(row["more"])))
        for row in value[:2000]
    ]
    assert names_and_totals == said[:2000].tolist()


def test_shanten_is_as_the_judge_said():
    hands, said = random_hands(SEED, HANDS), np.load(FILE)["shanten"]
    ours = shanten_of(hands)
    for i in np.flatnonzero(ours != said):
        assert gb.fifth_tile(hands[0][i], ours[i], said[i]), f"{hands[0][i]} is {said[i]}, not {ours[i]}"
    assert (ours != said).mean() < 0.01


def test_live():
    library = pytest.importorskip("MahjongGB", reason="PyMahjongGB is not installed (it needs a C++ compiler)")
    wins = random_wins(SEED + 1, 3000)
    values = evaluate_many(**wins)
    value_of = {fan.chinese: fan.value for fan in FANS}
    for i in range(3000):
        theirs = gb.fans(library.MahjongFanCalculator, gb.arguments(wins, i))
        assert values["fan"][i] == sum(value_of[name] * n for name, n in theirs.items()), gb.arguments(wins, i)
    hands = random_hands(SEED + 1, 3000)
    ours = shanten_of(hands)
    for i in range(3000):
        theirs = gb.shanten(library, hands[0][i], int(hands[1][i]))
        assert theirs == ours[i] or gb.fifth_tile(hands[0][i], ours[i], theirs)
