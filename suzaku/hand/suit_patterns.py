"""The complete patterns of one suit, and how far every key is from them: what the look-up tables are made of."""

import numpy as np

from suzaku.kernel import kernel

SUIT_KEYS = 5**9
HONOUR_KEYS = 5**7
POW5 = np.array([5**i for i in range(9)], np.int32)
READINGS = 200_000  # more than there are of a suit

# A reading, packed: bits 0-8 triplets, 9-29 how often a run starts at each of 7 places (3 bits each), 30-33 pair + 1.
RUN_SHIFT, PAIR_SHIFT = 9, 30
TRIPLETS = (1 << RUN_SHIFT) - 1


@kernel
def _complete(pair, triplets, runs, counts):
    """Fill the counts of a reading. Returns whether no count is over four."""
    counts[:] = 0
    if pair >= 0:
        counts[pair] += 2
    for i in range(9):
        if (triplets >> i) & 1:
            counts[i] += 3
    for i in range(7):
        n = (runs >> (3 * i)) & 7
        counts[i] += n
        counts[i + 1] += n
        counts[i + 2] += n
    return counts.max() <= 4


@kernel
def _fill_readings(places, use_runs, out_key, out_reading, out_size):
    """Every reading of at most four melds and at most one pair that fits into a suit of `places` kinds."""
    counts = np.zeros(9, np.int64)
    runs_of = np.zeros(20000, np.int64)
    n_runs = 1
    size_of = np.zeros(20000, np.int64)
    if use_runs:
        start = 0
        for size in range(4):  # all multisets of up to four runs, built one run at a time in order
            end = n_runs
            for i in range(start, end):
                for place in range(7):
                    if (runs_of[i] >> (3 * (place + 1))) == 0:
                        runs_of[n_runs] = runs_of[i] + (1 << (3 * place))
                        size_of[n_runs] = size + 1
                        n_runs += 1
            start = end
    n = 0
    for triplets in range(1 << places):
        size = 0
        for i in range(places):
            size += (triplets >> i) & 1
        if size > 4:
            continue
        for i in range(n_runs):
            if size + size_of[i] > 4:
                continue
            for pair in range(-1, places):
                if not _complete(pair, triplets, runs_of[i], counts):
                    continue
                key = 0
                for k in range(9):
                    key = key + counts[k] * POW5[k]
                out_key[n] = key
                out_reading[n] = triplets | (runs_of[i] << RUN_SHIFT) | ((pair + 1) << PAIR_SHIFT)
                out_size[n] = size + size_of[i] + (5 if pair >= 0 else 0)
                n += 1
    return n


@kernel
def _fill_distances(places, keys, sizes, n, out):
    """out[key, j] and out[key, 5 + j]: tiles short of j melds, without and with a pair."""
    total = 5**places
    out[:] = 99
    for i in range(n):
        out[keys[i], sizes[i]] = 0
    for key in range(total):  # what holds a complete pattern is no tile short of it
        for k in range(places):
            if (key // POW5[k]) % 5 > 0:
                for j in range(10):
                    if out[key - POW5[k], j] == 0:
                        out[key, j] = 0
    for key in range(total - 1, -1, -1):  # otherwise one more than the best tile to add leaves
        for k in range(places):
            if (key // POW5[k]) % 5 < 4:
                for j in range(10):
                    d = out[key + POW5[k], j] + 1
                    if d < out[key, j]:
                        out[key, j] = d


@kernel
def join_distances(vectors, n, bare, paired):
    """The distances of every two classes taken together."""
    for a in range(n):
        for b in range(n):
            x = np.uint64(0)
            y = np.uint64(0)
            for j in range(5):
                low = 99
                low_pair = 99
                for i in range(j + 1):
                    low = min(low, vectors[a, i] + vectors[b, j - i])
                    low_pair = min(low_pair, vectors[a, i] + vectors[b, 5 + j - i])
                    low_pair = min(low_pair, vectors[a, 5 + i] + vectors[b, j - i])
                x |= np.uint64(low) << np.uint64(8 * j)
                y |= np.uint64(low_pair) << np.uint64(8 * j)
            bare[a, b] = x
            paired[a, b] = y


def list_readings(places: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Keys, packed readings and sizes (melds, and 5 for a pair) of the complete patterns of a suit or the honours."""
    keys, readings, sizes = (np.zeros(READINGS, np.int64) for _ in range(3))
    n = _fill_readings(places, places == 9, keys, readings, sizes)
    return keys[:n], readings[:n], sizes[:n]


def list_distances(places: int, keys: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """int8[5**places, 10]: tiles that each key is short of j melds, without and with a pair, by these patterns."""
    out = np.empty((5**places, 10), np.int8)
    _fill_distances(places, keys, sizes, len(keys), out)
    return out


def to_classes(suit: np.ndarray, honour: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different vectors of ten distances, and which of them each key of a suit and then of the honours has."""
    radix = np.uint64(64) ** np.arange(10, dtype=np.uint64)
    codes, classes = np.unique(np.concatenate([suit, honour]).astype(np.uint64) @ radix, return_inverse=True)
    return (codes[:, None] // radix % np.uint64(64)).astype(np.int64), classes
