"""The Suphx channels tell what the table shows, and nothing that is hidden."""

import numpy as np
import pytest

from suzaku.features import channels as tables
from suzaku.features import claims, gao, oracle, suphx
from suzaku.features.channels import CLAIM, ON, ORACLE, SUPHX, first
from suzaku.features.symmetry import ACTION_MAPS, SUIT_ORDERS, is_symmetric, permute_planes, permute_records
from suzaku.riichi import Table, resample_hidden
from suzaku.riichi.actions import ADDED_KONG, CHOW_LOW, CLOSED_KONG, OPEN_KONG
from suzaku.tiles import KIND_OF
from tests.features.positions import positions
from tests.features.states import some_states

N = 1500


@pytest.fixture(scope="module")
def many():
    return some_states(N, 3)


@pytest.fixture(scope="module")
def planes(many):
    return suphx.encode_many(many.records)


def channels(planes, name, table=SUPHX):
    """The channels of a group."""
    count = next(group.count for group in table if group.name == name)
    return planes[first(table, name) : first(table, name) + count]


def stacked(planes, name, seat=0, table=SUPHX):
    """Counts of the kinds in a stacked group."""
    four = channels(planes, name, table)[4 * seat : 4 * seat + 4]
    assert (np.diff(four.astype(int), axis=0) <= 0).all(), "stacks have no holes"
    return (four == ON).sum(0)


def test_sizes_and_hash():
    assert tables.size(SUPHX) == 838
    assert tables.size(SUPHX) + tables.size(CLAIM) == 958
    assert len({group.name for group in (*SUPHX, *CLAIM, *ORACLE)}) == len(SUPHX) + len(CLAIM) + len(ORACLE)
    assert tables.table_hash(SUPHX) != tables.table_hash(SUPHX[:-1])
    at = [group.name for group in SUPHX].index("scores")

    def changed(**values):
        return (*SUPHX[:at], SUPHX[at]._replace(**values), *SUPHX[at + 1 :])

    assert tables.table_hash(changed(meaning="in other words")) == tables.table_hash(SUPHX)
    steps = SUPHX[at].steps
    for change in ({"steps": (*steps[:-1], 60_001)}, {"version": 2}, {"encoding": "tiles"}, {"name": "points"}):
        assert tables.table_hash(changed(**change)) != tables.table_hash(SUPHX), change
    assert [tables.table_version(table) for table in (SUPHX, changed(version=2))] == [1, 2]


def test_steps_are_as_many_as_channels():
    for group in (*SUPHX, *CLAIM):
        if "steps" in group.encoding:
            assert group.count % len(group.steps) == 0, group.name
            assert list(group.steps) == sorted(set(group.steps)), group.name
    look_ahead = ("win_now", "reach", "chance", "claim_chance", "best")
    assert sum(group.count for group in SUPHX if group.name in look_ahead) >= 100


def test_hidden_tiles_change_nothing(many, planes):
    others = many.records.copy()
    resample_hidden(others, others["seat"], 1)
    assert (others["wall"] != many.records["wall"]).any(1).mean() > 0.9
    assert (suphx.encode_many(others) == planes).all()


def test_the_oracle_sees_hidden_tiles(many):
    before = oracle.encode_many(many.records)
    others = many.records.copy()
    resample_hidden(others, others["seat"], 1)
    assert (oracle.encode_many(others) != before).any((1, 2)).mean() > 0.99


@pytest.mark.parametrize("order", range(1, len(SUIT_ORDERS)))
def test_exchanging_suits_commutes_with_encoding(many, planes, order):
    symmetric = [i for i in range(N) if is_symmetric(many.records[i], many.records[i].seat)]
    assert len(symmetric) > 0.95 * N
    exchanged = suphx.encode_many(permute_records(many.records[symmetric], order))
    assert (exchanged == permute_planes(planes[symmetric], order)).all()


@pytest.mark.parametrize("order", range(1, len(SUIT_ORDERS)))
def test_exchanging_suits_commutes_with_the_other_encoders(many, offers, order):
    records = permute_records(many.records, order)
    assert (oracle.encode_many(records) == permute_planes(oracle.encode_many(many.records), order)).all()
    assert (gao.encode_many(records) == permute_planes(gao.encode_many(many.records), order, axis=-2)).all()
    found, tables, actions = offers
    some = [i for i, t in enumerate(tables) if is_symmetric(found.records[t], found.records[t].seat)][:300]
    claimed = found.records[tables[some]]
    planes = claims.encode_many(permute_records(claimed, order), ACTION_MAPS[order][actions[some]])
    assert (planes == permute_planes(claims.encode_many(claimed, actions[some]), order)).all()


def test_exchanging_suits_maps_legal_actions(many):
    for order in range(len(SUIT_ORDERS)):
        records = permute_records(many.records[:200], order)
        for i in range(200):
            legal = Table.from_record(records[i]).legal_actions()
            assert sorted(ACTION_MAPS[order][many.legal[i].nonzero()[0]]) == legal


@pytest.fixture(scope="module")
def offers():
    """Tables, and (table, action) of every legal chow, pong and kong there."""
    at = positions()
    return at, at.claimed, at.claims


def test_claims_tell_what_remains(offers):
    many, tables, actions = offers
    assert set(range(CHOW_LOW, CLOSED_KONG)) <= set(actions)
    assert (actions >= CLOSED_KONG).any()
    assert (actions >= ADDED_KONG).any()
    planes = claims.encode_many(many.records[tables], actions)
    for i, action, x in zip(tables, actions, planes, strict=True):
        table = Table.from_record(many.records[i])
        seat = table.seat
        before = table.record.hand[seat].copy()
        table.act(int(action))
        part = x[838:]
        remains = stacked(part, "claim_hand", table=CLAIM)
        used = stacked(part, "claim_used", table=CLAIM)
        assert (before - used == remains).all()
        melded = stacked(part, "claim_meld", table=CLAIM)
        assert melded.sum() == (4 if action >= OPEN_KONG else 3)
        s = table.record
        if s.turn == seat and s.phase <= 1 and action < ADDED_KONG:
            drawn = np.bincount([KIND_OF[s.drawn]], minlength=34) if s.drawn >= 0 else 0
            assert (s.hand[seat] - drawn == remains).all()
        assert (x[:838] == suphx.encode_many(many.records[i : i + 1])[0]).all()


def test_claims_hide_hidden_tiles(offers):
    many, tables, actions = offers
    others = many.records[tables]
    before = claims.encode_many(others, actions)
    others = others.copy()
    resample_hidden(others, others["seat"], 5)
    assert (claims.encode_many(others, actions) == before).all()


def test_wrong_arguments_are_refused(many):
    with pytest.raises(ValueError, match="uint8"):
        suphx.encode_many(many.records[:2], np.zeros((2, 838, 34), np.float32))
    with pytest.raises(ValueError, match="chow, pong or kong"):
        claims.encode_many(many.records[:2], np.array([119, 40]))
    over = many.records[:1].copy()
    over["seat"] = -1
    for encode in (suphx.encode_many, gao.encode_many, oracle.encode_many):
        with pytest.raises(ValueError, match="asks nobody"):
            encode(over)
