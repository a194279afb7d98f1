"""The simplest player of MCR with an aim: towards a complete hand, concealed, and a win when it makes the minimum."""

import numpy as np

from suzaku.agents.agent import Agent, Answers
from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.mcr import actions as act
from suzaku.mcr.hidden import count_seen
from suzaku.mcr.shanten import shanten


class ShantenAgent(Agent):
    """Wins when it can, claims nothing else, and throws what leaves most unseen tiles that bring it nearer."""

    name = "shanten"
    game = "mcr"

    def act(self, records: np.ndarray, legal: np.ndarray, streams: np.ndarray | None = None) -> Answers:
        """The action nearest to a complete hand."""
        actions = np.empty(len(records), np.int64)
        _choose_many(hand_tables(), records, legal, actions)
        return Answers(actions)


@kernel
def choose(tables, s, legal):
    """The action of the asked seat, one of the legal ones."""
    if legal[act.WIN]:
        return act.WIN
    if legal[act.PASS]:
        return act.PASS
    p = s.seat
    hand = s.hand[p].copy()
    melds = s.melds[p]
    seen = np.zeros(34, np.uint8)
    count_seen(s, p, seen)
    nearest = 99
    for kind in range(34):
        if legal[kind]:
            hand[kind] -= 1
            nearest = min(nearest, shanten(tables, hand, melds))
            hand[kind] += 1
    best, most = -1, -1
    for kind in range(34):
        if not legal[kind]:
            continue
        hand[kind] -= 1
        if shanten(tables, hand, melds) == nearest:
            useful = _useful(tables, hand, melds, seen, nearest)
            if useful > most:
                best, most = kind, useful
        hand[kind] += 1
    return best


@kernel
def _useful(tables, hand, melds, seen, now):
    """Unseen tiles that lower the shanten of a hand."""
    tiles = 0
    for kind in range(34):
        if seen[kind] < 4:
            hand[kind] += 1
            if shanten(tables, hand, melds) < now:
                tiles += 4 - seen[kind]
            hand[kind] -= 1
    return tiles


@kernel
def _choose_many(tables, records, legal, out):
    for i in range(records.shape[0]):
        out[i] = choose(tables, records[i], legal[i])
