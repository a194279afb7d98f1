"""What a seat can work out about its own hand: shanten, waits, furiten, and the waits after each discard."""

from typing import Any

import numpy as np

from suzaku.hand.tables import tables as hand_tables
from suzaku.lookahead.safety import furiten_of
from suzaku.lookahead.ukeire import UKEIRE, ukeire_many
from suzaku.lookahead.yaku_waits import yaku_waits
from suzaku.riichi import actions as act
from suzaku.riichi.hidden import hide
from suzaku.riichi.table import Table
from suzaku.riichi.visible import fill_unseen
from suzaku.tiles import KIND_OF, NAMES


def unseen_by(record: np.record, seat: int) -> np.ndarray:
    """How many tiles of each kind a seat cannot see."""
    unseen = np.zeros(34, np.int8)
    fill_unseen(record, seat, unseen)
    return unseen


def ukeire_of(array: np.ndarray, seat: int) -> np.record:
    """Shanten and accepted tiles of a seat, from a record (an array of one) with what it sees."""
    found = np.zeros(1, UKEIRE)
    ukeire_many(hand_tables(), array, np.array([seat]), found)
    return found[0]


def kinds_of(mask: int) -> list[int]:
    """The kinds of a mask."""
    return [kind for kind in range(34) if int(mask) >> kind & 1]


def no_yaku(record: np.record, seat: int, thrown: int, waits: int) -> dict[str, list[str]]:
    """The waits after throwing a kind (-1: none) that do not win for want of a yaku, and how: by ron, or by both."""
    if not waits:
        return {}  # the usual case: calling a kernel with a table record costs more than it does
    on_discard, by_draw = yaku_waits(hand_tables(), record, seat, thrown, np.uint64(waits))
    found = {}
    for kind in kinds_of(waits):
        ways = [name for name, mask in (("ron", on_discard), ("tsumo", by_draw)) if not int(mask) >> kind & 1]
        if ways:
            found[NAMES[kind]] = ways
    return found


def hand_info(table: Table, seat: int, legal: list[int]) -> dict[str, Any]:
    """Shanten, waits and furiten now, and the waits that each legal discard leaves."""
    array = hide(table.record.reshape(1), seat)
    record = array[0]
    found = ukeire_of(array, seat)
    unseen = unseen_by(record, seat)

    def left(mask: int) -> dict[str, int]:
        return {NAMES[kind]: int(unseen[kind]) for kind in kinds_of(mask)}

    discards = {}
    for action in legal:
        if action <= act.DISCARD_DRAWN:
            tile = int(record.drawn) if action == act.DISCARD_DRAWN else action
            kind = int(KIND_OF[tile])
            if found.shanten[kind] == 0:
                waits = int(found.accepts[kind])
                furiten = bool(waits & (int(record.discarded[seat]) | 1 << kind)) or int(record.missed[seat]) == 2
                lacking = no_yaku(record, seat, kind, waits)
                discards[str(action)] = {"waits": left(waits), "furiten": furiten, "no_yaku": lacking}
    drawn = int(KIND_OF[record.drawn]) if record.turn == seat and record.drawn >= 0 else -1
    at_rest = drawn >= 0 or int(record.hand[seat].sum()) % 3 == 1  # otherwise a call has left no hand to be tenpai
    return {
        "shanten": int(found.shanten[34]),
        "waits": left(int(record.waits[seat])),
        "furiten": bool(record.waits[seat] and furiten_of(record, seat)),
        "no_yaku": no_yaku(record, seat, drawn, int(record.waits[seat])) if at_rest else {},
        "discards": discards,
    }
