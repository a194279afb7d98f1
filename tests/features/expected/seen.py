"""A table as plain lists, read from its record: what the expected channels are worked out from.

Nothing here or beside uses the encoders or the kernels behind them. Of the engine, only the shanten of a hand (compared
with independent programs elsewhere) is used, and with the look-ahead the public scoring.
"""

from typing import NamedTuple

import numpy as np

from suzaku.hand.shanten import shanten_many
from suzaku.hand.tables import tables

ON = 255
TURN, CALLED, RIICHI_DISCARD, CLAIM, ROB = range(5)
CHOW, PONG, OPEN_KONG, CLOSED_KONG, ADDED_KONG = range(1, 6)
FIVES = (4, 13, 22)
INDICATORS = (5, 7, 9, 11, 13)


def kind_of(tile: int) -> int:
    """The kind of a tile; 34 to 36 are the red fives."""
    return FIVES[tile - 34] if tile >= 34 else tile


def dora_of(kind: int) -> int:
    """The kind that an indicator makes dora."""
    if kind < 27:
        return kind - 8 if kind % 9 == 8 else kind + 1
    return {30: 27, 33: 31}.get(kind, kind + 1)


class Meld(NamedTuple):
    """A meld: its type, its tiles by kind, the kind that was called (or None), and how many red fives it holds."""

    type: int
    kinds: list[int]
    called: int | None
    red: int
    made: int  # discards of all seats before it was made
    added: int  # discards of all seats before the fourth tile was added, for an added kong
    added_tile: int


class Discard(NamedTuple):
    """A discard, and its number among those of all seats."""

    order: int
    seat: int
    tile: int
    kind: int
    drawn: bool
    riichi: bool
    called: bool


class Seen:
    """One table, and the seat that is asked."""

    def __init__(self, s: np.record) -> None:
        self.s, self.p = s, int(s.seat)
        self.phase, self.turn = int(s.phase), int(s.turn)
        self.seats = [(self.p + i) % 4 for i in range(4)]
        self.hands = s.hand.tolist()
        self.reds = s.red.tolist()
        self.drawn = int(s.drawn)
        self.riichi = s.riichi.tolist()
        self.scores = s.scores.tolist()
        self.melds = [self._melds(q) for q in range(4)]
        self.rivers = [self._river(q) for q in range(4)]
        self.discards = sorted(discard for river in self.rivers for discard in river)
        self.indicators = [int(s.wall[place]) for place in INDICATORS[: int(s.indicators)]]

    def _melds(self, q: int) -> list[Meld]:
        s, found = self.s, []
        for m in range(int(s.melds[q])):
            kind, low, called = int(s.meld_type[q, m]), int(s.meld_tile[q, m]), int(s.meld_called[q, m])
            kinds = [low, low + 1, low + 2] if kind == CHOW else [low] * (3 if kind == PONG else 4)
            orders = int(s.meld_order[q, m]), int(s.added_order[q, m]), int(s.meld_added[q, m])
            found.append(Meld(kind, kinds, None if called < 0 else kind_of(called), int(s.meld_red[q, m]), *orders))
        return found

    def _river(self, q: int) -> list[Discard]:
        s, n = self.s, int(self.s.river_size[q])
        rows = zip(s.river_order[q, :n].tolist(), s.river[q, :n].tolist(), s.river_flag[q, :n].tolist(), strict=True)
        return [
            Discard(order, q, tile, kind_of(tile), bool(flag & 1), bool(flag & 2), bool(flag & 4))
            for order, tile, flag in rows
        ]

    def unseen(self) -> list[int]:
        """How many tiles of each kind the asked seat cannot see."""
        left = [4 - count for count in self.hands[self.p]]
        for kind in [k for melds in self.melds for meld in melds for k in meld.kinds]:
            left[kind] -= 1
        for discard in self.discards:
            left[discard.kind] -= not discard.called
        for tile in self.indicators:
            left[kind_of(tile)] -= 1
        return left

    def dora(self) -> list[int]:
        """How many han a tile of each kind gives."""
        doras = [dora_of(kind_of(tile)) for tile in self.indicators]
        return [doras.count(kind) for kind in range(34)]

    def offered(self) -> int | None:
        """The tile on offer: the last discard, or the one that was just added to a pong."""
        if self.phase == CLAIM:
            return self.discards[-1].tile
        if self.phase == ROB:
            return max((m for m in self.melds[self.turn] if m.type == ADDED_KONG), key=lambda m: m.added).added_tile
        return None

    def resting_hand(self, q: int) -> tuple[list[int], int]:
        """The hand of a seat as it waits, and its number of melds: without a drawn tile, and before a call."""
        hand, melds = list(self.hands[q]), len(self.melds[q])
        if self.turn == q and self.drawn >= 0:
            hand[kind_of(self.drawn)] -= 1
        elif self.turn == q and self.phase == CALLED:
            meld = self.melds[q][-1]
            for kind in meld.kinds:
                hand[kind] += 1
            assert meld.called is not None
            hand[meld.called] -= 1
            melds -= 1
        return hand, melds

    def waits(self, q: int) -> set[int]:
        """The kinds that complete a seat's resting hand."""
        hand, melds = self.resting_hand(q)
        if shanten([hand], melds)[0] != 0:
            return set()
        kinds = [kind for kind in range(34) if hand[kind] < 4]
        return {kind for kind, n in zip(kinds, shanten(added(hand, kinds), melds), strict=True) if n < 0}

    def is_furiten(self, q: int) -> bool:
        """Whether a seat waits for what it threw, or for what others threw since its last discard or its riichi."""
        waits, own = self.waits(q), self.rivers[q]
        if waits & {discard.kind for discard in own}:
            return True
        since = own[-1].order if own else -1
        if self.riichi[q]:
            since = next(discard.order for discard in own if discard.riichi)
        passed = [d for d in self.discards if d.seat != q and d.order > since]
        if self.phase == CLAIM and passed and passed[-1] == self.discards[-1]:
            passed.pop()  # it is still on offer
        kinds = {discard.kind for discard in passed}
        for other in range(4):
            for meld in self.melds[other]:
                on_offer = self.phase == ROB and other == self.turn and meld.added_tile == self.offered()
                if other != q and meld.type == ADDED_KONG and meld.added > since and not on_offer:
                    kinds.add(meld.kinds[0])
        return bool(waits & kinds)


def shanten(hands: list[list[int]], melds: int) -> list[int]:
    """The shanten of hands beside so many melds."""
    out = np.zeros(len(hands), np.int8)
    shanten_many(tables(), np.array(hands, np.int8).reshape(-1, 34), np.full(len(hands), melds, np.int8), out)
    return out.tolist()


def added(hand: list[int], kinds: list[int], number: int = 1) -> list[list[int]]:
    """The hand with one tile more (or less) of each of some kinds in turn."""
    return [[n + number * (k == kind) for k, n in enumerate(hand)] for kind in kinds]


def tiles(*groups: object) -> np.ndarray:
    """A channel for each collection of kinds, set there."""
    out = np.zeros((len(groups), 34), np.uint8)
    for channel, kinds in zip(out, groups, strict=True):
        channel[list(kinds)] = ON  # type: ignore[call-overload]
    return out


def everywhere(*flags: object) -> np.ndarray:
    """A channel for each flag, all set or all empty."""
    return np.array([[ON if flag else 0] * 34 for flag in flags], np.uint8)


def one_of(number: int, count: int) -> np.ndarray:
    """Channels of which one is set."""
    return everywhere(*(i == number for i in range(count)))


def stacked(counts: list[int]) -> np.ndarray:
    """Four channels: set where there are more than 0, 1, 2, 3."""
    return tiles(*([k for k in range(34) if counts[k] > i] for i in range(4)))


def counted(kinds: list[int]) -> list[int]:
    """How many there are of each kind."""
    return [kinds.count(kind) for kind in range(34)]
