"""The round-level features of the reward predictor (Suphx, section 3.2): one row for each finished round of a game."""

import numpy as np

ROUND_FEATURES = (  # name, count
    ("round score by seat, in 10,000 points", 4),
    ("accumulated score by seat, in 10,000 points", 4),
    ("dealer, one of four seats", 4),
    ("round, east 1 = 0, in eights", 1),
    ("repeat counter, in tens", 1),
    ("riichi sticks on the table, in tens", 1),
)
SIZE = sum(count for _, count in ROUND_FEATURES)


def encode_rounds(
    changes: np.ndarray,
    scores: np.ndarray,
    dealers: np.ndarray,
    rounds: np.ndarray,
    honba: np.ndarray,
    sticks: np.ndarray,
    seat: int = 0,
) -> np.ndarray:
    """float32[k, 15] for k rounds as one seat sees them, seats counted from it on.

    `changes` int[k, 4] are the points won and lost in each round, `scores` int[k, 4] those after it; dealer, round,
    repeat counter and sticks are those the round was played with.
    """
    order = (seat + np.arange(4)) % 4
    k = len(changes)
    out = np.zeros((k, SIZE), np.float32)
    out[:, 0:4] = np.asarray(changes)[:, order] / 10_000
    out[:, 4:8] = np.asarray(scores)[:, order] / 10_000
    out[np.arange(k), 8 + (np.asarray(dealers) - seat) % 4] = 1
    out[:, 12] = np.asarray(rounds) / 8
    out[:, 13] = np.asarray(honba) / 10
    out[:, 14] = np.asarray(sticks) / 10
    return out
