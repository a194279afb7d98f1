"""Furiten and safe tiles: known positions, and what can be checked against the hidden hands of played tables."""

import numpy as np
import pytest

from suzaku.lookahead.safety import (
    IN_RIICHI,
    OWN_DISCARD,
    SAFETY,
    THIS_TURN,
    fill_safety,
    furiten_of,
    genbutsu,
    safety_many,
)
from suzaku.riichi import Tables
from suzaku.riichi.claims import is_furiten
from suzaku.riichi.state import RIVER_RIICHI, STATE, TURN
from suzaku.tiles import parse
from tests.lookahead.queries import played


def mask(text):
    return sum(1 << kind for kind in set(parse(text)))


def river(s, seat, text, first, step=1, riichi=-1):
    """Put tiles into a river, thrown at first, first + step ..."""
    for i, tile in enumerate(parse(text)):
        s.river[seat, i] = tile
        s.river_order[seat, i] = first + step * i
        s.river_flag[seat, i] = RIVER_RIICHI if i == riichi else 0
        s.discarded[seat] = int(s.discarded[seat]) | 1 << tile
        s.river_size[seat] = i + 1
    s.discards = max(int(s.discards), first + step * len(parse(text)))


@pytest.fixture
def table():
    s = np.zeros(1, STATE)[0]
    s.phase = TURN
    return s


def safety(s, unseen=None):
    out = np.zeros(1, SAFETY)[0]
    fill_safety(s, 0, 1, np.full(34, 4, np.int8) if unseen is None else unseen, out)
    return out


def test_genbutsu_in_riichi_counts_all_that_passed_since(table):
    river(table, 1, "19m5p", 1, 4, riichi=1)
    river(table, 2, "2m3m4m", 2, 4)
    river(table, 3, "7z6z", 3, 4)
    table.riichi[1] = 1
    assert genbutsu(table, 1) == mask("19m5p3m4m6z")


def test_genbutsu_otherwise_counts_what_passed_since_the_last_discard(table):
    river(table, 1, "19m5p", 1, 4)
    river(table, 2, "2m3m4m", 2, 4)
    river(table, 3, "7z6z", 3, 4)
    assert genbutsu(table, 1) == mask("19m5p4m")
    assert genbutsu(table, 0) == 0


def test_suji(table):
    river(table, 1, "4m5p28s", 1, 4)
    out = safety(table)
    assert out.suji == mask("17m28p5s")
    assert out.half_suji == 0
    river(table, 1, "4m5p2s1p", 1, 4)
    table.discarded[1] = mask("4m5p2s1p")
    out = safety(table)
    assert out.suji == mask("17m28p")
    assert out.half_suji == mask("5s4p")


def test_walls(table):
    unseen = np.full(34, 4, np.int8)
    unseen[parse("8m7p")] = 0
    unseen[parse("2m")] = 1
    out = safety(table, unseen)
    assert out.no_chance == mask("9m89p")
    assert out.one_chance == mask("1m")


def test_suji_and_walls_work_together(table):
    unseen = np.full(34, 4, np.int8)
    unseen[parse("6m")] = 0
    river(table, 1, "1m", 1, 4)
    out = safety(table, unseen)
    assert out.half_suji == mask("4m")
    assert out.no_two_sided & mask("4m")
    assert not out.no_chance & mask("4m")


def test_honours_by_tiles_seen(table):
    unseen = np.full(34, 4, np.int8)
    unseen[parse("1234z")] = [3, 2, 1, 0]
    out = safety(table, unseen)
    assert [int(m) for m in out.honour_seen] == [mask("567z"), mask("1z"), mask("2z"), mask("3z"), mask("4z")]


def test_kinds_of_furiten(table):
    table.waits[0] = mask("14m")
    assert furiten_of(table, 0) == 0
    table.discarded[0] = mask("1m9p")
    table.missed[0] = 1
    assert furiten_of(table, 0) == OWN_DISCARD | THIS_TURN
    table.missed[0] = 2
    assert furiten_of(table, 0) == OWN_DISCARD | IN_RIICHI


def test_nobody_can_win_on_genbutsu():
    """The hidden hands of played tables: a wait that is genbutsu means furiten."""
    records = played(400, lambda s: s.phase == TURN and (s.shanten == 0).any(), first_seed=30)
    tenpai = 0
    for s in records:
        for q in range(4):
            if q != s.seat and s.shanten[q] == 0:
                tenpai += 1
                if genbutsu(s, q) & s.waits[q]:
                    assert is_furiten(s, q)
    assert tenpai > 300


def test_many_tables_at_once():
    many = Tables(50, seed=9)
    many.play_random(60, 9)
    out = np.zeros((50, 3), SAFETY)
    safety_many(many.records, many.seat, out)
    for s, p, answer in zip(many.records, many.seat, out, strict=True):
        for k in range(3):
            q = (p + 1 + k) % 4
            assert answer[k].genbutsu == genbutsu(s, q)
            assert answer[k].genbutsu & s.discarded[q] == s.discarded[q]
            assert answer[k].suji & answer[k].half_suji == 0
