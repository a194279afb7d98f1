"""An agent's opinion of every decision of a game, beside what was done."""

import numpy as np
import pytest

from suzaku.agents.agent import Answers
from suzaku.agents.simple import RandomAgent
from suzaku.review.agreement import compare
from suzaku.review.opinion import Round, rounds_of
from suzaku.riichi.actions import DISCARD_DRAWN
from suzaku.riichi.game import GAME
from suzaku.riichi.table import Table
from tests.records.made import made_game
from tests.riichi.dealt import PONG


def test_the_drawn_tile_and_its_like_are_one_discard():
    table = Table.deal([PONG])
    tile = int(table.record.drawn)
    record = table.record.reshape(1).copy()
    legal = table.legal_mask()[None]
    other = next(a for a in table.legal_actions() if a not in (tile, DISCARD_DRAWN))
    for played, best, same in (
        (tile, DISCARD_DRAWN, True),
        (DISCARD_DRAWN, tile, True),
        (DISCARD_DRAWN, DISCARD_DRAWN, True),
        (other, DISCARD_DRAWN, False),
        (other, tile, False),
    ):
        one = Round(record, legal, np.array([played]), np.array([False]))
        assert compare(GAME, one, Answers(np.array([best]), None))[0]["same"] is same


def test_a_round_holds_every_decision_of_a_game():
    stored = made_game(1)
    rounds = rounds_of(stored)
    assert np.concatenate([one.actions for one in rounds]).tolist() == stored.actions.tolist()
    for one in rounds:
        assert len(one.records) == len(one.actions) + 1
        assert one.legal[np.arange(len(one.actions)), one.actions].all()
        assert one.records[-1]["seat"] < 0
        found = compare(GAME, one, RandomAgent().act(one.records[:-1], one.legal))
        assert all(row["played"] == row["policy"][str(row["best"])] for row in found)  # to this agent all are alike
        assert [row["seat"] for row in found] == one.records["seat"][:-1].tolist()
        assert [row["counts"] for row in found] == (one.legal.sum(1) > 1).tolist()


def test_what_was_played_for_somebody_does_not_count():
    one = rounds_of(made_game(1))[0]
    one.away[:] = True
    assert not any(row["counts"] for row in compare(GAME, one, RandomAgent().act(one.records[:-1], one.legal)))


def test_what_was_played_is_rated_as_its_best_like():
    table = Table.deal([PONG])
    tile = int(table.record.drawn)
    other = next(a for a in table.legal_actions() if a not in (tile, DISCARD_DRAWN))
    legal = table.legal_mask()[None]
    legal[0, tile] = True  # as if another of its kind were in the hand
    ratings = np.full((1, 120), np.nan, np.float32)
    ratings[0, [DISCARD_DRAWN, tile, other]] = 0.25, 0.5, 0.75
    for played, rating in ((DISCARD_DRAWN, 0.5), (tile, 0.5), (other, 0.75)):
        one = Round(table.record.reshape(1).copy(), legal, np.array([played]), np.array([False]))
        row = compare(GAME, one, Answers(np.array([other]), values=ratings))[0]
        assert row["played"] == pytest.approx(rating)
