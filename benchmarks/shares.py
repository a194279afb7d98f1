"""Where the time of self-play goes: `python benchmarks/shares.py [suphx] [--games 60]`.

Four of an agent with networks play in this process, by CPU time. To tell the look-ahead from the other channels, what
is encoded is encoded once more without it, off the clock; the first layer is timed where the network calls it.
"""

import argparse
import time
from typing import Any

from suzaku.agents.make import make_agent
from suzaku.arena.log import Log
from suzaku.arena.match import Match
from suzaku.arena.play import Play, here
from suzaku.arena.table_worker import usual_tables
from suzaku.networks import modules
from suzaku.networks.run import Model

clock = time.process_time


class Shares:
    """The seconds of each part."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(("other channels", "look-ahead", "first layer", "network"), 0.0)
        self.off = 0.0  # spent on measuring
        self.states = 0
        self._encode, self._run, self._first = Model.encode, Model.__call__, modules.sparse_convolution

    def measure(self) -> None:
        """Put the clocks in place."""

        def encode(model: Any, records: Any, claim: Any = None, lookahead: bool = True) -> Any:
            began = clock()
            planes = self._encode(model, records, claim, lookahead)
            middle = clock()
            self._encode(model, records, claim, False)
            ended = clock()
            self.seconds["other channels"] += ended - middle
            self.seconds["look-ahead"] += (middle - began) - (ended - middle)
            self.off += ended - middle
            return planes

        def run(model: Any, planes: Any) -> Any:
            began = clock()
            logits = self._run(model, planes)
            self.seconds["network"] += clock() - began
            self.states += len(planes)
            return logits

        def first(planes: Any, weight: Any) -> Any:
            began = clock()
            x = self._first(planes, weight)
            took = clock() - began
            self.seconds["first layer"] += took
            self.seconds["network"] -= took
            return x

        Model.encode, Model.__call__, modules.sparse_convolution = encode, run, first  # type: ignore[method-assign,assignment]


def main() -> None:
    """Play, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("agent", nargs="?", default="suphx")
    parser.add_argument("--games", type=int, default=60)
    options = parser.parse_args()
    match = Match((options.agent, options.agent), "1v3", seed=1)
    tables = min(options.games, usual_tables([make_agent(options.agent)]))
    Play(match, Log(match), 4).run(here(match, 4))  # compiled and warm
    shares = Shares()
    shares.measure()
    workers = here(match, tables)
    began = clock()
    played = Play(match, Log(match), options.games).run(workers)
    total = clock() - began - shares.off
    print(f"{options.agent}: {played.rows.size} hanchan in {total:.1f} s of one core, {shares.states:,} states")
    rest = total - sum(shares.seconds.values())
    rows = {**shares.seconds, "rules": played.rules, "flow, arena": rest - played.rules}
    for name, seconds in rows.items():
        each = 1e6 * seconds / shares.states
        print(f"| {name} | {seconds / total:.1%} | {each:.1f} microseconds a state |")


if __name__ == "__main__":
    main()
