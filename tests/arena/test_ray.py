"""Matches on a Ray cluster: the same games, and the cluster stays as it was found."""

import sys
from unittest.mock import Mock

import pytest

from suzaku.arena.log import Log
from suzaku.arena.match import Match
from suzaku.arena.play import Play, Played, on_ray
from tests.arena.test_match import play

pytestmark = pytest.mark.usefixtures("only_cluster")


@pytest.fixture(scope="module")
def small() -> Played:
    """A match of two unlike agents."""
    return play(Match(("shanten", "random"), "2v2", seed=4, length="east"), 24)


def test_ray_plays_the_same_games_and_leaves_a_cluster_that_was_there(small, monkeypatch):
    import ray

    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    ray.init(num_cpus=1, log_to_driver=False, include_dashboard=False)
    try:
        kept = ray.put("the caller's")
        workers = on_ray(small.match, 5)
        try:
            assert workers.count == 1
            played = Play(small.match, Log(small.match), 24).run(workers)
        finally:
            workers.close()
        assert (played.rows == small.rows).all()
        assert ray.is_initialized()
        assert ray.get(kept) == "the caller's"
    finally:
        ray.shutdown()


@pytest.mark.parametrize("there", [False, True])
def test_a_cluster_is_shut_down_only_by_who_started_it(small, monkeypatch, there):
    ray = Mock(**{"is_initialized.return_value": there, "available_resources.return_value": {"CPU": 2.0}})
    monkeypatch.setitem(sys.modules, "ray", ray)
    workers = on_ray(small.match, 5)
    assert workers.count == 2
    workers.close()
    assert ray.init.called == ray.shutdown.called == (not there)
    assert ray.kill.call_count == 2


def test_a_cluster_without_a_free_core_is_told(small, monkeypatch):
    ray = Mock(**{"is_initialized.return_value": True, "available_resources.return_value": {}})
    monkeypatch.setitem(sys.modules, "ray", ray)
    with pytest.raises(ValueError, match="no free core"):
        on_ray(small.match, 5)
