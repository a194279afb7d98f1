"""Uma: the final points of a game, with the bonus of each place."""

import numpy as np

from suzaku.riichi.rules import Rules


def final_points(rules: Rules, scores: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """Final points in thousands, with uma and the first place's bonus, of scores and ranks in the last axis."""
    oka = 4 * (rules.return_score - rules.start_score) / 1000
    bonus = np.array(rules.uma, float) + np.array([oka, 0, 0, 0])
    return (np.asarray(scores) - rules.return_score) / 1000 + bonus[np.asarray(ranks)]
