"""How fast a policy is rolled out and adapted here, a core: `python benchmarks/adapt.py [AGENT]`.

Rollouts are rounds from the first decision of a hand to their end, all seats played by the network, on one thread. The
peer in the same run is the engine alone: the same rounds rolled out by players that throw what they draw.
"""

import sys
import time

import numpy as np
import torch

from suzaku.agents.make import make_agent
from suzaku.agents.suphx import SuphxAgent
from suzaku.riichi.table import Table
from suzaku.rl.adapt.adaptation import Adaptation
from suzaku.rl.adapt.config import AdaptConfig
from suzaku.rl.adapt.rollouts import redrawn, roll_out

BATCHES = (64, 256, 1024)
LEARNT = 512


def main() -> None:
    """Measure by CPU time: what else the machine does counts less."""
    torch.set_num_threads(1)
    agent = make_agent(sys.argv[1] if len(sys.argv) > 1 else "suphx")
    if type(agent) is not SuphxAgent:
        raise SystemExit("name a plain suphx, such as suphx or suphx:FOLDER")
    table = Table(seed=1).record.reshape(1).copy()
    plain, idle = agent.twin(many=True), make_agent("tsumogiri")
    print(f"{agent.models['discard'].info['network']}, one thread, rollouts a second of CPU time")
    for n in BATCHES:
        deals, streams = redrawn(table, 0, n, (3, n)), np.zeros(n, np.int64)
        rates = []
        for player in (plain, idle):
            roll_out(player, player, deals[:16], 0, streams[:16])  # type: ignore[arg-type]
            began = time.process_time()
            roll_out(player, player, deals, 0, streams)  # type: ignore[arg-type]
            rates.append(n / (time.process_time() - began))
        print(f"  {n:5,} at once: {rates[0]:7.1f}   (tsumogiri {rates[1]:,.0f}, {rates[1] / rates[0]:.0f} times)")
    adaptation = Adaptation(agent, AdaptConfig(rollouts=LEARNT))
    adaptation.run(table, 0, 16)
    began = time.process_time()
    adaptation.run(table, 0, LEARNT)
    print(f"  with learning: {LEARNT / (time.process_time() - began):7.1f}")


if __name__ == "__main__":
    main()
