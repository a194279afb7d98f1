"""Advantages against the plain sums of their definitions."""

import numpy as np
import pytest

from suzaku.rl.policy_gradient import advantages


def plain(sequence, reward, value, discount):
    """Sum of the errors of the rest of the sequence, the k-th times discount ** k."""
    out = np.zeros(len(sequence))
    for i in range(len(sequence)):
        rest = [j for j in range(i, len(sequence)) if sequence[j] == sequence[i]]
        after = [value[j] for j in rest[1:]] + [reward[i]]
        out[i] = sum(discount**k * (after[k] - value[j]) for k, j in enumerate(rest))
    return out


@pytest.mark.parametrize("discount", [0.0, 0.5, 0.95, 1.0])
def test_gae(discount):
    rng = np.random.default_rng(1)
    sequence = np.repeat(np.arange(6), [1, 4, 2, 5, 3, 1])
    reward = rng.normal(size=6)[sequence].astype(np.float32)
    value = rng.normal(size=len(sequence)).astype(np.float32)
    wanted = plain(sequence, reward, value, discount)
    found = advantages("gae", sequence, reward, value, discount)
    assert found == pytest.approx((wanted - wanted.mean()) / wanted.std(), abs=1e-4)
    if discount == 1:  # all errors in full: the reward less the value
        assert found == pytest.approx(advantages("value", sequence, reward, value, 0.3), abs=1e-4)


def test_the_mean_is_taken_off():
    found = advantages("mean", np.arange(3), np.array([1.0, 2.0, 6.0]), None, 1.0)
    assert found.mean() == pytest.approx(0, abs=1e-6)
    assert found.std() == pytest.approx(1, abs=1e-5)
    assert found[0] < found[1] < found[2]
