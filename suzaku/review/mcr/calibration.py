"""The look-ahead's targets as a chance to win, fitted to what came of them: `benchmarks/mcr_win_chance.py`.

Targets share tiles, more are found later, and others play too, so that taking them as independent says too much of
near hands and too little of far ones.
"""

import numpy as np

FARTHEST = 5  # tiles short; hands that are farther away are taken as this far
# by tiles short: constant, weight of the logarithm of the hazard, weight of the tiles left in the walls
COEFFICIENTS = np.array(
    [
        [-1.4122, 0.6616, 0.0313],
        [-2.6889, 0.5223, 0.0353],
        [-4.3072, 0.4153, 0.0505],
        [-5.6378, 0.3624, 0.0626],
        [-3.1525, 0.4379, 0.0263],
    ]
)


def inputs(hazard: float, left: float) -> np.ndarray:
    """What the coefficients weigh; `hazard` is minus the logarithm of reaching no target, were they independent."""
    return np.array([1.0, np.log(max(hazard, 1e-4)), left])


def win_chance(hazard: float, distance: int, left: int) -> float:
    """The chance to win of a hand so many tiles short, with so many tiles left in the walls."""
    row = COEFFICIENTS[min(max(distance, 1), FARTHEST) - 1]
    return float(1.0 / (1.0 + np.exp(-row @ inputs(hazard, left))))
