"""The look-ahead against all hands that three melds leave, one by one, and plans that a player would name."""

from random import Random

import numpy as np
import pytest

from suzaku.hand.tables import tables
from suzaku.mcr import waits
from suzaku.mcr.plans import SEARCH, SET_TILES
from suzaku.mcr.score import win_fan
from suzaku.mcr.search import search_plans
from suzaku.mcr.state import CHOW, PONG, SELF_DRAWN, STATE
from suzaku.mcr.ways import fill_seat, look_ahead, win_distance
from suzaku.tiles import parse


def nearest(q) -> int:
    """By trying every set and pair beside three melds with every missing tile as the last."""
    best = 99
    hand, unseen = q["hand"].astype(int), q["unseen"].astype(int)
    for tiles in SET_TILES:
        for pair in range(34):
            target = np.bincount([*tiles, pair, pair], minlength=34)
            lack = np.maximum(0, target - hand)
            if lack.sum() >= best or lack.sum() == 0 or (lack > unseen).any():
                continue
            for kind in np.flatnonzero(lack):
                for flags in (0, SELF_DRAWN):
                    fan = win_fan(
                        tables(), target.astype(np.uint8), q["meld_type"], q["meld_kind"], 3, kind, flags,
                        q["seat_wind"], q["round_wind"],
                    )  # fmt: skip
                    if fan >= 8:
                        best = lack.sum()
    return best


def test_distance_beside_three_melds_is_that_of_all_hands():
    rng = Random(1)
    q = np.zeros(1, SEARCH)[0]
    seen = set()
    for _ in range(15):
        wall = [kind for kind in range(34) for _ in range(4)]
        q["meld_type"] = -1
        suit = rng.choice((None, rng.randrange(3)))
        for i in range(3):
            while True:
                type_ = rng.choice((CHOW, PONG))
                of_suit = rng.randrange(3) if suit is None else suit
                kind = 9 * of_suit + rng.randrange(7) if type_ == CHOW else rng.randrange(34)
                tiles = [kind, kind + 1, kind + 2] if type_ == CHOW else [kind] * 3
                if all(wall.count(tile) >= tiles.count(tile) for tile in tiles):
                    break
            for tile in tiles:
                wall.remove(tile)
            q["meld_type"][i], q["meld_kind"][i] = type_, kind
        hand = rng.sample(wall, 4)
        for tile in hand:
            wall.remove(tile)
        q["hand"], q["unseen"] = np.bincount(hand, minlength=34), np.bincount(wall, minlength=34)
        q["minimum"] = 8
        q["melds"], q["draws"], q["slack"], q["exact"], q["wide"], q["claims"] = 3, 10, 0, 5, 5, 0.6
        found, expected = int(search_plans(tables(), q)), nearest(q)
        assert found == expected or (found > 6 and expected > 6), (q["meld_type"], q["meld_kind"], hand)
        seen.add(found)
    assert len(seen) >= 3


@pytest.mark.parametrize(
    ("hand", "melds", "distance", "plan", "fan"),
    [
        ("19m19p19s1234567z", (), 1, "Thirteen Orphans", 88),
        ("1133m5577p2299s1z", (), 1, "Seven Pairs", 24),
        ("147m258s369p1235z", (), 1, "Lesser Honors and Knitted Tiles", 12),
        ("147m258s369p1z", (("pong", "777z"),), 1, "Knitted Straight + All Types", 19),
    ],
)
def test_known_hands(hand, melds, distance, plan, fan):
    found = look_ahead(hand, melds)
    assert found.distance == distance
    assert any(p.name == plan and p.missing == distance and p.fan >= fan for p in found.plans)
    assert win_distance(hand, melds) == distance


def test_a_ready_hand_without_eight_fan_is_no_ready_hand():
    melds = [("chow", "123m"), ("chow", "789m"), ("pong", "888s")]
    assert waits("34s99p", melds) == ["2s", "5s"]
    distance = win_distance("34s99p", melds)
    assert distance is None or distance > 1


def test_plans_aim_at_what_the_rules_ask_for():
    s, q = np.zeros(1, STATE)[0], np.zeros(1, SEARCH)[0]
    s["rules"]["duplicate"], s["own_left"], s["meld_type"] = 1, 15, -1

    def short(text, minimum, melds=()):
        s["hand"][0], s["melds"][0], s["rules"]["minimum"] = np.bincount(parse(text), minlength=34), len(melds), minimum
        for i, (type_, tile) in enumerate(melds):
            s["meld_type"][0, i], s["meld_kind"][0, i] = type_, parse(tile)[0]
        fill_seat(s, 0, 0.1, 0.5, q)
        return int(search_plans(tables(), q))

    melds = [(CHOW, "1m"), (CHOW, "7m"), (PONG, "8s")]
    assert short("34s99p", 1, melds) == 1
    assert short("34s99p", 8, melds) > 1
    assert short("147m258s369p1235z", 12) == 1
    assert short("147m258s369p1235z", 100) > 6


def test_every_plan_is_told_with_the_tiles_it_wants():
    found = look_ahead("123m456p78s2399m1z5z")
    assert found.distance == 2
    assert max(found.discards, key=found.discards.get) in ("1z", "5z")
    assert all(plan.wants for plan in found.plans)
    for plan in found.plans:
        assert plan.fan == sum(fan.value * fan.count for fan in plan.fans) >= 8
        assert 0 < plan.probability < 1
        assert set(plan.unseen.values()) <= {1, 2, 3, 4}
    assert len(look_ahead("19m19p19s1234567z").plans[0].unseen) == 13  # any of them makes the pair
    assert look_ahead("123m456p789s67m11z8m").plans[0].missing == 0
