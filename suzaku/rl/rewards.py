"""What a round was worth to each seat: its points, or the change of the predicted reward of the game (Suphx 3.2)."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from suzaku.networks.info import Info
from suzaku.records.stored import Stored
from suzaku.rl.trajectories import Decisions

POINTS = 4_000.0  # about the deviation of a round's points in Riichi: rewards are of the order of 1


class Predictor(Protocol):
    """A reward predictor; see `suzaku/learning/reward/predict.py`."""

    unit: float
    info: Info  # what its checkpoint says

    def of_games(self, games: Sequence[Stored]) -> list[np.ndarray]:
        """Of each game float32[rounds + 1, 4]: the reward predicted before every round, and at the end."""


def round_rewards(decisions: Decisions, points: float = POINTS) -> list[np.ndarray]:
    """Of each game float32[rounds, 4]: the points that each round brought each seat, in units of `points`."""
    return [np.diff(scores, axis=0).astype(np.float32) / points for scores in decisions.scores]


def global_rewards(predictor: Predictor, games: Sequence[Stored]) -> list[np.ndarray]:
    """Of each game float32[rounds, 4]: Phi(x_k) - Phi(x_{k-1})."""
    return [np.diff(phi, axis=0).astype(np.float32) / predictor.unit for phi in predictor.of_games(games)]


def against_others(rewards: list[np.ndarray], walls: Sequence[str]) -> list[np.ndarray]:
    """Rewards of single rounds, each less the mean of the same seat in the other plays of its wall."""
    _, wall, plays = np.unique(np.asarray(walls), return_inverse=True, return_counts=True)
    found = np.stack([one[0] for one in rewards])
    total = np.zeros((len(plays), 4), np.float32)
    np.add.at(total, wall, found)
    others = (total[wall] - found) / np.maximum(1, plays[wall] - 1)[:, None]
    return list((found - others)[:, None])


def reward_of(decisions: Decisions, rewards: list[np.ndarray]) -> np.ndarray:
    """The reward of the round and seat of every decision."""
    rounds = [len(one) for one in rewards]
    start = np.cumsum([0, *rounds[:-1]])
    return np.concatenate(rewards)[start[decisions.game] + decisions.round, decisions.seat]
