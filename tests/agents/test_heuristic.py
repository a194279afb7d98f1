"""The rule-based player: legal, blind to hidden tiles, and of sound judgement."""

import numpy as np
import pytest

from suzaku.agents.heuristic import HeuristicAgent
from suzaku.riichi import actions as act
from suzaku.riichi.hidden import resample_hidden
from suzaku.tiles import KIND_OF, parse, parse_one
from tests.agents.positions import answer, melded, offered, position, river
from tests.features.states import some_states

GOOD = "234567m345p6788s"  # waits on nothing yet: 1-shanten and better
READY = "234567m34588p67s"


@pytest.fixture(scope="module")
def agent():
    return HeuristicAgent()


def thrown(s, action):
    """The kind that an action throws."""
    assert action <= act.DISCARD_DRAWN
    return int(KIND_OF[s.drawn if action == act.DISCARD_DRAWN else action])


def test_answers_are_legal_and_scored(agent):
    many = some_states(400, 5)
    before = many.records.copy()
    answers = agent.act(many.records, many.legal)
    assert many.legal[np.arange(400), answers.actions].all()
    assert (many.records == before).all()  # it only reads
    given = answers.scores[~np.isnan(answers.scores)]
    assert given.size and given.min() >= 0 and given.max() <= 1
    assert not np.isnan(answers.scores[np.arange(400), answers.actions]).any()
    assert np.isnan(answers.scores[~many.legal]).all()


def test_it_answers_alike_whatever_the_hidden_tiles_are(agent):
    many = some_states(300, 6)
    first = agent.act(many.records, many.legal)
    for seed in range(3):
        other = many.records.copy()
        resample_hidden(other, many.seat, seed)
        again = agent.act(other, many.legal)
        assert (again.actions == first.actions).all()
        assert np.array_equal(again.scores, first.scores, equal_nan=True)


def test_a_table_is_answered_alone_as_in_company(agent):
    many = some_states(60, 7)
    together = agent.act(many.records, many.legal).actions
    alone = [agent.act(many.records[i : i + 1], many.legal[i : i + 1]).actions[0] for i in range(60)]
    assert (together == alone).all()


def test_it_declares_riichi_with_a_good_wait(agent):
    action, scores = answer(agent, position(READY, "1z"))
    assert action == act.RIICHI
    assert scores[act.RIICHI] > scores[act.DISCARD_DRAWN]
    s = position(READY, "1z", phase=2)
    assert thrown(s, answer(agent, s)[0]) == parse_one("1z")


def test_it_stays_silent_with_a_sure_lead_in_the_last_round(agent):
    s = position("234567m34588p67s", "1z", round_no=7, dealer=3, left=20, scores=[48000, 18000, 17000, 17000])
    assert answer(agent, s)[0] != act.RIICHI


def test_it_wins(agent):
    assert answer(agent, position(READY, "5s"))[0] == act.WIN_DRAW
    assert answer(agent, offered(position(READY), 3, "5s", win=True))[0] == act.WIN_DISCARD


def test_it_declines_a_win_that_leaves_it_fourth_in_the_last_round(agent):
    poor = {"round_no": 7, "dealer": 3, "scores": [5000, 30000, 33000, 32000]}
    hand = "567m34588p67s"
    s = offered(melded(position(hand, **poor), 0, "777z"), 3, "5s", win=True)
    assert answer(agent, s)[0] == act.PASS
    poor["scores"] = [29000, 30000, 31000, 10000]
    s = offered(melded(position(hand, **poor), 0, "777z"), 3, "5s", win=True)
    assert answer(agent, s)[0] == act.WIN_DISCARD


def test_it_folds_a_bad_hand_against_riichi(agent):
    s = position("1479m258p369s124z", "5p", left=30)
    river(s, 2, "19m8p9s1z2s7m4s", riichi=True)
    river(s, 3, "2z")
    safe = {int(KIND_OF[t]) for t in parse("19m8p9s1z7m2z")}
    assert thrown(s, answer(agent, s)[0]) in safe


def test_it_keeps_a_good_waiting_hand_when_the_danger_is_small(agent):
    s = position("23467m340p34588s", "9p", left=40, dora="7s")
    river(s, 2, "6p1m9s2z3z4z", riichi=True)  # 9p is suji
    assert thrown(s, answer(agent, s)[0]) == parse_one("9p") or answer(agent, s)[0] == act.RIICHI


def test_it_calls_a_valued_triplet_but_no_call_that_leaves_no_yaku(agent):
    s = offered(position("23m4567p11s5577z8s", left=55), 2, "7z")
    assert answer(agent, s)[0] == act.PONG
    s = offered(position("19m456p1189s2356z", left=55, seat=0), 3, "7s")
    assert answer(agent, s)[0] == act.PASS


def test_of_fives_it_keeps_the_red_one(agent):
    s = position("23405m345p6788s1z", "1z")
    _, scores = answer(agent, s)
    assert scores[parse_one("5m")] > scores[parse_one("0m")]


def test_a_kong_that_costs_nothing_is_made_and_one_that_breaks_the_hand_is_not(agent):
    s = position("1111m345p67899s2z", "2z")
    assert answer(agent, s)[0] == act.CLOSED_KONG
    s = position("5677m34588p678s7m", "7m")
    assert answer(agent, s)[0] != act.CLOSED_KONG + 6


def test_it_aborts_with_nine_poor_kinds(agent):
    s = position("19m19p19s1234z259m", "6p", unbroken=1, left=69)
    assert answer(agent, s)[0] == act.NINE_KINDS
