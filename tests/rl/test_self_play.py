"""What actors are given: their share of the tables and of the games, however many they are."""

import pytest

from suzaku.rl.config import RlConfig
from suzaku.rl.self_play import Harvest, Order, SelfPlay, Setup

SETUP = Setup({}, 0.5, 1, 512, "east")


class Noted:
    """Actors that note what they are given, and do nothing."""

    def __init__(self):
        self.orders: list[Order] = []
        self.waiting: list[Order] = []

    replaced = 0

    def close(self):
        self.waiting.clear()

    def open(self, setup, count, resume):
        self.setup, self.count = setup, count
        return self

    def give(self, order):
        self.orders.append(order)
        self.waiting.append(order)

    def next(self):
        games = [None] * (self.orders[-1].games + 1)  # two ended in the last step
        return 0, self.waiting.pop(), Harvest(games, [], b"", 1.0)


def opened(workers, state=None, **more):
    backend = Noted()
    one = SelfPlay(RlConfig(workers=workers, **{"games": 200, "tables": 512, **more}), backend.open)
    if state:
        one.restore(state)
    one.open(SETUP, "", {}, 0.0)
    return backend, one


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
