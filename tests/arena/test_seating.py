"""Every entrant sits in every seat equally often on every deal."""

import numpy as np
import pytest

from suzaku.arena.match import Match, check_mode, seatings


@pytest.mark.parametrize(("mode", "entrants"), [("1v3", 2), ("1v3", 4), ("2v2", 2), ("4way", 4)])
def test_seats_are_shared_out_evenly_on_each_deal(mode, entrants):
    table = seatings(mode, entrants, np.arange(7))
    for entrant in range(entrants):
        by_seat = (table == entrant).sum(1)
        assert (by_seat == by_seat[:, :1]).all()
        assert by_seat.min() > 0


def test_1v3_has_one_challenger_against_three_of_the_last():
    table = seatings("1v3", 3, np.arange(1))[0]
    for game in table:
        assert (game == 2).sum() == 3
    assert [set(game) for game in table[:4].tolist()] == [{0, 2}] * 4
    assert [set(game) for game in table[4:].tolist()] == [{1, 2}] * 4


def test_neighbours_change_in_4way():
    orders = {tuple(game) for game in seatings("4way", 4, np.arange(6))[:, 0].tolist()}
    assert len(orders) == 6


def test_games_are_whole_deals():
    match = Match(("shanten", "random"), "2v2")
    assert match.turns == 6
    assert match.deals_for(7) == 2
    assert Match(("a", "b", "c"), "1v3").deals_for(4) == 1


@pytest.mark.parametrize(("mode", "entrants"), [("1v3", 1), ("2v2", 3), ("4way", 2), ("5way", 4)])
def test_a_mode_that_does_not_fit_is_refused(mode, entrants):
    with pytest.raises(ValueError, match=r"agents|unknown"):
        check_mode(mode, entrants)


def test_an_agent_named_twice_gets_a_number():
    assert Match(("shanten", "random", "shanten", "shanten"), "4way").names == (
        "shanten", "random", "shanten (2)", "shanten (3)",
    )  # fmt: skip
