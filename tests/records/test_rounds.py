"""How games stood between their rounds."""

from dataclasses import replace

import numpy as np
import pytest

from suzaku.records.stored import round_table, round_tables
from suzaku.review.opinion import rounds_of
from tests.records.made import made_game


@pytest.mark.parametrize("seed", [1, 2, 9])
def test_rows_are_what_the_rounds_began_and_ended_with(seed):
    stored = made_game(seed, "hanchan")
    rows = round_table(stored)
    rounds = rounds_of(stored)
    assert len(rows) == len(rounds) + 1
    for row, one in zip(rows, rounds, strict=False):
        first = one.records[0]
        assert (row["round_no"], row["dealer"], row["honba"]) == (first.round_no, first.dealer, first.honba)
        assert row["sticks"] == first.sticks
        assert row["scores"].tolist() == first.scores.tolist()
    assert rows[-1]["scores"].tolist() == list(stored.scores)
    assert rows[0]["scores"].tolist() == [25_000] * 4
    assert (rows["scores"].sum(1) + 1000 * rows["sticks"] == 100_000).all()


def test_a_round_that_was_broken_off_does_not_count():
    stored = made_game(1)
    cut = replace(stored, actions=stored.actions[:-3], finished=False)
    assert np.array_equal(round_table(cut), round_table(stored)[:-1])


def test_a_game_may_begin_late():
    stored = made_game(1)
    start = [2, 1, 3, 20_000, 30_000, 24_000, 23_000]
    row = round_table(replace(stored, start=start, actions=stored.actions[:0]))
    assert len(row) == 1
    assert (row["round_no"], row["dealer"], row["honba"], row["sticks"]) == (2, 2, 1, 3)
    assert row["scores"].tolist() == [start[3:]]


def test_what_cannot_be_replayed_is_told():
    stored = made_game(1)
    with pytest.raises(ValueError, match="game of-go is of go: rounds are counted of games of riichi alone"):
        round_tables([replace(stored, id="of-go", game="go")])
    with pytest.raises(ValueError, match=r"action \d+ of \d+, .+, is not legal for seat \d; legal: "):
        round_table(replace(stored, actions=np.full_like(stored.actions, 119)))
