"""Two naive predictors of what a game will be worth, to measure the network against. Both are fitted to games."""

from typing import Protocol

import numpy as np

from suzaku.learning.reward.games import Played

ROUNDS = 12  # east 1 to west 4; later ones count as the last


class Predictor(Protocol):
    """Something that says what a game is worth to each seat, from how it stands."""

    def __call__(self, rows: np.ndarray) -> np.ndarray:
        """float64[rows, 4] of situations [rows]."""


def places_now(scores: np.ndarray) -> np.ndarray:
    """The places of the seats by scores [..., 4]; ties go to the earlier seat, as at the end of a game."""
    order = np.argsort(-scores, axis=-1, kind="stable")
    return np.argsort(order, axis=-1, kind="stable")


def _joined(games: Played, rewards: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All situations before a round of some games, and what the games were worth to each seat."""
    rows = np.concatenate([table[:-1] for table in games.tables])
    counts = [len(table) - 1 for table in games.tables]
    return rows, rewards[np.repeat(games.ranks, counts, axis=0)].astype(float)


def _round_of(rows: np.ndarray) -> np.ndarray:
    return np.minimum(rows["round_no"], ROUNDS - 1)


def by_place(games: Played, rewards: np.ndarray) -> Predictor:
    """The mean reward of whoever was in this place before this round."""
    rows, worth = _joined(games, rewards)
    cell = _round_of(rows)[:, None] * 4 + places_now(rows["scores"])
    count = np.bincount(cell.ravel(), minlength=4 * ROUNDS)
    mean = np.bincount(cell.ravel(), worth.ravel(), 4 * ROUNDS) / np.maximum(1, count)

    def predict(rows: np.ndarray) -> np.ndarray:
        return mean[_round_of(rows)[:, None] * 4 + places_now(rows["scores"])]

    return predict


def _numbers(rows: np.ndarray) -> np.ndarray:
    """[rows, 4 seats, 9]: a one, the scores counted from the seat on, and who is dealer."""
    seats = np.arange(4)
    order = (seats[:, None] + seats) % 4
    dealer = (rows["dealer"][:, None, None] - seats[:, None]) % 4 == seats
    ones = np.ones((len(rows), 4, 1))
    return np.concatenate([ones, rows["scores"][:, order] / 10_000, dealer], axis=2)


def linear(games: Played, rewards: np.ndarray) -> Predictor:
    """Linear in the points of all four seats, with a bonus for who is dealer; fitted for each round of its own."""
    rows, worth = _joined(games, rewards)
    weights = np.zeros((ROUNDS, 9))
    for number in range(ROUNDS):
        of = _round_of(rows) == number
        if of.any():
            weights[number] = np.linalg.lstsq(_numbers(rows[of]).reshape(-1, 9), worth[of].ravel(), rcond=None)[0]

    def predict(rows: np.ndarray) -> np.ndarray:
        return np.einsum("rsn,rn->rs", _numbers(rows), weights[_round_of(rows)])

    return predict
