"""What actors are given: their share of the tables and of the games, however many they are."""

import pytest

from suzaku.rl.config import RlConfig
from suzaku.rl.learner import Reinforcement
from tests.rl.helpers import SMALL, Noted, opened


@pytest.mark.parametrize("workers", [1, 3, 8])
def test_a_game_lasts_as_many_versions_with_many_actors_as_with_one(workers):
    """So many tables over so many games that end in an order: it must not grow with the actors, or all are too old."""
    backend, one = opened(workers)
    assert backend.count == len(backend.orders) == workers
    versions = [backend.setup.tables / order.games for order in backend.orders]
    assert versions == pytest.approx([512 / 200] * workers, rel=0.02)
    begun = [number for order in backend.orders for number in order.numbers]
    assert len(begun) == sum(order.games for order in backend.orders) + workers * backend.setup.tables
    assert begun == list(range(len(begun)))
    for version in (1, 2):
        one.taken(one.receive())
        one.order({}, version, 0.0)
    again = backend.orders[workers:]
    assert all(len(order.numbers) == order.games + 1 for order in again)  # as many as ended: the tables stay full
    begun += [number for order in again for number in order.numbers]
    assert begun == list(range(len(begun)))


def test_a_run_goes_on_with_the_tables_that_its_snapshots_have():
    state = opened(3)[1].state()
    assert opened(3, state)[0].setup.tables == 171


def test_actors_play_as_the_settings_say(player, tmp_path):
    more = {"workers": 2, "games": 4, "tables": 6, "temperature": 0.9, "seed": 7, "length": "east", "repeat": 2}
    backend = Noted()
    one = Reinforcement(RlConfig(start=str(player), **{**SMALL, **more}), tmp_path, open_actors=backend.open)
    one.begin(0)
    setup = backend.setup
    assert (setup.temperature, setup.seed, setup.length, setup.repeat, setup.game) == (0.9, 7, "east", 2, "riichi")
    assert (backend.count, setup.tables) == (2, 3)
    assert [order.games for order in backend.orders] == [2, 2]
    one.end()
