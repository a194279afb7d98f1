"""The round-level features of the reward predictor."""

import numpy as np

from suzaku.features.rounds import SIZE, encode_rounds

CHANGES = np.array([[8000, -8000, 0, 0], [-1000, 3000, -1000, -1000]])
SCORES = np.array([[33000, 17000, 25000, 25000], [32000, 20000, 24000, 24000]])


def test_each_round_is_a_row_that_can_be_read_back():
    rows = encode_rounds(CHANGES, SCORES, np.array([0, 1]), np.array([0, 1]), np.array([0, 2]), np.array([1, 0]))
    assert rows.shape == (2, SIZE)
    assert np.allclose(rows[:, :4] * 10_000, CHANGES)
    assert np.allclose(rows[:, 4:8] * 10_000, SCORES)
    assert rows[:, 8:12].argmax(1).tolist() == [0, 1]
    assert (rows[:, 8:12].sum(1) == 1).all()
    assert np.allclose(rows[:, 12:], [[0, 0, 0.1], [1 / 8, 0.2, 0]])


def test_seats_are_counted_from_the_observer():
    dealers, zeros = np.array([0, 1]), np.zeros(2)
    rows = encode_rounds(CHANGES, SCORES, dealers, zeros, zeros, zeros, seat=1)
    assert np.allclose(rows[:, :4] * 10_000, np.roll(CHANGES, -1, 1))
    assert np.allclose(rows[:, 4:8] * 10_000, np.roll(SCORES, -1, 1))
    assert rows[:, 8:12].argmax(1).tolist() == [3, 0]
