"""From what networks say to actions."""

import numpy as np
import pytest

from suzaku.agents.agent import chance
from suzaku.agents.choice import discard_of_kind, pick
from suzaku.riichi import actions as act
from suzaku.riichi.state import STATE
from suzaku.tiles import parse_one


def table(drawn, *legal):
    record = np.zeros(1, STATE)
    record["drawn"] = parse_one(drawn)
    mask = np.zeros((1, act.ACTIONS), np.bool_)
    for tile in legal:
        mask[0, tile if isinstance(tile, int) else parse_one(tile)] = True
    return record, mask


@pytest.mark.parametrize(
    ("drawn", "legal", "kind", "action"),
    [
        ("5m", ("5m", act.DISCARD_DRAWN), "5m", act.DISCARD_DRAWN),
        ("0m", ("5m", act.DISCARD_DRAWN), "5m", parse_one("5m")),
        ("5m", ("0m", act.DISCARD_DRAWN), "5m", act.DISCARD_DRAWN),
        ("0m", (act.DISCARD_DRAWN,), "5m", act.DISCARD_DRAWN),
        ("1z", ("0p", "5p", act.DISCARD_DRAWN), "5p", parse_one("5p")),
        ("1z", ("0p", act.DISCARD_DRAWN), "5p", parse_one("0p")),
        ("1z", ("0p",), "1z", -1),
    ],
)
def test_red_fives_stay_and_drawn_tiles_go_first(drawn, legal, kind, action):
    assert discard_of_kind(*table(drawn, *legal))[0, parse_one(kind)] == action


def questions(n):
    records = np.zeros(n, STATE)
    records["game"] = np.arange(n)
    return records


def test_chance_is_even_and_belongs_to_the_question():
    records = questions(40_000)
    numbers = chance(records, 3)
    assert np.allclose(np.histogram(numbers, 10, (0, 1))[0] / 4000, 1, atol=0.1)
    assert (chance(records[::-1], 3)[::-1] == numbers).all()
    assert (chance(records, 4) != numbers).mean() > 0.99


def test_temperature():
    n = 40_000
    chances = np.full((n, act.ACTIONS), np.nan)
    chances[:, 3], chances[:, 7], chances[:, 9] = 0.6, 0.3, 0.1
    assert (pick(chances, questions(n), 0, 0) == 3).all()
    drawn = pick(chances, questions(n), 1.0, 0)
    assert [(drawn == a).mean() for a in (3, 7, 9)] == pytest.approx([0.6, 0.3, 0.1], abs=0.02)
    cooler = pick(chances, questions(n), 0.5, 0)
    assert (cooler == 3).mean() == pytest.approx(0.36 / 0.46, abs=0.02)
