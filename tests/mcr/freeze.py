"""Writes the judge's answers to our random hands: python -m tests.mcr.freeze (needs PyMahjongGB)."""

from pathlib import Path

import numpy as np

from suzaku.mcr.fans import FANS
from tests.mcr import gb
from tests.mcr.random_wins import random_hands, random_wins

FILE = Path(__file__).parent / "frozen.npz"
SEED, WINS, HANDS = 18, 20_000, 5_000


def main() -> None:
    """Ask the judge and keep what it says."""
    import MahjongGB

    value = {fan.chinese: fan.value for fan in FANS}
    wins = random_wins(SEED, WINS)
    totals = [
        sum(value[name] * n for name, n in gb.fans(MahjongGB.MahjongFanCalculator, gb.arguments(wins, i)).items())
        for i in range(WINS)
    ]
    hands = zip(*random_hands(SEED, HANDS), strict=True)
    distances = [gb.shanten(MahjongGB, counts, int(melds)) for counts, melds in hands]
    np.savez_compressed(FILE, totals=np.array(totals, np.int16), shanten=np.array(distances, np.int8))


if __name__ == "__main__":
    main()
