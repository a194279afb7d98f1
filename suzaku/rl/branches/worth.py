"""What the end of a round is worth by the reward predictor (Suphx 3.2), instead of its points."""

import numpy as np

from suzaku.learning.reward.predict import RewardModel
from suzaku.riichi.loops.rounds import SITUATION
from suzaku.riichi.state import GAME_OVER
from suzaku.rl.branches.rollouts import Worth


def predicted(model: RewardModel) -> Worth:
    """The predicted reward of the game after the round; the true one if it is over."""

    def worth(before: np.ndarray, ended: np.ndarray) -> np.ndarray:
        rows = np.zeros((len(ended), 2), SITUATION)
        for name in SITUATION.names or ():
            rows[name][:, 0], rows[name][:, 1] = before[name], ended[name]
        paid = (before["riichi"] > 0) & (before["riichi_due"][:, None] != np.arange(4))  # since the round began
        rows["scores"][:, 0] += 1000 * paid
        rows["sticks"][:, 0] -= paid.sum(1)
        found = np.stack([places[-1] for places in model.places(list(rows))]) @ model.rewards
        over = ended["phase"] == GAME_OVER
        found[over] = model.rewards[ended["ranks"][over]]
        return found

    return worth
