"""Gao's planes, with the past situations checked against the table as it was."""

import numpy as np
import pytest

from suzaku.agents.efficiency import choose
from suzaku.features import gao
from suzaku.features.gao import GAO
from suzaku.features.groups import first, size
from suzaku.hand.tables import tables
from suzaku.riichi import Table, resample_hidden
from suzaku.riichi.hands import in_melds
from suzaku.riichi.state import INDICATORS
from suzaku.tiles import KIND_OF
from tests.features.states import some_states


def counts(plane):
    """The counts that a plane tells: ones from the left."""
    assert (np.diff(plane.astype(int), axis=1) <= 0).all()
    return plane.sum(1)


def expected_table(s, p):
    """Hand, rivers and melds of a table, seats from p on."""
    rows = [s.hand[p].astype(int)]
    for i in range(4):
        q = (p + i) % 4
        rows.append(np.minimum(4, np.bincount(KIND_OF[s.river[q, : s.river_size[q]]], minlength=34)))
    for i in range(4):
        rows.append(np.array([in_melds(s, (p + i) % 4, kind) for kind in range(34)]))
    return np.array(rows)


def test_planes_are_86():
    assert size(GAO) == gao.GAO_PLANES == 86
    assert first(GAO, "past_1") == 28


def test_present_can_be_read_back():
    many = some_states(300, 8)
    for s, x in zip(many.records, gao.encode_many(many.records), strict=True):
        p = int(s.seat)
        told = np.array([counts(x[i]) for i in (0, *range(2, 10))])
        assert (told == expected_table(s, p)).all()
        assert (x[1].all(1).nonzero()[0].tolist()) == [k for k in (4, 13, 22) if s.red[p, k // 9]]
        assert (counts(x[10]) == np.bincount(KIND_OF[s.wall[INDICATORS[: s.indicators]]], minlength=34)).all()
        for i in range(3):
            assert x[11 + i].all() == bool(s.riichi[(p + 1 + i) % 4])
            assert x[11 + i].any() == x[11 + i].all()
        assert x[14:18].all((1, 2)).sum() == 1
        assert x[18:26].all((1, 2)).nonzero()[0] == [min(7, s.round_no)]
        assert x[26].all(1).nonzero()[0] == [27 + s.round_no // 4]
        assert x[27].all(1).nonzero()[0] == [27 + (p - s.dealer) % 4]


@pytest.mark.parametrize("seed", range(12))
def test_past_situations_are_the_table_as_it_was(seed):
    table = Table(seed=seed)
    history = [[] for _ in range(4)]
    rng = np.random.default_rng(seed)
    while not table.round_over and not table.game_over:
        s, p = table.record, table.seat
        x = gao.encode_many(s.reshape(1))[0]
        for ago in range(1, 7):
            start = 28 if ago == 1 else 41 + 9 * (ago - 2)
            told = np.array([counts(plane) for plane in x[start : start + 9]])
            then = history[p][-ago] if ago <= len(history[p]) else (np.zeros((9, 34)), np.zeros(34), [0, 0, 0])
            assert (told == then[0]).all()
            if ago == 1:
                assert (counts(x[37]) == then[1]).all()
                assert [bool(plane.all()) for plane in x[38:41]] == [bool(riichi) for riichi in then[2]]
        legal = table.legal_actions()
        action = int(rng.choice(legal)) if rng.random() < 0.3 else int(choose(tables(), s, table.legal_mask()))
        if action < 38:
            shown = np.bincount(KIND_OF[s.wall[INDICATORS[: s.indicators]]], minlength=34)
            history[p].append((expected_table(s, p), shown, [s.riichi[(p + 1 + i) % 4] for i in range(3)]))
        table.act(action)


def test_hidden_tiles_change_nothing():
    many = some_states(500, 9)
    before = gao.encode_many(many.records)
    resample_hidden(many.records, many.records["seat"], 2)
    assert (gao.encode_many(many.records) == before).all()


def test_wrong_array_is_refused():
    many = some_states(1, 1)
    with pytest.raises(ValueError, match="uint8"):
        gao.encode_many(many.records, np.zeros((1, 86, 34, 4), bool))
