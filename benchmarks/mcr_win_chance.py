"""Fits the chances to win that hints of MCR show, by self-play of `heuristic`, and checks them on other games.

python benchmarks/mcr_win_chance.py --games 1000 --seed 200000
"""

import argparse
from itertools import pairwise

import numpy as np

from suzaku.agents.make import make_agent
from suzaku.mcr import Table
from suzaku.mcr.state import CALLED, TURN
from suzaku.review.mcr_hints import FARTHEST_FITTED, Looks, inputs


def play(seed: int, looks: Looks, agent) -> list[list[float]]:
    """Game, tiles short, inputs and whether it was won, for every discard of a hand."""
    table, rows, seats = Table(seed=seed), [], []
    while not table.game_over:
        record = table.record.reshape(1).copy()
        action = int(agent.act(record, table.legal_mask()[None]).actions[0])
        if record["phase"][0] in (TURN, CALLED) and action < 34:
            distance, hazard = looks.after_discard(record[0], table.seat, action)
            if hazard > 0:
                seats.append(table.seat)
                rows.append([seed, min(distance, FARTHEST_FITTED), *inputs(hazard, int(record["left"][0]))])
        table.act(action)
    winner = int(table.record.win_seat) if table.record.wins else -1
    return [[*row, float(seat == winner)] for row, seat in zip(rows, seats, strict=True)]


def fit(x: np.ndarray, won: np.ndarray) -> np.ndarray:
    """Logistic regression by Newton's method."""
    weights = np.zeros(x.shape[1])
    ridge = np.diag([1.0, 1.0, 0.01])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-x @ weights))
        gradient = x.T @ (chance - won) + ridge @ weights
        weights -= np.linalg.solve((x * (chance * (1 - chance))[:, None]).T @ x + ridge, gradient)
    return weights


def main() -> None:
    """Print the coefficients, and how they do on the half of the games that they were not fitted to."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=200_000)
    given = parser.parse_args()
    looks, agent = Looks(), make_agent("heuristic", "mcr")
    data = np.array([row for i in range(given.games) for row in play(given.seed + i, looks, agent)])
    distance, x, won = data[:, 1].astype(int), data[:, 2:5], data[:, 5]
    fitted = data[:, 0] % 2 == 0
    chance = np.zeros(len(data))
    for n in range(1, FARTHEST_FITTED + 1):
        rows = distance == n
        weights = fit(x[rows & fitted], won[rows & fitted])
        chance[rows] = 1 / (1 + np.exp(-x[rows] @ weights))
        print(f"[{', '.join(f'{w:.4f}' for w in weights)}],  # {n} short, {rows.sum():,} decisions")
    print(f"\n{'chance':>12} {'decisions':>10} {'mean':>6} {'won':>6}")
    for low, high in pairwise([0, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 1]):
        rows = ~fitted & (chance >= low) & (chance < high)
        if rows.any():
            print(f"{low:5.2f} - {high:4.2f} {rows.sum():10,} {chance[rows].mean():6.3f} {won[rows].mean():6.3f}")


if __name__ == "__main__":
    main()
