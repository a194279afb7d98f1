"""The rule-based player: legal, blind to hidden tiles, and of sound judgement."""

import numpy as np
import pytest

from suzaku.agents.heuristic.agent import HeuristicAgent
from suzaku.riichi import actions as act
from suzaku.riichi import resample_hidden
from suzaku.tiles import KIND_OF, parse, parse_one
from tests.agents.positions import answer, melded, offered, position, river
from tests.features.states import some_states

READY = "234567m34588p67s"
LAST = {"round_no": 7, "dealer": 3}  # the last round, and seat 0 is not the dealer


@pytest.fixture(scope="module")
def agent():
    return HeuristicAgent()


def thrown(s, action):
    """The kind that an action throws."""
    assert action <= act.DISCARD_DRAWN
    return int(KIND_OF[s.drawn if action == act.DISCARD_DRAWN else action])


def kinds(text):
    return {int(KIND_OF[tile]) for tile in parse(text)}


def test_answers_are_legal_and_scored(agent):
    many = some_states(400, 5)
    before = many.records.copy()
    answers = agent.act(many.records, many.legal)
    assert many.legal[np.arange(400), answers.actions].all()
    assert (many.records == before).all()  # it only reads
    given = answers.values[~np.isnan(answers.values)]
    assert given.min() >= 0
    assert given.max() <= 1
    assert not np.isnan(answers.values[np.arange(400), answers.actions]).any()
    assert np.isnan(answers.values[~many.legal]).all()


def test_it_answers_alike_whatever_the_hidden_tiles_are(agent):
    many = some_states(300, 6)
    first = agent.act(many.records, many.legal)
    for seed in range(3):
        other = many.records.copy()
        resample_hidden(other, many.seat, seed)
        again = agent.act(other, many.legal)
        assert (again.actions == first.actions).all()
        assert np.array_equal(again.values, first.values, equal_nan=True)


def test_a_table_is_answered_alone_as_in_company(agent):
    many = some_states(60, 7)
    together = agent.act(many.records, many.legal).actions
    alone = [agent.act(many.records[i : i + 1], many.legal[i : i + 1]).actions[0] for i in range(60)]
    assert (together == alone).all()


def test_it_throws_what_leaves_the_hand_fastest(agent):
    s = position("23467m345p2378s1z", "9m", left=60)
    assert thrown(s, answer(agent, s)[0]) in kinds("1z9m")


def test_it_keeps_a_dragon_longer_than_a_lone_terminal(agent):
    s = position("2346m4688p457s56z", "9m", left=66)
    assert thrown(s, answer(agent, s)[0]) == parse_one("9m")


def test_it_keeps_the_dora_and_the_suit_of_a_flush(agent):
    _, scores = answer(agent, position("1m4689p2479s3467m", "9s", left=66, dora="2s"))
    assert scores[parse_one("2s")] < scores[parse_one("1m")]
    s = position("11235789m4p9s556z", "7z", left=60)
    assert thrown(s, answer(agent, s)[0]) in kinds("4p9s")


def test_it_declares_riichi_with_a_good_wait(agent):
    action, scores = answer(agent, position(READY, "1z"))
    assert action == act.RIICHI
    assert scores[act.RIICHI] > scores[act.DISCARD_DRAWN]
    s = position(READY, "1z", phase=2)
    assert thrown(s, answer(agent, s)[0]) == parse_one("1z")


def test_it_declares_riichi_where_the_hand_has_no_other_yaku(agent):
    assert answer(agent, position("123m456p78999s11z", "5z", dora="9m"))[0] == act.RIICHI


def test_it_stays_silent_with_a_sure_lead_in_the_last_round(agent):
    s = position(READY, "1z", left=20, scores=[48000, 18000, 17000, 17000], **LAST)
    action, _ = answer(agent, s)
    assert action != act.RIICHI


def test_it_wins(agent):
    assert answer(agent, position(READY, "5s"))[0] == act.WIN_DRAW
    assert answer(agent, offered(position(READY), 3, "5s", win=True))[0] == act.WIN_DISCARD


def test_it_declines_a_win_that_leaves_it_fourth_in_the_last_round(agent):
    hand = "567m34588p67s"
    s = position(hand, scores=[5000, 30000, 33000, 32000], **LAST)
    assert answer(agent, offered(melded(s, 0, "777z"), 3, "5s", win=True))[0] == act.PASS
    s = position(hand, scores=[29000, 30000, 31000, 10000], **LAST)
    assert answer(agent, offered(melded(s, 0, "777z"), 3, "5s", win=True))[0] == act.WIN_DISCARD


def test_it_folds_a_bad_hand_against_riichi(agent):
    s = position("1479m258p369s124z", "5p", left=30)
    river(s, 2, "19m8p9s1z2s7m4s", riichi=True)
    river(s, 3, "2z")
    assert thrown(s, answer(agent, s)[0]) in kinds("19m8p9s1z7m2z")


def test_it_folds_a_cheap_far_hand_against_the_dealer(agent):
    s = position("13577m246p2468s3z", "9p", left=36, dealer=1)
    river(s, 1, "9m1s2z5z8p3z", riichi=True)
    assert thrown(s, answer(agent, s)[0]) in kinds("3z")


def test_it_pushes_a_good_waiting_hand(agent):
    s = position("23467m340p34588s", "9p", left=40, dora="7s")
    river(s, 2, "6p1m9s2z3z4z", riichi=True)  # 9p is suji
    action, _ = answer(agent, s)
    assert action == act.RIICHI or thrown(s, action) == parse_one("9p")
    s = position("23467m340p34588s", "4z", left=40, dora="7s")
    river(s, 2, "6p1m9s2z3z", riichi=True)  # not safe, and still nothing to fear with three doras
    action, _ = answer(agent, s)
    assert action == act.RIICHI or thrown(s, action) == parse_one("4z")


def test_danger_is_in_the_order_every_player_knows(agent):
    s = position("258m1558p19s2367z", "9m", left=30, dora="3z")
    river(s, 3, "7z7z")
    river(s, 2, "4p7p2s6s3z1z9m", riichi=True)
    scores = answer(agent, s)[1]

    def worth(text):
        return scores[act.DISCARD_DRAWN if s.drawn == parse_one(text) else parse_one(text)]

    assert worth("9m") > worth("7z")  # its own discard before an honour of which two are out
    assert worth("7z") > worth("6z")  # that before a dragon none of which is out
    assert worth("1p") > worth("5p")  # suji before the middle
    assert worth("9s") > worth("8m")  # suji of 6 before no suji at all


def test_walls_make_tiles_safer(agent):
    def worth(out, text):
        s = position("258m1558p19s2367z", "9m", left=30, dora="3z")
        river(s, 1, out)
        river(s, 2, "4m2s6s3z1z9m", riichi=True)
        return answer(agent, s)[1][parse_one(text)]

    none, one, wall = worth("444z5z5z", "1p"), worth("222p5z5z", "1p"), worth("2222p5z", "1p")
    assert none < one < wall


def test_it_calls_a_valued_triplet_but_no_call_that_leaves_no_yaku(agent):
    s = offered(position("23m4567p11s5577z8s", left=55), 2, "7z")
    assert answer(agent, s)[0] == act.PONG
    s = offered(position("19m456p1189s2356z", left=55), 3, "7s")
    assert answer(agent, s)[0] == act.PASS
    s = offered(position("123m456p1189s9p24z", left=55), 3, "7s")  # nearer by this, but to no yaku
    assert answer(agent, s)[0] == act.PASS


def test_it_opens_a_hand_of_simples(agent):
    s = offered(position("3467m456p33567s2p", left=30, dora="2s"), 3, "5m")
    assert act.CHOW_LOW <= answer(agent, s)[0] < act.PONG


def test_it_keeps_a_closed_hand_that_waits_for_much(agent):
    s = offered(position("234567m340p5578s", left=60), 3, "5m")  # waits for 6s and 9s already
    assert answer(agent, s)[0] == act.PASS


def test_of_fives_it_keeps_the_red_one(agent):
    s = position("23405m345p6788s1z", "1z")
    _, scores = answer(agent, s)
    assert scores[parse_one("5m")] > scores[parse_one("0m")]


def test_a_closed_kong_that_costs_nothing_is_made(agent):
    s = position("1111m345p67899s2z", "2z")
    assert answer(agent, s)[0] == act.CLOSED_KONG


def test_no_kong_that_breaks_the_hand(agent):
    s = position("67777m345p34588s", "1z")  # waits for 5m and 8m with the run 678 or 567
    assert answer(agent, s)[0] != act.CLOSED_KONG + parse_one("7m")


def test_no_kong_against_riichi_with_a_bad_hand(agent):
    s = position("1111m258p369s25z8m", "4s", left=40)
    river(s, 2, "9m1s2z5z8p3z", riichi=True)
    action, scores = answer(agent, s)
    assert action < act.RIICHI
    assert np.isnan(scores[act.CLOSED_KONG])


def test_an_added_kong_is_made_waiting_and_not_into_a_riichi_that_may_rob_it(agent):
    hand = "345p67s88s"
    s = melded(melded(position(hand, "7z", left=40), 0, "777z"), 0, "222m")
    assert answer(agent, s)[0] == act.ADDED_KONG + parse_one("7z")
    s = melded(melded(position("13p67s5s9p1z", "2m", left=40), 0, "777z"), 0, "222m")
    river(s, 2, "9m1s3z5z8p4z1z", riichi=True)
    assert answer(agent, s)[0] < act.RIICHI


def test_it_aborts_with_nine_kinds_unless_thirteen_orphans_are_near(agent):
    first = {"unbroken": 1, "left": 69}
    assert answer(agent, position("19m19p19s123z2458m", "6p", **first))[0] == act.NINE_KINDS
    assert answer(agent, position("19m19p19s12345z1z5m", "6p", **first))[0] != act.NINE_KINDS
