"""What a run hands on: gamma to the actors, the hashes of its oracle, games some at a time."""

import numpy as np
import pytest
import torch

from suzaku.learning.loop import Run
from suzaku.riichi.game import GAME
from suzaku.rl import learner as module
from suzaku.rl.config import RlConfig
from suzaku.rl.learner import Reinforcement
from suzaku.rl.self_play import Harvest, SelfPlay
from tests.rl.helpers import GUIDED, SMALL, Noted, learner, opened, prepared, run


@pytest.mark.parametrize(("ahead", "versions"), [(False, [0, 1, 2, 3, 4]), (True, [0, 0, 1, 2, 3])])
def test_actors_are_told_the_gamma_of_the_schedule(player, games, tmp_path, monkeypatch, ahead, versions):
    backend = Noted()
    harvest = Harvest(games[:1], np.zeros((1, 4), GAME.hands), b"", 1.0)
    monkeypatch.setattr(backend, "next", lambda: (0, backend.waiting.pop(), harvest))
    monkeypatch.setattr(SelfPlay, "ahead", ahead)
    schedule = {"oracle_first": 1, "oracle_fall": 2, "iterations": 4, "value_first": 0, "advantage": "mean"}
    config = RlConfig(start=str(player), **{**SMALL, "oracle": "widen", **schedule, "workers": 1})
    one = Reinforcement(config, tmp_path, open_actors=backend.open)
    one.begin(0)
    for step in range(4):
        one.wait()
        one.learn(one.next_batch(), step)
    one.end()
    assert [order.version for order in backend.orders] == versions
    assert [order.gamma for order in backend.orders] == [[1, 1, 0.5, 0, 0][version] for version in versions]


def test_orders_that_are_given_again_have_the_gamma_that_they_had():
    backend, one = opened(2)
    one.order({}, 3, 0.5)
    again, _ = opened(2, one.state())
    assert [order.gamma for order in backend.orders] == [0, 0, 0.5, 0.5]
    assert [(order.version, order.gamma) for order in again.orders] == [(3, 0.5)] * 2


@pytest.fixture
def oracle(player, tmp_path):
    """The folder of an oracle that knows no more than the start, and how to write it again with other weights."""
    one = learner(player, tmp_path / "first", **GUIDED)

    def write():
        one.player.write(tmp_path / "given" / "oracle", one.modules, {}, oracle=True)
        with torch.no_grad():
            one.modules["discard"].stem.weight.add_(0.01)

    write()
    return tmp_path / "given" / "oracle", write


def test_a_run_does_not_write_to_the_oracle_that_it_begins_with(player, oracle, tmp_path):
    settings = {**GUIDED, "oracle": str(oracle[0])}
    for out in (oracle[0], oracle[0].parent):
        with pytest.raises(ValueError, match=r"oracle: .*oracle lies in .* choose another --out"):
            learner(player, out, **settings)
    learner(player, tmp_path / "given" / "other", **settings)


def test_a_resume_with_another_oracle_is_refused(player, oracle, tmp_path):
    folder, write_again = oracle
    settings = {**GUIDED, "oracle": str(folder)}
    run(learner(player, tmp_path / "run", **settings), tmp_path / "run", steps=1)
    Run(learner(player, tmp_path / "run", **settings), tmp_path / "run")
    write_again()
    with pytest.raises(ValueError, match="began with another oracle's discard model"):
        Run(learner(player, tmp_path / "run", **settings), tmp_path / "run")


def same_flow(one, other):
    for name in ("legal", "action", "log_prob", "game", "round", "at"):
        assert np.array_equal(getattr(one.decisions, name), getattr(other.decisions, name)), name
    assert np.array_equal(one.decisions.records, other.decisions.records)
    assert np.array_equal(one.behaviour, other.behaviour)
    assert np.array_equal(one.planes.dense(), other.planes.dense())


@pytest.mark.parametrize("learn", ["discard", "discard+riichi+chow+pong+kong"])
def test_games_are_replayed_some_at_a_time(player, games, tmp_path, monkeypatch, learn):
    one = learner(player, tmp_path, learn=learn)
    flow, reward = prepared(one, games)
    monkeypatch.setattr(module, "REPLAYED", 2)
    parts, same_reward = prepared(one, games)
    assert len(games) == 3
    assert len(np.unique(flow.decisions.game)) == 3
    same_flow(parts, flow)
    assert np.array_equal(same_reward, reward)


@pytest.mark.usefixtures("few_situations")
def test_plays_of_a_wall_are_replayed_together(player, tmp_path, monkeypatch):
    one = learner(player, tmp_path, repeat=2, games=4)
    one.begin(0)
    one.wait()
    games = [game for harvest in one.next_batch() for game in harvest.games]
    flow, reward = one.prepare(games)
    monkeypatch.setattr(module, "REPLAYED", 1)
    again, same_reward = one.prepare(games)
    one.end()
    assert reward.any()
    same_flow(again, flow)
    assert np.array_equal(same_reward, reward)
