"""The simplest players: random, tsumogiri, and those that only hurry towards a win.

- A simple player that goes straight for the win: fast enough to fill tables, too bold to be good.
- The simplest players: random, tsumogiri, and one that only hurries towards a win.
"""

import numpy as np

from suzaku.agents.agent import Agent, Answers, random_numbers
from suzaku.hand.shanten import shanten_keys
from suzaku.hand.tables import POW5
from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.riichi import actions as act
from suzaku.riichi.redraw import fill_unseen
from suzaku.riichi.state import INDICATORS
from suzaku.tiles import DORA_OF, KIND_OF, RED

# It wins when it can, declares riichi when it can, and otherwise throws the tile that leaves its hand nearest to a
# win, with most unseen tiles that bring it nearer still. It opens its hand only with a triplet that is a yaku by
# itself; from then on it calls whatever brings it nearer. It never folds.

ACCEPT, CHEAP = 1000, 10  # weights of an accepting tile and of a tile's own worth; a step nearer outweighs both
NEARER = 1_000_000


@kernel
def choose(tables, s, legal):
    """The action of the asked seat, one of the legal ones."""
    if legal[act.WIN_DRAW]:
        return act.WIN_DRAW
    if legal[act.WIN_DISCARD]:
        return act.WIN_DISCARD
    if legal[act.NINE_KINDS]:
        return act.NINE_KINDS
    if legal[act.RIICHI]:
        return act.RIICHI
    if legal[act.PASS]:
        return _claim(tables, s, legal)
    p = s.seat
    keys = s.key[p]
    before = shanten_keys(tables, keys[0], keys[1], keys[2], keys[3], s.melds[p])
    for kind in range(34):
        if legal[act.CLOSED_KONG + kind] and _without(tables, keys, kind, 4, kind, 0, s.melds[p] + 1) <= before:
            return act.CLOSED_KONG + kind
        if legal[act.ADDED_KONG + kind] and _without(tables, keys, kind, 1, kind, 0, s.melds[p]) <= before:
            return act.ADDED_KONG + kind
    return _discard(tables, s, p, legal)


@kernel
def _without(tables, key, a, n_a, b, n_b, melds):
    """Shanten of a hand without n_a tiles of kind a and n_b of kind b, beside `melds` melds."""
    keys = key.copy()
    keys[a // 9] -= n_a * POW5[a % 9]
    keys[b // 9] -= n_b * POW5[b % 9]
    return shanten_keys(tables, keys[0], keys[1], keys[2], keys[3], melds)


@kernel
def _claim(tables, s, legal):
    """Call if it brings the hand nearer and the hand has or gets a yaku of its own."""
    p = s.seat
    kind = KIND_OF[s.offer]
    worth = kind >= 31 or kind == 27 + ((p - s.dealer) & 3) or kind == 27 + ((s.round_no // 4) & 3)
    if s.open_melds[p] == 0 and not worth:
        return act.PASS
    for action in (act.PONG_RED, act.PONG):
        if legal[action] and _without(tables, s.key[p], kind, 2, kind, 0, s.melds[p] + 1) < s.shanten[p]:
            return action
    for i in range(5, -1, -1):
        shape = i % 3
        a = kind - shape + (1 if shape == 0 else 0)
        b = kind - shape + (1 if shape == 2 else 2)
        if legal[act.CHOW_LOW + i] and _without(tables, s.key[p], a, 1, b, 1, s.melds[p] + 1) < s.shanten[p]:
            return act.CHOW_LOW + i
    return act.PASS


@kernel
def _worth(s, tile):
    """What a tile is worth keeping when shape does not decide: doras, red fives, then the middle of a suit."""
    kind = KIND_OF[tile]
    worth = min(kind % 9, 8 - kind % 9) + 1 if kind < 27 else 0
    for i in range(s.indicators):
        if DORA_OF[s.wall[INDICATORS[i]]] == kind:
            worth += 10
    return worth + 10 if tile >= RED else worth


@kernel
def _discard(tables, s, p, legal):
    """The legal discard that leaves the best hand."""
    unseen = np.zeros(34, np.int64)
    fill_unseen(s, p, unseen)
    keys = s.key[p].copy()
    best = -1
    best_value = np.int64(0)
    for action in range(act.DISCARD_DRAWN + 1):
        if not legal[action]:
            continue
        tile = s.drawn if action == act.DISCARD_DRAWN else action
        out = KIND_OF[tile]
        keys[out // 9] -= POW5[out % 9]
        now = shanten_keys(tables, keys[0], keys[1], keys[2], keys[3], s.melds[p])
        value = -NEARER * now - CHEAP * _worth(s, tile)
        for kind in range(34):
            if unseen[kind] > 0 and s.hand[p, kind] < 4:
                keys[kind // 9] += POW5[kind % 9]
                if shanten_keys(tables, keys[0], keys[1], keys[2], keys[3], s.melds[p]) < now:
                    value += ACCEPT * unseen[kind]
                keys[kind // 9] -= POW5[kind % 9]
        keys[out // 9] += POW5[out % 9]
        if best < 0 or value >= best_value:
            best, best_value = action, value
    return best


class RandomAgent(Agent):
    """Any legal action, each with the same probability."""

    name = "random"

    def __init__(self, seed: int = 0, game: str = "riichi") -> None:
        self.seed, self.game = seed, game

    def act(self, records: np.ndarray, legal: np.ndarray, streams: np.ndarray | None = None) -> Answers:
        """One of the legal actions at random."""
        counts = legal.sum(1)
        number = (random_numbers(records, self.seed, streams) * counts).astype(np.int64)
        policy = (legal / np.maximum(1, counts)[:, None]).astype(np.float32)
        return Answers((legal.cumsum(1) > number[:, None]).argmax(1), policy, -np.log(counts.astype(np.float32)))


class TsumogiriAgent(Agent):
    """Throws what it draws and claims nothing, not even a win."""

    name = "tsumogiri"

    def act(self, records: np.ndarray, legal: np.ndarray, streams: np.ndarray | None = None) -> Answers:
        """The drawn tile, or a pass; where neither is possible, the first legal action."""
        actions = legal.argmax(1)
        for action in (act.PASS, act.DISCARD_DRAWN):
            actions[legal[:, action]] = action
        return Answers(actions)


class ShantenAgent(Agent):
    """The player of `efficiency.py`: tile efficiency and nothing else."""

    name = "shanten"

    def act(self, records: np.ndarray, legal: np.ndarray, streams: np.ndarray | None = None) -> Answers:
        """The action nearest to a win."""
        actions = np.empty(len(records), np.int64)
        _choose_many(hand_tables(), records, legal, actions)
        return Answers(actions)


@kernel
def _choose_many(tables, records, legal, out):
    for i in range(records.shape[0]):
        out[i] = choose(tables, records[i], legal[i])
