"""From what networks say to actions."""

import numpy as np
import pytest

from suzaku.agents.agent import discard_of_kind, draw, random_numbers
from suzaku.agents.simple import RandomAgent
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


def test_random_numbers_are_even_and_belong_to_the_question():
    records = questions(40_000)
    numbers = random_numbers(records, 3)
    assert np.allclose(np.histogram(numbers, 10, (0, 1))[0] / 4000, 1, atol=0.1)
    assert (random_numbers(records[::-1], 3)[::-1] == numbers).all()
    assert (random_numbers(records, 4) != numbers).mean() > 0.99


def test_copies_of_one_position_draw_from_streams_of_their_own():
    copies = questions(1).repeat(40_000)
    streams = np.arange(40_000)
    numbers = random_numbers(copies, 3, streams)
    assert np.allclose(np.histogram(numbers, 10, (0, 1))[0] / 4000, 1, atol=0.1)
    assert (random_numbers(copies[5:8], 3, streams[5:8]) == numbers[5:8]).all(), "the same wherever it is asked"
    legal = np.zeros((40_000, act.ACTIONS), np.bool_)
    legal[:, [3, 7, 9, 12]] = True
    answers = RandomAgent(1).act(copies, legal, streams)
    assert [(answers.actions == a).mean() for a in (3, 7, 9, 12)] == pytest.approx([0.25] * 4, abs=0.01)
    assert np.allclose(answers.log_prob, np.log(0.25))
    assert len(set(RandomAgent(1).act(copies, legal).actions)) == 1, (
        "without streams: the same question, the same answer"
    )


def test_draws_follow_the_policy():
    n = 40_000
    policy = np.zeros((n, act.ACTIONS), np.float32)
    policy[:, 3], policy[:, 7], policy[:, 9] = 0.6, 0.3, 0.1
    drawn = draw(policy, random_numbers(questions(n), 0))
    assert [(drawn == a).mean() for a in (3, 7, 9)] == pytest.approx([0.6, 0.3, 0.1], abs=0.02)
    assert (draw(policy[:2], np.array([0.0, 1 - 2.0**-53])) == [3, 9]).all()
