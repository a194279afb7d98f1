"""Random hands of all sizes, scattered ones and ones near completion."""

from random import Random

import numpy as np

SIZES = (13, 14, 10, 11, 7, 8, 4, 5, 1, 2)


def scattered(rng: Random, size: int) -> np.ndarray:
    """Tiles as they come from a wall."""
    return np.bincount([tile // 4 for tile in rng.sample(range(136), size)], minlength=34).astype(np.int8)


def near_complete(rng: Random, size: int) -> np.ndarray:
    """Melds and a pair, or pairs alone, up to three tiles replaced; of few kinds, so that some are held four times."""
    kinds = list(rng.choice((range(34), range(9), range(27, 34), rng.sample(range(34), 8))))
    counts = np.full(34, 9)
    while counts.max() > 4:
        counts[:] = 0
        counts[rng.choice(kinds)] += 2
        pairs = rng.random() < 0.2
        while counts.sum() < size:
            kind = rng.choice(kinds)
            if pairs:
                counts[kind] += 2
            elif kind < 27 and kind % 9 < 7 and rng.random() < 0.5:
                counts[kind : kind + 3] += 1
            else:
                counts[kind] += 3
    tiles = np.repeat(np.arange(34), counts).tolist()
    rng.shuffle(tiles)
    del tiles[max(0, size - rng.choice((0, 0, 1, 2, 3))) :]
    while len(tiles) < size:
        kind = rng.choice(kinds if rng.random() < 0.5 else range(34))
        if tiles.count(kind) < 4:
            tiles.append(kind)
    return np.bincount(tiles, minlength=34).astype(np.int8)


def random_hands(seed: int, n: int) -> list[np.ndarray]:
    """Half scattered, half near completion, of all sizes in turn."""
    rng = Random(seed)
    return [(scattered if i % 2 else near_complete)(rng, SIZES[i // 2 % len(SIZES)]) for i in range(n)]


def melds_beside(hand: np.ndarray) -> int:
    """How many melds stand beside a hand of this size."""
    return (14 - int(hand.sum())) // 3
