"""The reader for learning: every decision once, shuffled, split and shared out."""

import itertools
from importlib import import_module

import numpy as np
import pytest

from suzaku.hand.tables import tables as hand_tables
from suzaku.records.decisions import decisions, replay_decisions
from suzaku.records.importing import import_records
from suzaku.records.store import Store
from suzaku.riichi import actions as act
from suzaku.riichi.game import GAME
from suzaku.riichi.legal import ALL, DECISION_TYPES, fill_legal
from suzaku.table.kernels import AWAY
from tests.records.made import HALF_AWAY, made_game, write_folder


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    top = tmp_path_factory.mktemp("decisions")
    write_folder(top / "in", range(12))
    import_records([str(top / "in")], top / "store")
    return Store(top / "store")


def keys(batches):
    """What names a decision: wall, who, what, and how far the round is."""
    found = []
    for batch in batches:
        for i in range(len(batch)):
            r = batch.records[i]
            found.append(
                (r["wall"].tobytes(), int(batch.seat[i]), int(batch.action[i]), int(r["discards"]), int(r["phase"]))
            )
    return found


def test_batches_are_sound(store):
    legal = np.zeros(act.ACTIONS, np.bool_)
    for batch in decisions(store, batch=256, buffer=1024):
        assert len(batch.records) == len(batch.legal) == len(batch.action) == len(batch.seat) <= 256
        assert batch.walls_known.all()
        for i in range(0, len(batch), 37):
            fill_legal(hand_tables(), batch.records[i], legal)
            assert np.array_equal(legal, batch.legal[i])
            assert legal[batch.action[i]]
            assert legal.sum() > 1
            assert batch.records[i].seat == batch.seat[i]


@pytest.mark.parametrize("options", [{}, {"workers": 2}, {"batch": 64, "buffer": 128}, {"shuffle": 7}])
def test_every_decision_comes_once_and_always_in_the_same_order(store, options):
    plain = keys(decisions(store, shuffle=None))
    mixed = keys(decisions(store, **options))
    assert sorted(plain) == sorted(mixed)
    assert plain != mixed
    assert mixed == keys(decisions(store, **options))


def test_games_are_mixed(store):
    batch = next(iter(decisions(store, batch=256, buffer=4096)))
    assert len({record["wall"].tobytes() for record in batch.records}) > 15


def test_types(store):
    asked = {"riichi": [act.RIICHI], "chow": range(39, 45), "pong": [45, 46], "kong": range(47, 116), "win": [116, 117]}
    for name, actions in asked.items():
        for batch in decisions(store, types=name):
            assert batch.legal[:, list(actions)].any(axis=1).all()
            assert (batch.types == DECISION_TYPES[name]).all()
    for batch in decisions(store, types=["discard"]):
        assert (batch.action <= act.DISCARD_DRAWN).all()
    with pytest.raises(ValueError, match="is not a type of decision"):
        decisions(store, types="dance")


def test_shares_and_splits_are_a_partition(store):
    everything = sorted(keys(decisions(store)))
    shares = [keys(decisions(store, shard=(i, 3), workers=2)) for i in range(3)]
    assert sorted(itertools.chain(*shares)) == everything
    splits = [keys(decisions(store, split=split)) for split in ("train", "validation", "test")]
    assert sorted(itertools.chain(*splits)) == everything


def test_the_absent_decide_nothing(store):
    count = sum(len(batch) for batch in decisions(store))
    assert count < sum(made_game(seed).decisions for seed in range(12))
    walls = {wall.tobytes() for wall in made_game(HALF_AWAY).walls}
    game = made_game(HALF_AWAY)
    mine = sum(record["wall"].tobytes() in walls for batch in decisions(store) for record in batch.records)
    assert mine <= np.count_nonzero(game.actions < AWAY)


def test_leaving_early_stops_the_threads(store):
    import threading

    before = threading.active_count()
    stream = decisions(store, workers=3, batch=16, buffer=16)
    next(stream)
    stream.close()
    assert threading.active_count() == before


def test_one_player_is_followed_where_it_does_not_lose_much(store):
    rounds, left_out, followed = 0, 0, set()
    for game in store.games():
        whole, one = replay_decisions(game, ALL), replay_decisions(game, ALL, one_player=True)
        again = replay_decisions(game, ALL, one_player=True)
        assert np.array_equal(again.action, one.action)
        deals = whole.records["deal"]
        starts = {int(deal): whole.records["scores"][deals == deal][0] for deal in np.unique(deals)}
        for deal in sorted(starts)[:-1]:
            mine = one.seat[one.records["deal"] == deal]
            rounds += 1
            if not len(mine):
                left_out += 1
                continue
            seat = int(mine[0])
            followed.add(seat)
            assert (mine == seat).all()
            assert len(mine) == ((deals == deal) & (whole.seat == seat)).sum()
            assert starts[deal + 1][seat] - starts[deal][seat] >= -GAME.worst_round
    assert followed == {0, 1, 2, 3}
    assert 0 < left_out < rounds / 2


def test_games_may_be_longer_than_the_memory_that_is_used_again(store, monkeypatch):
    whole = [batch.action.copy() for batch in decisions(store)]
    module = import_module("suzaku.records.decisions")  # of which the package has a function
    monkeypatch.setattr(module, "MOST", 8)
    assert all(np.array_equal(*pair) for pair in zip(whole, (batch.action for batch in decisions(store)), strict=True))
