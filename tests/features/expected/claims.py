"""The expected channels of a chow, pong or kong that could be made."""

import functools

import numpy as np

from tests.features.expected.hand import efficiency, ukeire
from tests.features.expected.seen import (
    ADDED_KONG,
    CHOW,
    CLOSED_KONG,
    FIVES,
    OPEN_KONG,
    PONG,
    Seen,
    counted,
    everywhere,
    kind_of,
    one_of,
    shanten,
    stacked,
    tiles,
)  # fmt: skip
from tests.features.expected.situation import forbidden
from tests.features.expected.wins import Hand, draws_left, hand_of, look_ahead


class Claim:
    """A table, and the meld that an action (see `suzaku/riichi/actions.py`) would make there."""

    def __init__(self, t: Seen, action: int) -> None:
        self.t = t
        offered = t.offered()
        self.tile = kind_of(offered) if offered is not None and action < 48 else None
        self.reds_used = 0
        if action < 45:
            assert self.tile is not None
            self.index, self.type = (action - 39) % 3, CHOW
            low = self.tile - self.index
            self.kinds = [low, low + 1, low + 2]
            self.used = [kind for kind in self.kinds if kind != self.tile]
            self.reds_used = int(action >= 42)
        elif action < 48:
            assert self.tile is not None
            self.index, self.type = (4, OPEN_KONG) if action == 47 else (3, PONG)
            self.used = [self.tile] * (3 if action == 47 else 2)
            self.kinds = [*self.used, self.tile]
            self.reds_used = self._held_red(self.tile) if action == 47 else int(action == 46)
        else:
            self.index, self.type = (5, CLOSED_KONG) if action < 82 else (6, ADDED_KONG)
            kind = action - (48 if action < 82 else 82)
            self.kinds, self.used = [kind] * 4, [kind] * (4 if action < 82 else 1)
            self.reds_used = self._held_red(kind)
        self.red = self.reds_used + (self.tile is not None and offered is not None and offered >= 34)
        self.han = self.red + sum(t.dora()[kind] for kind in self.kinds)
        self.left = [n - m for n, m in zip(t.hands[t.p], counted(self.used), strict=True)]
        self.reds_left = [n - self.reds_used * (suit == self.kinds[0] // 9) for suit, n in enumerate(t.reds[t.p])]
        self.melds = len(t.melds[t.p]) + (self.type != ADDED_KONG)
        self.throws = self.type in (CHOW, PONG)
        self.barred = (
            forbidden(self.tile, self.kinds, self.type == CHOW) if self.throws and self.tile is not None else []
        )

    def _held_red(self, kind: int) -> int:
        return self.t.reds[self.t.p][kind // 9] if kind in FIVES else 0

    def shanten(self) -> int:
        """Shanten afterwards, after the best discard that is allowed."""
        hands = [self.left]
        if self.throws:
            held = [kind for kind in range(34) if self.left[kind] and kind not in self.barred]
            hands = [[n - (k == kind) for k, n in enumerate(self.left)] for kind in held]
        return min(shanten(hands, self.melds))

    def gain(self) -> int:
        """0, 1, 2: shanten falls, stays, rises."""
        before, after = shanten([self.t.hands[self.t.p]], len(self.t.melds[self.t.p]))[0], self.shanten()
        return 0 if after < before else 1 if after == before else 2

    def opens(self) -> bool:
        """Whether a closed hand is opened."""
        closed = all(meld.type == CLOSED_KONG for meld in self.t.melds[self.t.p])
        return closed and self.type != CLOSED_KONG

    @functools.cached_property
    def efficiency(self) -> dict[int, int]:
        """The discards that leave the hand nearest to a win, and what is accepted then."""
        return efficiency(self.left, self.melds, self.t.unseen())[1] if self.throws else {}

    @functools.cached_property
    def look_ahead(self) -> dict[str, np.ndarray]:
        """The look-ahead with the meld made."""
        now, low = hand_of(self.t), self.kinds[0]
        if self.type == ADDED_KONG:
            melds = [(ADDED_KONG, kind) if (kind, type_) == (low, PONG) else (type_, kind) for type_, kind in now.melds]
            han = now.meld_han + self.reds_used + now.dora[low]
        else:
            melds, han = [*now.melds, (self.type, low)], now.meld_han + self.han
        hand = Hand(self.left, self.reds_left, melds, han, None, now.unseen, now.dora, now.winds)
        return look_ahead(hand, draws_left(self.t), int(self.t.s.left))


CLAIMS = {
    "claim_kind": lambda c: one_of(c.index, 7),
    "claim_meld": lambda c: stacked(counted(c.kinds)),
    "claim_used": lambda c: stacked(counted(c.used)),
    "claim_tile": lambda c: tiles([] if c.tile is None else [c.tile]),
    "claim_red": lambda c: tiles([FIVES[c.kinds[0] // 9]] if c.red else []),
    "claim_hand": lambda c: stacked(c.left),
    "claim_hand_red": lambda c: tiles([FIVES[suit] for suit in range(3) if c.reds_left[suit]]),
    "claim_dora": lambda c: everywhere(*(c.han >= step for step in (1, 2, 3, 4))),
    "claim_shanten": lambda c: one_of(min(6, c.shanten()) + 1, 8),
    "claim_gain": lambda c: one_of(c.gain(), 3),
    "claim_opens": lambda c: everywhere(c.opens()),
    "claim_forbidden": lambda c: tiles(c.barred),
    "claim_keeps_shanten": lambda c: tiles(c.efficiency),
    "claim_ukeire": lambda c: ukeire(c.efficiency, (1, 3, 5, 8, 12, 16, 20, 26)),
    "claim_reach": lambda c: c.look_ahead["reach"],
    "claim_chance_after": lambda c: c.look_ahead["chance"],
}
