"""Hints of MCR: plans win as they say, and waits below the minimum are those on which the table refuses a win."""

import numpy as np
import pytest

from suzaku.agents.make import make_agent
from suzaku.hand.tables import tables
from suzaku.mcr import Rules, Table, evaluate
from suzaku.mcr import actions as act
from suzaku.mcr.claims import can_win_on
from suzaku.mcr.state import ADDED_KONG, CLOSED_KONG, MELD_NAMES, PONG, TURN
from suzaku.review.mcr_hints import Looks, hand_info, hint, win_chance
from suzaku.review.opinion import looks_at
from suzaku.table.game import GAMES
from suzaku.tiles import NAMES, parse_one, to_text


def melds_of(record: np.record, seat: int) -> list[tuple[str, str]]:
    """The melds of a seat as text."""
    found = []
    for i in range(int(record.melds[seat])):
        type_, kind = MELD_NAMES[record.meld_type[seat, i]], int(record.meld_kind[seat, i])
        tiles = [kind, kind + 1, kind + 2] if type_ == "chow" else [kind] * (3 if type_ == "pong" else 4)
        found.append((type_, to_text(tiles)))
    return found


def check_plan(plan: dict, hand: np.ndarray, record: np.record, seat: int) -> None:
    """The fans add up; a plan one tile short is the win that it says."""
    assert plan["fan"] == sum(value * times for _, _, value, times in plan["fans"])
    assert plan["fan"] >= 8
    assert 0 <= plan["win"] <= 1
    assert {tuple(fan) for fan in plan["names"]} <= {tuple(fan) for fan in plan["fans"]}
    if plan["missing"] == 1 and len(plan["wants"]) == 1:
        (tile, needed, _), tiles = plan["wants"][0], [k for k in range(34) for _ in range(hand[k])]
        assert needed == 1
        winds = {"seat_wind": "ESWN"[(seat - record.dealer) % 4], "round_wind": "ESWN"[record.wind]}
        won = evaluate(to_text(tiles), tile, melds_of(record, seat), tsumo=plan["self_drawn"], **winds)
        assert won.fan >= plan["fan"]  # other divisions of the same tiles may be worth more


@pytest.mark.parametrize("seed", [3, 8])
def test_plans_waits_and_claims_of_a_game(seed):
    rules = Rules.table(hands=1) if seed == 8 else Rules.botzone()
    agent, looks, table = make_agent("heuristic", "mcr"), Looks(), Table(rules, seed=seed)
    seen = {"ready": 0, "claims": 0, "lacking": 0}
    while not table.game_over:
        record, legal, seat = table.record.reshape(1).copy(), table.legal_mask(), table.seat
        answers = agent.act(record, legal[None])
        if table.record.discards % 3:
            table.act(int(answers.actions[0]))
            continue
        found = hint("heuristic", answers, record, legal, looks.look(record, legal))
        assert (found["seat"], found["agent"]) == (seat, "heuristic")
        assert set(found["discards"]) == {str(kind) for kind in np.flatnonzero(legal[:34])}
        for action, row in found["discards"].items():
            hand = table.record.hand[seat].copy()
            hand[int(action)] -= 1
            assert row["tile"] == NAMES[int(action)]
            for plan in row["plans"]:
                check_plan(plan, hand, table.record, seat)
                assert plan["win"] <= row["win"] + 1e-3
                assert plan["missing"] >= row["distance"]
        assert set(found["melds"]) == {str(a) for a in np.flatnonzero(legal) if act.CHOW_LOW <= a < act.WIN}
        if found["melds"] and not found["discards"]:
            seen["claims"] += 1
            assert found["now"]["plans"] or found["now"]["distance"] is None
        info = hand_info(table, seat, np.flatnonzero(legal).tolist())
        assert info["shanten"] == found["now"]["shanten"]
        if table.record.phase != TURN and info["waits"]:
            seen["ready"] += 1
            for name in info["waits"]:
                wins = can_win_on(tables(), table.record, seat, parse_one(name), False)
                if "ron" in info["no_yaku"].get(name, []):
                    seen["lacking"] += 1
                    assert not wins or table.record.public[parse_one(name)] == 3  # the fourth tile adds fan
                else:
                    assert wins
        table.act(int(answers.actions[0]))
    assert seen["claims"] > 1
    assert seen["ready"] > 0
    assert seed == 3 or seen["lacking"] > 0


def test_a_hand_that_waits_says_which_tiles_make_too_little():
    table = Table(seed=1)
    hand = np.zeros(34, np.uint8)
    for kind in (0, 1, 2, 12, 13, 14, 24, 25, 26, 5, 6, 27, 27):
        hand[kind] += 1
    # 123m 456p 789s 67m 11z waits for 5m and 8m
    table.record.hand[1] = hand
    info = hand_info(table, 1, [])
    assert set(info["waits"]) == {"5m", "8m"}
    assert info["no_yaku"] == {}  # Mixed Straight
    hand[[12, 13, 14]] -= 1
    hand[[15, 16, 17]] += 1  # 123m 789p 789s: nothing but Mixed Double Chow and Concealed Hand
    table.record.hand[1] = hand
    assert set(hand_info(table, 1, [])["no_yaku"]) == {"5m", "8m"}


def test_a_tile_that_the_hand_holds_four_of_is_no_wait():
    table = Table(seed=1)
    s = table.record
    s.melds[1], s.meld_type[1, 0], s.meld_kind[1, 0] = 1, PONG, 4
    s.hand[1] = np.bincount([2, 3, 4, 10, 11, 12, 24, 25, 26, 27], minlength=34)  # 555m and 345m: the pair is 1z
    assert set(hand_info(table, 1, [])["waits"]) == {"1z"}
    s.hand[1] = np.bincount([2, 3, 10, 11, 12, 24, 25, 26, 27, 27], minlength=34)
    assert set(hand_info(table, 1, [])["waits"]) == {"2m", "5m"}
    s.meld_type[1, 0] = ADDED_KONG  # with all four of 5m
    assert set(hand_info(table, 1, [])["waits"]) == {"2m"}


def test_waits_count_the_fans_of_the_rules():
    for mixed in (True, False):
        table = Table(Rules(mixed_kongs=mixed), seed=1)
        s = table.record
        s.melds[1], s.meld_type[1, :2], s.meld_kind[1, :2] = 2, (CLOSED_KONG, ADDED_KONG), (0, 26)
        s.hand[1] = np.bincount([11, 12, 13, 14, 15, 33, 33], minlength=34)
        # 1111m 9999s 34567p 77z on 2p: 8 fan with a concealed and a melded kong as 5, else 6
        assert ("2p" in hand_info(table, 1, [])["no_yaku"]) != mixed


def test_chances_grow_with_what_is_near_and_likely():
    assert win_chance(1.0, 1, 60) > win_chance(1.0, 2, 60) > win_chance(1.0, 3, 60)
    assert win_chance(1.0, 2, 60) > win_chance(0.3, 2, 60)
    assert win_chance(1.0, 2, 60) > win_chance(1.0, 2, 20)


def test_only_some_games_have_hints(monkeypatch):
    monkeypatch.setitem(GAMES, "highest-card", "tests.games.highest_card")
    assert looks_at("mcr").Looks is Looks
    assert looks_at("highest-card") is None
