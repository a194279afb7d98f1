"""Knitted tiles: 147 of one suit, 258 of another, 369 of the third, in six ways."""

from itertools import permutations

import numpy as np

from suzaku.hand.tables import POW5

_WAYS = [[(suit, first + 3 * i) for first, suit in enumerate(way) for i in range(3)] for way in permutations(range(3))]
KNITTED = np.array([sum(1 << 9 * suit + n for suit, n in way) for way in _WAYS], np.int64)  # masks of the nine kinds
KNITTED_KEYS = np.array([[sum(POW5[n] for s, n in way if s == suit) for suit in range(3)] for way in _WAYS], np.int64)
