"""From what networks say to actions: which discard throws a kind, and a draw from a policy."""

import numpy as np

from suzaku.riichi import actions as act
from suzaku.tiles import KIND_OF, RED

NINE_KINDS_FROM = 11  # with so many kinds of terminals and honours, rather try the thirteen orphans
TERMINALS = np.array([kind >= 27 or kind % 9 in (0, 8) for kind in range(34)])


def discard_of_kind(records: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """The action that throws each kind, or -1: int64[n, 34].

    A red five is kept if another five can go; of two like tiles the one just drawn goes.
    """
    out = np.full((len(records), 34), -1, np.int64)
    for tile in range(RED + 2, -1, -1):  # red fives first, so that plain ones take their place
        rows = np.flatnonzero(legal[:, tile])
        out[rows, KIND_OF[tile]] = tile
    rows = np.flatnonzero(legal[:, act.DISCARD_DRAWN])
    drawn = records["drawn"][rows]
    kind = KIND_OF[drawn]
    take = (drawn < RED) | (out[rows, kind] < 0) | (out[rows, kind] >= RED)
    out[rows[take], kind[take]] = act.DISCARD_DRAWN
    return out


def wants_nine_kinds(records: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """Where to abort with nine kinds: bool[n]."""
    hands = records["hand"][np.arange(len(records)), records["seat"]]
    return legal[:, act.NINE_KINDS] & (((hands > 0) & TERMINALS).sum(1) < NINE_KINDS_FROM)


def draw(policy: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """The action that a number in [0, 1) draws from each row of a policy: int64[n]."""
    reached = policy.cumsum(1, dtype=np.float64)
    return (reached > (numbers * reached[:, -1])[:, None]).argmax(1)
