"""Simple players for the tests: they win, declare riichi, call and make kongs, so that corners of the rules occur."""

import random

import numpy as np

from suzaku.hand.shanten import shanten_keys
from suzaku.hand.tables import POW5
from suzaku.hand.tables import tables as hand_tables
from suzaku.kernel import kernel
from suzaku.riichi import actions as act
from suzaku.tiles import KIND_OF

WINS = (act.WIN_DRAW, act.WIN_DISCARD)


@kernel
def discard_values(tables, s, p, out):
    """out[action] = shanten of seat p after that discard, for actions 0..37; 99 where the tile is not there."""
    for action in range(38):
        tile = s.drawn if action == act.DISCARD_DRAWN else action
        out[action] = 99
        if tile < 0:
            continue
        kind = KIND_OF[tile]
        if s.hand[p, kind] == 0:
            continue
        s.key[p, kind // 9] -= POW5[kind % 9]
        out[action] = shanten_keys(tables, s.key[p, 0], s.key[p, 1], s.key[p, 2], s.key[p, 3], s.melds[p])
        s.key[p, kind // 9] += POW5[kind % 9]


def play_random(s: np.record, seat: int, legal: list[int], rng: random.Random) -> int:
    """Any legal action."""
    return rng.choice(legal)


class Player:
    """Discards towards a complete hand; the chances say how often it takes what is offered."""

    def __init__(self, win: float = 1.0, riichi: float = 1.0, kong: float = 1.0, call: float = 0.2) -> None:
        self.win, self.riichi, self.kong, self.call = win, riichi, kong, call
        self._values = np.zeros(38, np.int8)

    def __call__(self, s: np.record, seat: int, legal: list[int], rng: random.Random) -> int:
        """Choose one of the legal actions."""
        for action in WINS:
            if action in legal and rng.random() < self.win:
                return action
        kongs = [a for a in legal if act.OPEN_KONG <= a < act.WIN_DRAW]
        if kongs and rng.random() < self.kong:
            return rng.choice(kongs)
        if act.RIICHI in legal and rng.random() < self.riichi:
            return act.RIICHI
        if act.PASS in legal:
            calls = [a for a in legal if act.CHOW_LOW <= a <= act.PONG_RED]
            return rng.choice(calls) if calls and rng.random() < self.call else act.PASS
        discards = [a for a in legal if a <= act.DISCARD_DRAWN]
        discard_values(hand_tables(), s, seat, self._values)
        best = min(self._values[a] for a in discards)
        return rng.choice([a for a in discards if self._values[a] == best])


class OrphanPlayer:
    """Throws terminals and honours first and calls nothing: for draws with nagashi mangan."""

    def __call__(self, s: np.record, seat: int, legal: list[int], rng: random.Random) -> int:
        """Choose one of the legal actions."""
        if act.PASS in legal:
            return act.PASS
        discards = [a for a in legal if a <= act.DISCARD_DRAWN]
        kinds = {a: int(KIND_OF[s.drawn if a == act.DISCARD_DRAWN else a]) for a in discards}
        orphans = [a for a, k in kinds.items() if k >= 27 or k % 9 in (0, 8)]
        return rng.choice(orphans or discards)
