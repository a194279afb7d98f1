"""What several tests of the room share: small runs, actors that only note, adaptation on few trajectories."""

import torch

from suzaku.agents.suphx import SuphxAgent
from suzaku.learning.loop import Run
from suzaku.rl.adapt_config import AdaptConfig
from suzaku.rl.adaptation import Adaptation
from suzaku.rl.config import RlConfig
from suzaku.rl.learner import Reinforcement
from suzaku.rl.self_play import Harvest, Order, SelfPlay, Setup

SMALL = {"games": 2, "tables": 3, "length": "east", "batch": 64, "value_network": "b1c8", "value_first": 1,
         "save_every": 1, "temperature": 0.7, "bfloat16": False, "workers": 0, "walls": 0}  # fmt: skip
SHORT = {**SMALL, "length": "round"}  # see conftest.py: for runs in this process alone


GUIDED = {"oracle": "widen", "oracle_first": 2, "oracle_fall": 2, "iterations": 5, "value_first": 1, "rate": 1e-3}
FEW = AdaptConfig(rollouts=12, chunk=6, repeat=3, batch=64, rate=3e-3, kl=50.0)


def learner(player, folder, predictor=None, process=None, **more):
    settings = {**(SMALL if more.get("workers") else SHORT), **more}
    return Reinforcement(RlConfig(start=str(player), **settings), folder, predictor, process=process)


def weights(one):
    return {name: value.clone() for name, value in one.modules["discard"].state_dict().items()}


def same(a, b):
    return all(torch.equal(a[name], b[name]) for name in a)


def run(one, folder, steps=None):
    """Let it learn; with `steps`, an interrupt comes after so many."""
    going = Run(one, folder)
    figures = []

    def tell(found):
        figures.append(found)
        if steps is not None and len(figures) == steps:
            raise KeyboardInterrupt

    try:
        going.run(tell, every=1)
    except KeyboardInterrupt:
        assert steps is not None
    return figures


def prepared(one, games):
    """The decisions of some games and their rewards, as an iteration takes them."""
    one._agent = SuphxAgent(one.player.folder, temperature=one.config.temperature)
    return one.prepare(games)


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


def adapted(offline, table, config=FEW, **more):
    found = Adaptation(offline, config)
    found.run(table, int(table["seat"][0]), config.rollouts, **more)
    return found
