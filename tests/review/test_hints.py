"""Hints, and what a seat is told of its hand: waits without a yaku, declined wins, tiles of melds, chances, danger."""

import random
from typing import Any

import numpy as np
import pytest

from suzaku.agents.agent import Answers
from suzaku.review.hints import Looks, danger, hand_info, meld_tiles
from suzaku.review.opinion import declined, opinion
from suzaku.riichi import actions as act
from suzaku.riichi.evaluate import evaluate
from suzaku.riichi.redraw import hand_tiles
from suzaku.riichi.rules import Rules
from suzaku.riichi.state import CLAIM, MELD_NAMES
from suzaku.riichi.table import Table
from suzaku.tiles import KIND_OF, to_text
from tests.riichi.dealt import RIICHI, last_place, wall
from tests.riichi.players import Player

# The dealer pongs the 8p that seat 1 throws; throwing the 1z then leaves 1s without a yaku and 4s with tanyao.
HALF_TANYAO = wall(["234m567m23s88p66p1z", "?", "?", "?"], "2z8p")
# Seat 1 may chow the dealer's first 5m in four ways.
CHOWS = wall(["?", "3467m06m159s1357z", "?", "?"], "5m")


def test_an_open_hand_says_which_waits_have_no_yaku():
    table = Table.deal([HALF_TANYAO])
    table.act("discard drawn tile")
    table.act("discard drawn tile")
    assert table.seat == 0
    table.act(act.PONG)
    discard = table.legal_actions()
    own = hand_info(table, 0, discard)
    east = str(27)
    assert set(own["discards"][east]["waits"]) == {"1s", "4s"}
    assert own["discards"][east]["no_yaku"] == {"1s": ["ron", "tsumo"]}
    assert own["no_yaku"] == {}
    table.act(27)
    assert hand_info(table, 0, [])["no_yaku"] == {"1s": ["ron", "tsumo"]}


def test_a_closed_hand_needs_a_yaku_on_a_discard_until_it_is_in_riichi():
    table = Table.deal([RIICHI])
    own = hand_info(table, 0, table.legal_actions())
    assert own["discards"]["37"]["no_yaku"] == {"4m": ["ron"]}  # 1m makes iipeikou; a draw is a yaku itself
    table.act(act.RIICHI)
    table.act("discard drawn tile")
    assert hand_info(table, 0, [])["no_yaku"] == {}


def melds_of(record: np.record, seat: int) -> list[tuple[str, str]]:
    found = []
    for i in range(record.melds[seat]):
        kind, first = int(record.meld_type[seat, i]), int(record.meld_tile[seat, i])
        name = MELD_NAMES[kind].replace(" ", "_")
        tiles = [first, first + 1, first + 2] if name == "chow" else [first] * (3 if name == "pong" else 4)
        found.append((name, to_text(tiles)))
    return found


def test_what_is_said_of_yaku_agrees_with_the_value_of_the_hands():
    """Whole games of players who call a lot: every wait is valued on its own."""
    lacking = {"ron": 0, "tsumo": 0, "": 0}
    for seed in range(2):
        rng, table, player = random.Random(seed), Table(Rules.tenhou_east(), seed), Player(call=0.8)
        while not table.game_over:
            if table.round_over:
                table.next_round()
            seat = table.seat
            record = table.record
            for p in range(4):
                if p == record.turn or record.shanten[p] != 0 or not record.waits[p] or record.riichi[p]:
                    continue
                own = hand_info(table, p, [])
                hand = to_text([int(KIND_OF[tile]) for tile in hand_tiles(record, p)])
                wind = {"round_wind": "ESWN"[record.round_no // 4 % 4], "seat_wind": "ESWN"[(p - record.dealer) % 4]}
                for tile in own["waits"]:
                    ways = own["no_yaku"].get(tile, [])
                    melds = melds_of(record, p)
                    for way in ("ron", "tsumo"):
                        try:
                            worth = evaluate(hand, tile, melds, tsumo=way == "tsumo", rules=Rules.no_red(), **wind)
                        except ValueError:  # a fifth tile of its kind
                            continue
                        assert (worth is None) == (way in ways), (hand, melds, tile, way)
                        lacking[way if way in ways else ""] += 1
            table.act(player(record, seat, table.legal_actions(), rng))
    assert min(lacking.values()) > 20, lacking


def test_a_win_declined_for_another_reason_and_one_that_is_taken():
    record, legal = last_place()
    record["scores"][0] = [30_000, 25_000, 25_000, 20_000]
    said = {"best": act.PASS, "values": {str(act.PASS): 1.0}}
    assert declined(record, legal[0], said) == {"declined": {"action": act.WIN_DISCARD, "why": "other"}}
    assert said["values"] == {str(act.PASS): 1.0, str(act.WIN_DISCARD): 0.0}
    assert declined(record, legal[0], {"best": act.WIN_DISCARD}) == {}
    assert declined(record, np.zeros(120, bool), {"best": 37}) == {}


def test_probabilities_and_worths_have_names_of_their_own():
    legal = np.zeros(120, bool)
    legal[[3, 5]] = True
    rated = np.full((1, 120), np.nan, np.float32)
    rated[0, [3, 5]] = 0.45, 0.55  # worths may add up to 1
    actions = np.array([5])
    assert opinion(Answers(actions, values=rated), 0, legal) == {"best": 5, "values": {"3": 0.45, "5": 0.55}}
    assert opinion(Answers(actions, policy=rated), 0, legal) == {"best": 5, "policy": {"3": 0.45, "5": 0.55}}
    assert opinion(Answers(actions), 0, legal) == {"best": 5}


def test_each_chow_has_its_tiles():
    table = Table.deal([CHOWS])
    table.act("discard drawn tile")
    assert table.seat == 1
    tiles = meld_tiles(table.record, table.legal_mask())
    legal = [str(a) for a in table.legal_actions() if a < act.WIN_DRAW]
    assert list(tiles) == legal
    chows = [tiles[a] for a in legal if int(a) < act.PONG]
    assert sorted(map(sorted, chows)) == [["3m", "4m"], ["4m", "6m"], ["6m", "7m"]]


@pytest.mark.parametrize(
    ("hand", "draw", "expected"),
    [
        ("111m147p147s1234z", "1m", {"48": ["1m"] * 4}),
        ("055m147p147s1234z", "5m", {"52": ["0m", "5m", "5m", "5m"]}),
    ],
)
def test_kongs_have_their_tiles(hand, draw, expected):
    table = Table.deal([wall([hand, "?", "?", "?"], draw)])
    assert meld_tiles(table.record, table.legal_mask()) == expected


def test_danger_is_that_of_the_model_for_closed_open_and_riichi_hands():
    table = Table.deal([HALF_TANYAO])
    table.act("discard drawn tile")
    table.act("discard drawn tile")
    table.act(act.PONG)
    table.act(27)  # a hand with a meld, and no riichi
    while table.record.phase >= CLAIM:
        table.act(act.PASS)
    seen = {one["seat"]: one for one in danger(table.record.reshape(1).copy(), 1)}
    assert not any(one["riichi"] for one in seen.values())
    assert seen[0]["kinds"]["1z"] == [0.0, "genbutsu"]
    highest = {seat: max(probability for probability, _ in one["kinds"].values()) for seat, one in seen.items()}
    assert 0 < highest[2] < highest[0] < 1  # the open hand is nearer to a win than a closed one

    table = Table.deal([RIICHI])
    table.act(act.RIICHI)
    table.act("discard drawn tile")
    while table.record.phase >= CLAIM:
        table.act(act.PASS)
    seen = {one["seat"]: one for one in danger(table.record.reshape(1).copy(), 1)}
    assert seen[0]["riichi"]
    assert seen[0]["kinds"]["9p"] == [0.0, "genbutsu"]
    assert seen[0]["kinds"]["5s"][0] > 0.02 > seen[2]["kinds"]["5s"][0]


def look(table: Table) -> dict[str, Any]:
    return Looks().look(table.record.reshape(1).copy(), table.legal_mask())


def test_a_closed_hand_has_one_chance_to_win_that_counts_others_in():
    seen = look(Table(seed=3))["discards"]
    for row in seen.values():
        assert row["win"] == row["han"][0]
        assert len(row["han"]) == 4
        assert row["han"] == sorted(row["han"], reverse=True)
        assert "win_alone" not in row
        assert not (row["riichi"] and row["shanten"] > 0)


def test_the_discard_with_riichi_has_the_chances_of_riichi():
    table = Table.deal([RIICHI])
    before = look(table)["discards"]["37"]
    assert before["riichi"]  # wins more often than the silent hand
    assert before["points"] > 3000  # of a win, not weighed with how often it comes
    table.act(act.RIICHI)
    after = look(table)["discards"]
    assert set(after) == {"37"}
    assert after["37"]["han"] == before["han"]
    assert after["37"]["riichi"]
    assert "no_yaku" in before
    assert "no_yaku" not in after["37"]  # riichi is one


def test_a_chance_to_win_alone_is_told_only_where_nobody_else_is_in_riichi():
    for riichi in (False, True):
        table = Table.deal([HALF_TANYAO])
        table.act("discard drawn tile")
        table.act("discard drawn tile")
        table.record.riichi[2] = riichi
        claim = look(table)["now"]
        table.act(act.PONG)
        discards = look(table)["discards"]
        assert ("win_alone" in claim) != riichi
        assert any("win_alone" in row for row in discards.values()) != riichi
        assert not any("win" in row or "han" in row for row in discards.values())  # an open hand
        assert any("points" in row for row in discards.values())
