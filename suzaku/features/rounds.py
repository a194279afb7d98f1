"""What the reward predictor sees (Suphx, section 3.2): a row of numbers for each round of a game that was played.

The rows are those of `suzaku/records/stored.py`. The first one tells how the game stood before any round, so that the
predictor has something to say there too: the empty prefix.
"""

import numpy as np

from suzaku.features.groups import Group, size

ROUNDS = (
    Group("round_score", 4, "10,000 points", "won and lost in the last round, by seat"),
    Group("score", 4, "10,000 points", "accumulated score by seat"),
    Group("gap", 6, "tanh", "points ahead of the next, across and previous seat, in 2,000s; in 8,000s"),
    Group("next_dealer", 4, "one of", "dealer of the next round, by seat"),
    Group("next_round", 1, "eighths", "the next round, east 1 = 0"),
    Group("repeats", 1, "tens", "repeat counter of the next round"),
    Group("bets", 1, "tens", "riichi sticks on the table"),
)
SIZE = size(ROUNDS)
SEATS = np.arange(4)
GAPS = (2_000, 8_000)  # places turn on a few hundred points late in a game, on thousands early
ORDER = (SEATS[:, None] + SEATS) % 4  # by observer: the seats counted from it on


def encode_rounds(rows: np.ndarray) -> np.ndarray:
    """float32[..., 4, rows, 21] of situations [..., rows]: the rounds as each seat sees them, seats counted from it on.

    Counters are those of the round that comes next. Those the last round was played with, which the paper may mean as
    well, stand in the row before.
    """
    scores = rows["scores"] / np.float32(10_000)
    changes = np.diff(scores, axis=-2, prepend=scores[..., :1, :])
    out = np.zeros((*rows.shape[:-1], 4, rows.shape[-1], SIZE), np.float32)
    for seat in range(4):
        seen = out[..., seat, :, :]
        seen[..., 0:4] = changes[..., ORDER[seat]]
        seen[..., 4:8] = scores[..., ORDER[seat]]
        gaps = rows["scores"][..., seat : seat + 1] - rows["scores"][..., ORDER[seat, 1:]]
        for i, scale in enumerate(GAPS):
            seen[..., 8 + 3 * i : 11 + 3 * i] = np.tanh(gaps / np.float32(scale))
        seen[..., 14:18] = (rows["dealer"][..., None] - seat) % 4 == SEATS
        seen[..., 18] = rows["round_no"] / 8
        seen[..., 19] = rows["honba"] / 10
        seen[..., 20] = rows["sticks"] / 10
    return out
