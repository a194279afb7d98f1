"""Fans and shanten of MCR against PyMahjongGB, on a million random and constructed hands each.

    python reproduce/mcr_judge.py [--hands 1000000] [--seed 1]

Prints the rarest fans, the wins whose totals differ, and the hands whose shanten differs for another reason than that
the library waits for a fifth tile of a kind. Needs PyMahjongGB, a source package (any C++ compiler).
"""

import argparse
import sys
from collections import Counter
from pathlib import Path

import MahjongGB
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from suzaku.hand.tables import tables
from suzaku.mcr import evaluate_many
from suzaku.mcr.evaluate import counted_fans
from suzaku.mcr.fans import FANS
from suzaku.mcr.shanten import shanten_many
from tests.mcr import gb
from tests.mcr.random_wins import random_hands, random_wins

BATCH = 20_000


def main() -> None:
    """Compare batch by batch."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--hands", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    value = {fan.chinese: fan.value for fan in FANS}
    seen: Counter[str] = Counter()
    labels = wrong = fifth = wrong_shanten = 0
    batches = -(-options.hands // BATCH)
    for batch in range(batches):
        wins = random_wins(1000 * options.seed + batch, BATCH)
        for i, ours in enumerate(evaluate_many(**wins)):
            theirs = gb.fans(MahjongGB.MahjongFanCalculator, gb.arguments(wins, i))
            seen.update(theirs.keys())
            if sum(value[name] * n for name, n in theirs.items()) != ours["fan"]:
                wrong += 1
                print("fans differ:", gb.arguments(wins, i), theirs, ours)
            elif batch == 0:
                named = counted_fans(int(ours["big"]), int(ours["small"]), int(ours["more"]))
                labels += {fan.chinese: fan.count for fan in named} != theirs
        counts, melds = random_hands(1000 * options.seed + batch, BATCH)
        out = np.empty(BATCH, np.int8)
        shanten_many(tables(), counts, melds, out)
        for i in range(BATCH):
            theirs_ = gb.shanten(MahjongGB, counts[i], int(melds[i]))
            if theirs_ != out[i]:
                if gb.fifth_tile(counts[i], int(out[i]), theirs_):
                    fifth += 1
                else:
                    wrong_shanten += 1
                    print("shanten differs:", counts[i], melds[i], theirs_, out[i])
        print(f"\r{batch + 1} of {batches} batches", end="", file=sys.stderr, flush=True)
    n = batches * BATCH
    print(f"\n{n:,} wins: {wrong} totals differ; of the first {BATCH:,}, {labels} have equal totals of other fans")
    print(f"{n:,} hands: {wrong_shanten} shanten differ, and {fifth} where the library waits for a fifth tile")
    print("rarest fans:", ", ".join(f"{name} {n}" for name, n in seen.most_common()[:-9:-1]))


if __name__ == "__main__":
    main()
