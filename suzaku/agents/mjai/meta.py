"""What Mortal tells beside its answers in `meta`, told of our agents: the legal actions and their ratings.

Mortal numbers 46 actions: 37 discards, riichi, three chows, pong, kong, win, nine kinds, pass. Ours are finer: those
that share a number there take the best of their ratings.
"""

import numpy as np

from suzaku.riichi import actions as act
from suzaku.tiles import TILES

THEIRS = 46
RIICHI, CHOW, PONG, KONG, WIN, NINE_KINDS, PASS = 37, 38, 41, 42, 43, 44, 45


def their_number(action: int, drawn: int) -> int:
    """Mortal's number of an action."""
    if action < TILES:
        return action
    if action == act.DISCARD_DRAWN:
        return drawn
    if action < act.PONG:
        return RIICHI if action == act.RIICHI else CHOW + (action - act.CHOW_LOW) % 3
    if action < act.WIN_DRAW:
        return PONG if action <= act.PONG_RED else KONG
    return {act.NINE_KINDS: NINE_KINDS, act.PASS: PASS}.get(action, WIN)


def meta_of(record: np.record, legal: np.ndarray, ratings: np.ndarray | None, nanoseconds: int) -> dict:
    """The meta of an answer; an action that the agent did not weigh has the rating 0."""
    found: dict[int, float] = {}
    for action in np.flatnonzero(legal):
        rating = 0.0 if ratings is None or np.isnan(ratings[action]) else float(ratings[action])
        number = their_number(int(action), int(record.drawn))
        found[number] = max(rating, found.get(number, rating))
    meta: dict = {} if ratings is None else {"q_values": [round(found[number], 6) for number in sorted(found)]}
    meta["mask_bits"] = sum(1 << number for number in found)
    meta["shanten"] = int(record.shanten[record.seat])
    meta["eval_time_ns"] = nanoseconds
    return meta
