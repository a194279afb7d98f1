"""The round-level features of the reward predictor."""

import numpy as np

from suzaku.learning.reward import SIZE, encode_rounds
from suzaku.riichi.game import SITUATION

ROWS = np.array(
    [
        (0, 0, 0, 0, (25000, 25000, 25000, 25000)),
        (1, 1, 0, 1, (33000, 16000, 25000, 25000)),
        (1, 1, 2, 0, (32000, 20000, 24000, 24000)),
    ],
    SITUATION,
)


def test_each_row_can_be_read_back():
    rows = encode_rounds(ROWS)[0]
    assert rows.shape == (3, SIZE)
    assert np.allclose(rows[:, :4] * 10_000, [[0] * 4, [8000, -9000, 0, 0], [-1000, 4000, -1000, -1000]], atol=0.01)
    assert np.allclose(rows[:, 4:8] * 10_000, ROWS["scores"])
    assert np.allclose(np.arctanh(rows[1:, 8:11]) * 2_000, [[17000, 8000, 8000], [12000, 8000, 8000]], rtol=0.02)
    assert np.allclose(np.arctanh(rows[1:, 11:14]) * 8_000, [[17000, 8000, 8000], [12000, 8000, 8000]], rtol=1e-3)
    assert rows[:, 14:18].argmax(1).tolist() == [0, 1, 1]
    assert (rows[:, 14:18].sum(1) == 1).all()
    assert np.allclose(rows[:, 18:], [[0, 0, 0], [1 / 8, 0, 0.1], [1 / 8, 0.2, 0]])


def test_seats_are_counted_from_the_observer():
    seen = encode_rounds(ROWS)
    for seat in range(4):
        assert np.array_equal(seen[seat, :, :4], np.roll(seen[0, :, :4], -seat, 1))
        assert np.array_equal(seen[seat, :, 4:8], np.roll(seen[0, :, 4:8], -seat, 1))
        assert seen[seat, :, 14:18].argmax(1).tolist() == [(-seat) % 4, (1 - seat) % 4, (1 - seat) % 4]
        assert np.array_equal(seen[seat, :, 18:], seen[0, :, 18:])


def test_many_games_are_encoded_like_one():
    both = np.stack([ROWS, ROWS[::-1]])
    assert np.array_equal(encode_rounds(both)[0], encode_rounds(ROWS))
    assert np.array_equal(encode_rounds(both)[1], encode_rounds(ROWS[::-1]))
