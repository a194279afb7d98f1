"""How fast a policy is rolled out, adapted and tested here, a core: `python benchmarks/adapt.py [AGENT]`.

Rollouts are rounds from the first decision of a hand to their end, all seats played by the network, on one thread. The
peer in the same run is the engine alone: the same rounds rolled out by players that throw what they draw. Then, by the
wall clock, how long a player under a limit of time thinks at the first question of a round.
"""

import sys
import time
from collections.abc import Callable

import numpy as np
import torch

from suzaku.agents.make import make_agent
from suzaku.agents.suphx import SuphxAgent
from suzaku.riichi.table import Table
from suzaku.rl.adapt_agent import AdaptingAgent
from suzaku.rl.adapt_config import AdaptConfig
from suzaku.rl.adapt_rollouts import Watched, play_again, redrawn, roll_out
from suzaku.rl.adaptation import Adaptation

BATCHES = (64, 256, 1024)
LEARNT, TESTED = 1024, 512
LIMITS, ROUNDS = (0.5, 1.0, 3.0), 10


def rate(n: int, work: Callable[[], object]) -> float:
    """How many a second of processor time: what else the machine does counts less."""
    began = time.process_time()
    work()
    return n / (time.process_time() - began)


def limits(name: str) -> None:
    """How long the first answer of a round takes under a limit."""
    for limit in LIMITS:
        agent = make_agent(f"{name}{',' if ':' in name else ':'}adapt=100000,adapt_seconds={limit:g}")
        assert isinstance(agent, AdaptingAgent)
        agent.warm_up()
        took = []
        for place in range(ROUNDS):
            table = Table(seed=place)
            began = time.perf_counter()
            agent.act_at(np.array([place]), table.record.reshape(1).copy(), table.legal_mask()[None])
            took.append(time.perf_counter() - began)
        if agent.failures:
            raise SystemExit(f"{agent.failures} of {ROUNDS} adaptations failed")
        rolled = np.median([seated.adaptation.rolled for seated in agent._seated.values()])
        print(
            f"  within {limit:g} s: first answers of {ROUNDS} rounds took {np.median(took):.2f} s, "
            f"at the most {max(took):.2f}, with {rolled:,.0f} rollouts"
        )


def main() -> None:
    """Measure rollouts, adaptation and the test of an adapted policy."""
    torch.set_num_threads(1)
    name = sys.argv[1] if len(sys.argv) > 1 else "suphx"
    agent = make_agent(name)
    if type(agent) is not SuphxAgent:
        raise SystemExit("name a plain suphx, such as suphx or suphx:FOLDER")
    table = Table(seed=1).record.reshape(1).copy()
    plain, idle = Watched.like(agent), make_agent("tsumogiri")
    print(f"{agent.models['discard'].info['network']}, one thread, rollouts a second of CPU time")
    for n in BATCHES:
        deals, streams = redrawn(table, 0, n, (3, n)), np.zeros(n, np.int64)
        rates = []
        for player in (plain, idle):
            roll_out(player, player, deals[:16], 0, streams[:16])  # type: ignore[arg-type]
            rates.append(rate(n, lambda p=player, d=deals, s=streams: roll_out(p, p, d, 0, s)))  # type: ignore[misc]
        print(f"  {n:5,} at once: {rates[0]:7.1f}   (tsumogiri {rates[1]:,.0f}, {rates[1] / rates[0]:.0f} times)")
    for chunk in BATCHES[1:]:
        adaptation = Adaptation(agent, AdaptConfig(chunk=chunk))
        adaptation.run(table, 0, 16)
        print(f"  with learning, {chunk:,} at once: {rate(LEARNT, lambda a=adaptation: a.run(table, 0, LEARNT)):7.1f}")  # type: ignore[misc]
    deals, streams = redrawn(table, 0, TESTED, (1, 1)), np.zeros(TESTED, np.int64)
    base = roll_out(plain, plain, deals, 0, streams, ("discard",))
    assert base is not None
    adapted = adaptation.player(many=True)
    again = rate(TESTED, lambda: play_again(base, adapted, plain, 0, streams, ("discard",)))
    whole = rate(TESTED, lambda: roll_out(adapted, plain, deals, 0, streams))
    print(f"  test deals where plain has played: {again:7.1f}   (each played whole: {whole:.1f})")
    limits(name)


if __name__ == "__main__":
    main()
