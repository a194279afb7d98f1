"""Samples of each model: what is asked, what was done, and that exchanging suits keeps them true."""

import numpy as np
import pytest

from suzaku.features.oracle import HANDS, WAITS
from suzaku.features.oracle import encode_many as encode_oracle
from suzaku.features.sparse import SparsePlanes
from suzaku.features.symmetry import KIND_SOURCES
from suzaku.learning.config import Config
from suzaku.learning.loader import Loader, evaluation_batches, hidden_tiles
from suzaku.learning.samples import WIN_OR_ABORT, encode, exchange_suits, samples_of, sizes, stream
from suzaku.networks.spec import model_spec
from suzaku.records.decisions import decisions
from suzaku.records.players import named, teachers
from suzaku.records.store import Store
from suzaku.riichi import actions as act
from suzaku.tiles import KIND_OF


def all_of(store, network, model):
    """Decisions and samples of the whole store, batch by batch."""
    for batch in decisions(store, model, shuffle=None):
        yield batch, samples_of(batch, model_spec(network, model))


def test_discards(store):
    n = 0
    for batch, samples in all_of(store, "suphx-b1c8", "discard"):
        assert samples.legal[np.arange(len(samples)), samples.label].all()
        actions = batch.action[batch.action <= act.DISCARD_DRAWN]
        for s, action, label in zip(samples.records, actions, samples.label, strict=True):
            assert label == KIND_OF[s["drawn"] if action == act.DISCARD_DRAWN else action]
            assert not s["riichi"][s["seat"]]
        n += len(samples)
    assert n > 500


@pytest.mark.parametrize(
    ("model", "first", "last"),
    [("chow", act.CHOW_LOW, act.PONG), ("pong", act.PONG, act.OPEN_KONG), ("kong", act.OPEN_KONG, act.WIN_DRAW)],
)
def test_claims(store, model, first, last):
    labels = []
    for batch, samples in all_of(store, "suphx-b1c8", model):
        made = (batch.action >= first) & (batch.action < last)
        assert samples.label.sum() == made.sum()
        told = ~np.isin(batch.action, WIN_OR_ABORT)
        if model == "pong":
            told &= ~((batch.action >= act.OPEN_KONG) & (batch.action < act.WIN_DRAW))
        options = [(i, a) for i in np.flatnonzero(told) for a in range(first, last) if batch.legal[i, a]]
        assert samples.claim.tolist() == [a for _, a in options], "every option, also those that were not taken"
        assert samples.label.tolist() == [int(batch.action[i] == a) for i, a in options]
        assert (samples.records["discards"] == batch.records["discards"][[i for i, _ in options]]).all()
        labels += samples.label.tolist()
        assert encode(samples, model_spec("suphx-b1c8", model).features).shape[1:] == (958, 34)
    assert set(labels) >= ({1} if model == "kong" else {0, 1}), "these players take every kong"


def test_gao_chow_has_four_classes(store):
    labels = np.concatenate([samples.label for _, samples in all_of(store, "gao-86", "chow")])
    assert set(labels) == {0, 1, 2, 3}


def test_riichi(store):
    for batch, samples in all_of(store, "suphx-b1c8", "riichi"):
        assert samples.label.sum() == (batch.action == act.RIICHI).sum()


@pytest.mark.parametrize("network", ["suphx-b1c8", "gao-86"])
def test_exchanging_suits_keeps_labels_true(store, network):
    samples = next(stream(store, model_spec(network, "discard"), 200, 1))
    before = samples.label.copy()
    legal = samples.legal.copy()
    planes = encode(samples, model_spec(network, "discard").features, lookahead=False)
    moved = planes.copy()
    exchange_suits(moved, samples, np.random.default_rng(0))
    assert (samples.label != before).any()
    hand = (moved[:, 0] > 0).reshape(len(samples), 34, -1).any(2)
    assert hand[np.arange(len(samples)), samples.label].all(), "the discarded kind is in the hand"
    orders = set()
    for i in range(len(samples)):
        same = [
            k
            for k, sources in enumerate(KIND_SOURCES)
            if (planes[i][:, sources] == moved[i]).all()
            and (legal[i][sources] == samples.legal[i]).all()
            and sources[samples.label[i]] == before[i]
        ]
        assert same
        orders.update(same)
    assert orders == set(range(6))


@pytest.mark.parametrize("model", ["discard", "chow"])
def test_sparse_batches_are_the_dense_ones(store, model):
    config = Config(network="suphx-b1c8", model=model, batch=64, augment=True, lookahead=False)
    dense, sparse = Loader(store, config), Loader(store, config, sparse=True)
    moved = 0
    for _ in range(3):
        one, other = next(dense), next(sparse)
        assert isinstance(other.planes, SparsePlanes)
        assert (one.planes == other.planes.dense()).all()
        assert (one.label == other.label).all()
        assert (one.samples.legal == other.samples.legal).all()
        plain = encode(one.samples, model_spec("suphx-b1c8", model).features, lookahead=False)
        moved += (one.planes != plain).any((1, 2)).sum()
    assert moved > 64, "suits were exchanged"
    dense.close()
    sparse.close()
    one, other = (next(evaluation_batches(store, config, "", 50, sparse=how)) for how in (False, True))
    assert (one.planes == other.planes.dense()).all()


def test_a_stream_can_go_on_in_the_middle(store):
    whole = stream(store, model_spec("suphx-b1c8", "discard"), 64, 5)
    first = [next(whole).label for _ in range(40)]
    rest = stream(store, model_spec("suphx-b1c8", "discard"), 64, 5, skip=30)
    for label in first[30:]:
        assert (next(rest).label == label).all()


def test_too_few_samples_for_a_batch_are_refused(store):
    """Otherwise the trainer would wait for ever."""
    with pytest.raises(ValueError, match=r"holds \d+ kong decisions for training, less than a batch of 100,000"):
        next(stream(store, model_spec("suphx-b1c8", "kong"), 100_000, 1))


def test_a_part_of_the_games_is_the_same_in_every_epoch(store):
    seen = []
    source = stream(store, model_spec("suphx-b1c8", "discard"), 300, 1, part=3)
    for samples, _ in zip(source, range(30), strict=False):
        seen.append({record["wall"].tobytes() for record in samples.records})
    everything = {wall.tobytes() for game in Store(store).games() for wall in game.walls}
    first, later = set.union(*seen[:15]), set.union(*seen[15:])
    assert 0 < len(first) < len(everything) / 2
    assert later <= first, "the later epochs have no other games"


def test_a_batch_is_shared_out_among_players(store):
    players = "player 0 of 40=1,player 2 of 41=2,others=5"
    config = Config(network="suphx-b1c8", batch=64, augment=False, lookahead=False, players=players)
    wall = {wall.tobytes(): game for game in Store(store).games() for wall in game.walls}
    loader = Loader(store, config)
    for _ in range(4):
        records = next(loader).samples.records
        seats = [(wall[record["wall"].tobytes()], int(record["seat"])) for record in records]
        mine = [[seat in who.seats(game) for game, seat in seats] for who in teachers(players)]
        assert np.sum(mine, axis=1).tolist() == [8, 16, 40]
    loader.close()
    assert sizes(10, teachers("a=1,b=1,others=1")) == [3, 4, 3]
    with pytest.raises(ValueError, match="a batch of 10 has no sample for the smallest share"):
        sizes(10, teachers("a=1,others=100"))


def test_the_named_players_are_looked_at(store):
    config = Config(network="suphx-b1c8", lookahead=False, players="player 0 of 40=1,others=9")
    found = [loaded.samples.records for loaded in evaluation_batches(store, config, "", 10_000)]
    walls = {
        wall.tobytes() for game in Store(store).games() if named(config.players).seats(game) for wall in game.walls
    }
    assert sum(map(len, found)) > 20
    assert {(record["wall"].tobytes() in walls, int(record["seat"])) for part in found for record in part} == {
        (True, 0)
    }


def test_auxiliary_targets_are_what_the_oracle_sees_with_the_suits_of_the_planes(store):
    config = Config(network="suphx-b1c8", batch=64, auxiliary=1.0, lookahead=False)
    loader = Loader(store, config)
    orders = set()
    for _ in range(3):
        loaded = next(loader)
        seen = encode_oracle(loaded.samples.records) > 0
        targets = np.concatenate([seen[:, HANDS : HANDS + 12 : 4], seen[:, WAITS : WAITS + 3]], axis=1)
        assert (hidden_tiles(loaded.samples.records) == targets).all()
        plain = encode(loaded.samples, model_spec("suphx-b1c8", "discard").features, lookahead=False)
        for before, planes, target, hidden in zip(plain, loaded.planes, targets, loaded.hidden, strict=True):
            found = {
                k
                for k, sources in enumerate(KIND_SOURCES)
                if (before[:, sources] == planes).all() and (target[:, sources] == hidden).all()
            }
            assert found
            orders |= found
    loader.close()
    assert orders == set(range(6))
    assert targets[:, 3:].any(), "somebody waits"
