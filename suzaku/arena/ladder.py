"""Tenhou's ranking system: the levels of Table 6, and how high an agent would have climbed (its record rank).

The table as printed has the gains of east-only games beside the losses of hanchan. The gains here are those of the
game's length: with them a player keeps a level exactly where equation (7) says.
"""

import numpy as np

LEVELS = ("rookie", *(f"{kyu} kyu" for kyu in range(9, 0, -1)), *(f"{dan} dan" for dan in range(1, 11)), "phoenix")
ONE_DAN, TOP = 10, 20
BASE = np.array([0] * ONE_DAN + [200 * dan for dan in range(1, 11)] + [0])
PROMOTION = np.array([20, 20, 20, 20, 40, 60, 80, 100, 100, 100, *(400 * dan for dan in range(1, 11)), 0])
LOSS = np.array([0] * 8 + [10 * step for step in range(1, 13)] + [0])  # of the fourth place, east only
# rooms: normal up to 2 kyu, advanced up to 3 dan, then expert; the phoenix room does not admit programs
FIRST = np.array([20] * 9 + [40] * 4 + [50] * 8)  # east only
SECOND = np.array([10] * 9 + [10] * 4 + [20] * 8)
HANCHAN = 1.5  # gains and losses of a hanchan against those of an east-only game


def gains(level: np.ndarray, place: np.ndarray, hanchan: bool) -> np.ndarray:
    """Ranking points of a place (0 = first) at a level."""
    points = np.select([place == 0, place == 1, place == 3], [FIRST[level], SECOND[level], -LOSS[level]], 0)
    return points * (HANCHAN if hanchan else 1)


def climb(places: np.ndarray, hanchan: bool = True) -> np.ndarray:
    """The highest level (index in LEVELS) of players who begin as rookies: places int[games, players], 0 = first."""
    players = places.shape[1]
    level, highest = np.zeros(players, np.int64), np.zeros(players, np.int64)
    points = np.zeros(players)
    for place in places:
        points += gains(level, place, hanchan)
        up = (points >= PROMOTION[level]) & (level < TOP)
        down = (points < 0) & (level >= ONE_DAN) & (level < TOP)
        level += up.astype(np.int64) - down
        points = np.where(up | down, BASE[level], np.maximum(points, 0))
        np.maximum(highest, level, out=highest)
    return highest


def record_rank(counts: np.ndarray, hanchan: bool = True, players: int = 101, seed: int = 0) -> str:
    """The median record rank over random orders of an entrant's games (counts of its places, first to fourth)."""
    games = np.repeat(np.arange(4), counts)
    rng = np.random.default_rng(seed)
    orders = np.stack([rng.permutation(games) for _ in range(players)], 1)
    return LEVELS[int(np.median(climb(orders, hanchan)))]
