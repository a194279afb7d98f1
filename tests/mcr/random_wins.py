"""Random wins of every fan, as arrays: what the judge of fans, the frozen answers and the benchmark are fed."""

from itertools import permutations
from random import Random

import numpy as np

from suzaku.mcr import state as how
from suzaku.mcr.set_fans import GREEN, LOWER, LOWER_FOUR, MIDDLE, REVERSIBLE, UPPER, UPPER_FOUR
from suzaku.mcr.state import ADDED_KONG, CHOW, CLOSED_KONG, OPEN_KONG, PONG
from suzaku.tiles import ORPHANS, TERMINALS

Set = tuple[int, int]  # CHOW or PONG, and the lowest kind
CHOWS = [9 * suit + n for suit in range(3) for n in range(7)]
HONOURS = range(27, 34)


def _kinds(mask: int) -> list[int]:
    return [kind for kind in range(34) if mask >> kind & 1]


POOLS = {
    "any": list(range(34)),
    "suits": list(range(27)),
    "green": _kinds(GREEN),
    "reversible": _kinds(REVERSIBLE),
    "upper": _kinds(UPPER),
    "middle": _kinds(MIDDLE),
    "lower": _kinds(LOWER),
    "upper four": _kinds(UPPER_FOUR),
    "lower four": _kinds(LOWER_FOUR),
    "terminals": _kinds(TERMINALS),
    "orphans": _kinds(ORPHANS),
    "honours": list(HONOURS),
    "winds": list(range(27, 31)),
    "evens": [9 * suit + n for suit in range(3) for n in (1, 3, 5, 7)],
    "fives": [9 * suit + n for suit in range(3) for n in (2, 3, 4, 5, 6)],
}


def _pool(rng: Random) -> list[int]:
    """The kinds a hand is made of."""
    name = rng.choice((*POOLS, "any", "any", "flush", "half flush", "two suits"))
    if name in POOLS:
        return POOLS[name]
    suit = [9 * rng.randrange(3) + n for n in range(9)]
    if name == "flush":
        return suit
    if name == "half flush":
        return suit + list(HONOURS)
    return suit + [9 * rng.randrange(3) + n for n in range(9)]


def _random_sets(rng: Random) -> tuple[list[Set], int]:
    """Four sets and a pair of one pool, with more chows or more pungs."""
    pool = _pool(rng)
    share = rng.choice((0, 0.3, 0.7, 1))
    chows = [k for k in pool if k in CHOWS and k + 1 in pool and k + 2 in pool]
    sets = [(CHOW, rng.choice(chows)) if chows and rng.random() < share else (PONG, rng.choice(pool)) for _ in range(4)]
    return sets, rng.choice(pool)


def _related_sets(rng: Random) -> tuple[list[Set], int]:
    """Two to four sets that stand in some relation, the others at random."""
    suits = rng.sample(range(3), 3) if rng.random() < 0.5 else [rng.randrange(3)] * 3
    kind = rng.choice((CHOW, CHOW, PONG))
    step = rng.choice((0, 1, 2, 3))
    n = rng.choice((2, 3, 3, 4))
    last = (6 if kind == CHOW else 8) - step * (n - 1)
    first = rng.randrange(last + 1) if last >= 0 else 0
    sets = [(kind, 9 * suits[i % 3] + min(first + step * i, 6 if kind == CHOW else 8)) for i in range(n)]
    near = [9 * suit + m for suit in {*suits} for m in range(7)] if rng.random() < 0.7 else CHOWS
    while len(sets) < 4:
        sets.append((CHOW, rng.choice(near)) if rng.random() < 0.7 else (PONG, rng.randrange(34)))
    return sets, rng.randrange(34)


def _honour_sets(rng: Random) -> tuple[list[Set], int]:
    """Sets of dragons and winds."""
    few = list(range(27, 31)) if rng.random() < 0.5 else list(range(31, 34))
    pungs = rng.sample(few, rng.choice((2, 3, 3, 4)) if len(few) == 4 else rng.choice((2, 3)))
    left = [k for k in few if k not in pungs]
    pair = rng.choice(left) if left and rng.random() < 0.6 else rng.randrange(34)
    sets = [(PONG, k) for k in pungs]
    while len(sets) < 4:
        sets.append((CHOW, rng.choice(CHOWS)) if rng.random() < 0.5 else (PONG, rng.randrange(34)))
    return sets, pair


def _terminal_chows(rng: Random) -> tuple[list[Set], int]:
    a, b, c = rng.sample(range(3), 3)
    if rng.random() < 0.5:
        b = c = a
    return [(CHOW, 9 * a), (CHOW, 9 * a + 6), (CHOW, 9 * b), (CHOW, 9 * b + 6)], 9 * c + 4


def _plain_sets(rng: Random) -> tuple[list[Set], int]:
    """Little but chows of three suits, one pung and a pair of honours: some are Chicken Hands."""
    suits = rng.sample(range(3), 3)
    sets = [(CHOW, 9 * suit + rng.randrange(7)) for suit in suits]
    return [*sets, (PONG, 9 * rng.randrange(3) + rng.randrange(1, 8))], rng.choice(HONOURS)


def _knitted(rng: Random) -> list[int]:
    way = rng.choice(list(permutations(range(3))))
    return [9 * suit + first + 3 * i for first, suit in enumerate(way) for i in range(3)]


def _concealed(rng: Random) -> list[int]:
    """The tiles of a hand that must be concealed."""
    style = rng.choice(("pairs", "pairs", "shifted", "orphans", "lesser", "greater", "gates"))
    suit = 9 * rng.randrange(3)
    if style == "pairs":
        pool = _pool(rng)
        return [k for k in (rng.choice(pool) for _ in range(7)) for _ in range(2)]
    if style == "shifted":
        first = suit + rng.randrange(3)
        return [k for k in range(first, first + 7) for _ in range(2)]
    if style == "orphans":
        return [*POOLS["orphans"], rng.choice(POOLS["orphans"])]
    if style == "lesser":
        return rng.sample(_knitted(rng) + list(HONOURS), 14)
    if style == "greater":
        return rng.sample(_knitted(rng), 7) + list(HONOURS)
    return [suit + k for k in (0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, rng.randrange(9))]


def _meld_type(rng: Random, what: int, kongs: float) -> int:
    if what == CHOW:
        return CHOW
    return rng.choice((OPEN_KONG, CLOSED_KONG, CLOSED_KONG, ADDED_KONG)) if rng.random() < kongs else PONG


def _hand(rng: Random) -> tuple[list[int], list[Set]]:
    """Concealed tiles and melds."""
    if rng.random() < 0.12:
        return _concealed(rng), []
    if rng.random() < 0.08:
        sets, pair = _random_sets(rng)
        tiles, sets = _knitted(rng), sets[:1]
    else:
        build = rng.choice(
            (_random_sets, _random_sets, _related_sets, _related_sets, _related_sets, _honour_sets, _plain_sets)
        )
        sets, pair = (_terminal_chows if rng.random() < 0.04 else build)(rng)
        tiles = []
    tiles = [*tiles, pair, pair]
    shown, kongs = rng.choice((0, 0.3, 0.6, 1)), rng.choice((0, 0, 0.2, 0.8))
    melds = []
    rng.shuffle(sets)
    for what, kind in sets:
        if rng.random() < shown:
            melds.append((_meld_type(rng, what, kongs), kind))
        else:
            tiles += [kind, kind + 1, kind + 2] if what == CHOW else [kind] * 3
    return tiles, melds


def _flags(rng: Random, kongs: int) -> int:
    found = how.SELF_DRAWN if rng.random() < 0.4 else 0
    found |= how.LAST_TILE if rng.random() < 0.05 else 0
    found |= how.FOURTH_TILE if rng.random() < 0.05 else 0
    if found & how.SELF_DRAWN:
        return found | (how.AFTER_KONG if rng.random() < (0.3 if kongs else 0.02) else 0)
    return found | (how.ROBBING_KONG if rng.random() < 0.05 else 0)


def _fits(tiles: list[int], melds: list[Set]) -> bool:
    """Whether there are enough tiles."""
    every = list(tiles)
    for what, kind in melds:
        every += [kind, kind + 1, kind + 2] if what == CHOW else [kind] * (3 if what == PONG else 4)
    return max(np.bincount(every, minlength=34)) <= 4


def random_wins(seed: int, n: int) -> dict[str, np.ndarray]:
    """Wins as `evaluate_many` takes them."""
    rng = Random(seed)
    counts, kinds = np.zeros((n, 34), np.uint8), np.zeros((n, 4), np.int8)
    types = np.full((n, 4), -1, np.int8)
    wins, flags = np.zeros(n, np.int8), np.zeros(n, np.int16)
    winds = np.array([rng.randrange(16) for _ in range(n)], np.int8)
    for i in range(n):
        tiles, melds = _hand(rng)
        while not _fits(tiles, melds):
            tiles, melds = _hand(rng)
        for j, (what, kind) in enumerate(melds):
            types[i, j], kinds[i, j] = what, kind
        for kind in tiles:
            counts[i, kind] += 1
        wins[i] = rng.choice(tiles)
        flags[i] = _flags(rng, sum(what > PONG for what, _ in melds))
    return {
        "counts": counts, "wins": wins, "meld_types": types, "meld_kinds": kinds, "flags": flags,
        "seat_winds": winds % 4, "round_winds": winds // 4,
    }  # fmt: skip


def random_hands(seed: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Counts of hands of 3n+1 tiles at some distance from a win, and how many melds stand beside each."""
    rng = Random(seed)
    counts, melds = np.zeros((n, 34), np.uint8), np.zeros(n, np.int8)
    for i in range(n):
        tiles, _ = _hand(rng)
        while not _fits(tiles, []):
            tiles, _ = _hand(rng)
        rng.shuffle(tiles)
        size = len(tiles) - 1
        del tiles[max(0, size - rng.choice((0, 0, 1, 2, 4, 13))) :]
        while len(tiles) < size:
            kind = rng.randrange(34)
            if tiles.count(kind) < 4:
                tiles.append(kind)
        counts[i] = np.bincount(tiles, minlength=34)
        melds[i] = (13 - size) // 3
    return counts, melds
