"""What a seat can work out about its own hand: shanten, waits, which of them make 8 fan, and that after each discard.

Waits below the minimum stand under `no_yaku`, as those of Riichi that lack a yaku.
"""

from typing import Any

import numpy as np

from suzaku.hand.tables import tables
from suzaku.mcr.flags import NO_MIXED_KONGS, SELF_DRAWN
from suzaku.mcr.hidden import count_seen, hide
from suzaku.mcr.melds import CHOW, PONG
from suzaku.mcr.shanten import shanten, waits_mask
from suzaku.mcr.state import CALLED, TURN
from suzaku.mcr.table import Table
from suzaku.mcr.win import win_fan
from suzaku.tiles import KINDS, NAMES


def unseen_by(record: np.record, seat: int) -> np.ndarray:
    """How many tiles of each kind a seat cannot see."""
    seen = np.zeros(KINDS, np.uint8)
    count_seen(record, seat, seen)
    return 4 - np.minimum(seen, 4)


def _held(record: np.record, seat: int, hand: np.ndarray, kind: int) -> int:
    """How many tiles of a kind a hand and its melds hold: of one that they hold all of, none can come."""
    held = int(hand[kind])
    for i in range(record.melds[seat]):
        first, type_ = int(record.meld_kind[seat, i]), int(record.meld_type[seat, i])
        if type_ == CHOW:
            held += first <= kind <= first + 2
        elif first == kind:
            held += 3 if type_ == PONG else 4
    return held


def _waits(record: np.record, seat: int, hand: np.ndarray, unseen: np.ndarray) -> dict[str, Any]:
    """The waits of a hand without a drawn tile, and the ways to win on them that stay below the minimum."""
    melds, rule = int(record.melds[seat]), 0 if record.rules.mixed_kongs else NO_MIXED_KONGS
    mask = int(waits_mask(tables(), hand, melds))
    waits, lacking = {}, {}
    for kind in (kind for kind in range(KINDS) if mask >> kind & 1 and _held(record, seat, hand, kind) < 4):
        waits[NAMES[kind]] = int(unseen[kind])
        won = hand.copy()
        won[kind] += 1
        fans = [
            win_fan(
                tables(), won, record.meld_type[seat], record.meld_kind[seat], melds, kind, flags,
                (seat - int(record.dealer)) % 4, record.wind,
            )
            for flags in (rule, rule | SELF_DRAWN)
        ]  # fmt: skip
        ways = [way for way, fan in zip(("ron", "tsumo"), fans, strict=True) if fan < record.rules.minimum]
        if ways:
            lacking[NAMES[kind]] = ways
    return {"waits": waits, "furiten": False, "no_yaku": lacking}


def hand_info(table: Table, seat: int, legal: list[int]) -> dict[str, Any]:
    """Shanten and waits now, and the waits that each legal discard leaves."""
    record = hide(table.record.reshape(1), seat)[0]
    hand, melds, unseen = record.hand[seat].copy(), int(record.melds[seat]), unseen_by(record, seat)
    found = {"shanten": int(shanten(tables(), hand, melds)), "waits": {}, "furiten": False, "no_yaku": {}}
    holds = record.turn == seat and record.phase in (TURN, CALLED)  # 14 tiles
    drawn = int(record.drawn) if holds and record.phase == TURN else -1
    if drawn >= 0:
        hand[drawn] -= 1
    if drawn >= 0 or not holds:
        found.update(_waits(record, seat, hand, unseen))
    discards = {}
    hand = record.hand[seat].copy()
    for kind in (action for action in legal if action < KINDS):
        hand[kind] -= 1
        if shanten(tables(), hand, melds) == 0:
            discards[str(kind)] = _waits(record, seat, hand, unseen)
        hand[kind] += 1
    return {**found, "discards": discards}
