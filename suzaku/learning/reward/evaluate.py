"""How well rewards are predicted: squared errors and calibration with intervals, resampling whole games.

What is judged is what is said before a round: after the last one everybody can see what the game was worth.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from suzaku.learning.reward.games import Played

BINS = 10
TIMES = 2000  # resamplings


def _half(values: np.ndarray) -> np.ndarray:
    """Half the width of the 95 % interval of resampled figures."""
    low, high = np.percentile(values, [2.5, 97.5], axis=0)
    return (high - low) / 2


def _draws(games: int, seed: int = 0) -> np.ndarray:
    """[TIMES, games]: how often each game is drawn."""
    return np.random.default_rng(seed).multinomial(games, np.full(games, 1 / games), TIMES).astype(float)


def evaluate(predicted: Mapping[str, list[np.ndarray]], games: Played, rewards: np.ndarray) -> dict[str, Any]:
    """Figures of predictors by name, the one in question first: [rounds + 1, 4] of each game.

    The last row is left out. The error of a game is averaged over its rounds, as in equation (4), and its seats.
    """
    worth = rewards[games.ranks].astype(float)
    draws = _draws(len(games))
    errors = {
        name: np.array([((phi[:-1] - true) ** 2).mean() for phi, true in zip(found, worth, strict=True)])
        for name, found in predicted.items()
    }
    first, *others = errors
    out: dict[str, Any] = {
        "games": len(games),
        "situations": 4 * sum(len(table) - 1 for table in games.tables),
        "variance": float(rewards.var()),
        "squared_errors": {
            name: (float(error.mean()), float(_half(draws @ error / len(games)))) for name, error in errors.items()
        },
        "gains": {  # paired: by how much the first one's error is smaller
            name: (
                float((errors[name] - errors[first]).mean()),
                float(_half(draws @ (errors[name] - errors[first]) / len(games))),
            )
            for name in others
        },
    }
    phi = [found[:-1] for found in predicted[first]]
    out["calibration"] = _calibration(phi, worth, draws)
    out["by_round"] = _by_round(predicted, games, worth, draws)
    ended = np.array([((found[-1] - true) ** 2).mean() for found, true in zip(predicted[first], worth, strict=True)])
    out["after_the_last_round"] = (float(ended.mean()), float(_half(draws @ ended / len(games))))
    start = np.array([found[0] for found in predicted[first]])
    out["start"] = start.mean(0).tolist()
    out["sum_of_seats"] = float(np.abs(np.concatenate(phi).sum(1) - rewards.sum()).mean())
    return out


def _calibration(phi: list[np.ndarray], worth: np.ndarray, draws: np.ndarray) -> list[tuple[float, float, float, int]]:
    """In bins of equal size: mean prediction, mean reward, half the interval of their difference, situations."""
    flat = np.concatenate(phi).ravel()
    edges = np.quantile(flat, np.linspace(0, 1, BINS + 1)[1:-1])
    sums = np.zeros((len(phi), 3, BINS))
    for i, (said, true) in enumerate(zip(phi, worth, strict=True)):
        cell = np.searchsorted(edges, said.ravel())
        for j, value in enumerate((said, np.broadcast_to(true, said.shape), np.ones(said.shape))):
            sums[i, j] = np.bincount(cell, value.ravel(), BINS)
    drawn = np.einsum("tg,gjb->tjb", draws, sums)
    half = _half((drawn[:, 1] - drawn[:, 0]) / np.maximum(1, drawn[:, 2]))
    rows = zip(*sums.sum(0), half, strict=True)
    return [(float(said / n), float(true / n), float(wide), int(n)) for said, true, n, wide in rows if n]


def _by_round(
    predicted: Mapping[str, list[np.ndarray]], games: Played, worth: np.ndarray, draws: np.ndarray
) -> dict[str, dict[str, tuple[float, float]]]:
    """The squared errors before each round, the later ones together."""
    out: dict[str, dict[str, tuple[float, float]]] = {}
    for number in range(9):
        of = [np.minimum(table["round_no"][:-1], 8) == number for table in games.tables]
        count = np.array([rows.sum() for rows in of], float)
        if not count.any():
            continue
        row = out[str(number)] = {}
        for name, found in predicted.items():
            parts = zip(found, of, worth, strict=True)
            error = np.array([((phi[:-1][rows] - true) ** 2).mean(1).sum() for phi, rows, true in parts])
            row[name] = (
                float(error.sum() / count.sum()),
                float(_half(draws @ error / np.maximum(1, draws @ count))),
            )
    return out
