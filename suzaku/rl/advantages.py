"""Advantages: how much better than expected a decision turned out. The paper leaves open how A(s, a) is estimated.

A seat's decisions in a round are one sequence, and nothing is discounted. The reward of a decision is what comes from
there on: the same for all of a sequence if it is given at its end, less and less if every decision has its own.

- mean: the reward less the mean of all rewards.
- value: the reward less what a value network expected before the decision.
- gae: the value network's errors over the rest of the sequence, each weighed less by lambda a decision (Schulman et al.
  2016); lambda 1 is "value", lambda 0 looks one decision ahead.
"""

import numpy as np

from suzaku.kernel import kernel


@kernel
def _gae(sequence, value, reward, discount, out):
    """Decisions of one sequence stand one behind the other, in their order."""
    following = 0.0
    for i in range(len(sequence) - 1, -1, -1):
        last = i + 1 == len(sequence) or sequence[i + 1] != sequence[i]
        if last:
            error, following = reward[i] - value[i], 0.0
        else:
            error = reward[i] - reward[i + 1] + value[i + 1] - value[i]
        following = error + discount * following
        out[i] = following


def gae(sequence: np.ndarray, reward: np.ndarray, value: np.ndarray, discount: float) -> np.ndarray:
    """float32[n]: the value network's errors from each decision on, weighed by lambda (`discount`)."""
    out = np.empty(len(reward), np.float32)
    plain = np.ascontiguousarray(value, np.float32), np.ascontiguousarray(reward, np.float32)
    _gae(np.ascontiguousarray(sequence, np.int64), *plain, discount, out)
    return out


def advantages(
    method: str, sequence: np.ndarray, reward: np.ndarray, value: np.ndarray | None, discount: float
) -> np.ndarray:
    """float32[n]: of decisions in sequences (their numbers, equal ones together), with what comes from each on.

    They have mean 0 and deviation 1.
    """
    reward = np.ascontiguousarray(reward, np.float32)
    if method == "mean" or value is None:
        out = reward - reward.mean()
    elif method == "value":
        out = reward - value
    else:
        out = gae(sequence, reward, value, discount)
    return ((out - out.mean()) / max(1e-8, float(out.std()))).astype(np.float32)
