"""The look-ahead's targets as a chance to win, fitted to what came of them: `benchmarks/mcr_win_chance.py`.

Targets share tiles, more are found later, and others play too, so that taking them as independent says too much of
near hands and too little of far ones.
"""

import numpy as np

FARTHEST = 5  # tiles short; hands that are farther away are taken as this far
# by tiles short: constant, weight of the logarithm of the hazard, weight of the tiles left in the walls
COEFFICIENTS = np.array(
    [
        [-1.155, 0.273, 0.0259],
        [-2.471, 0.229, 0.0292],
        [-3.932, 0.276, 0.0435],
        [-3.743, -0.020, 0.0317],
        [-2.072, 0.122, 0.0098],
    ]
)


def inputs(hazard: float, left: float) -> np.ndarray:
    """What the coefficients weigh; `hazard` is minus the logarithm of reaching no target, were they independent."""
    return np.array([1.0, np.log(max(hazard, 1e-4)), left])


def win_chance(hazard: float, distance: int, left: int) -> float:
    """The chance to win of a hand so many tiles short, with so many tiles left in the walls."""
    row = COEFFICIENTS[min(max(distance, 1), FARTHEST) - 1]
    return float(1.0 / (1.0 + np.exp(-row @ inputs(hazard, left))))
