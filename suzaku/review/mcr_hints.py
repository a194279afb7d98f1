"""The same as hints.py for MCR: the agent's opinion, and the plans of the look-ahead.

- The look-ahead's targets as a chance to win, fitted to what came of them: `benchmarks/mcr_win_chance.py`.
- What a seat can work out about its own hand: shanten, waits, which of them make 8 fan, and that after each discard.
- What a seat could do and what would come of it: the agent's opinion, and the plans of the look-ahead.
"""

import math
from typing import Any

import numpy as np

from suzaku.agents.agent import Answers
from suzaku.agents.make import short_name
from suzaku.agents.mcr_heuristic import coefficients, danger
from suzaku.hand.tables import tables
from suzaku.mcr import actions as act
from suzaku.mcr.evaluate import CountedFan
from suzaku.mcr.plans import SEARCH
from suzaku.mcr.redraw import count_seen, hide
from suzaku.mcr.score import win_fan
from suzaku.mcr.search import FARTHEST, search_plans
from suzaku.mcr.shanten import shanten, waits_mask
from suzaku.mcr.state import ADDED_KONG, CALLED, CHOW, CLOSED_KONG, NO_MIXED_KONGS, OPEN_KONG, PONG, SELF_DRAWN, TURN
from suzaku.mcr.table import Table
from suzaku.mcr.ways import Way, fill_seat, ways_of
from suzaku.review.opinion import opinion
from suzaku.tiles import KINDS, NAMES

# Targets share tiles, more are found later, and others play too, so that taking them as independent says too much of
# near hands and too little of far ones.

FARTHEST_FITTED = 5  # tiles short; hands that are farther away are taken as this far
# by tiles short: constant, weight of the logarithm of the hazard, weight of the tiles left in the walls
COEFFICIENTS = np.array(
    [
        [-1.4122, 0.6616, 0.0313],
        [-2.6889, 0.5223, 0.0353],
        [-4.3072, 0.4153, 0.0505],
        [-5.6378, 0.3624, 0.0626],
        [-3.1525, 0.4379, 0.0263],
    ]
)


def inputs(hazard: float, left: float) -> np.ndarray:
    """What the coefficients weigh; `hazard` is minus the logarithm of reaching no target, were they independent."""
    return np.array([1.0, np.log(max(hazard, 1e-4)), left])


def win_chance(hazard: float, distance: int, left: int) -> float:
    """The chance to win of a hand so many tiles short, with so many tiles left in the walls."""
    row = COEFFICIENTS[min(max(distance, 1), FARTHEST_FITTED) - 1]
    return float(1.0 / (1.0 + np.exp(-row @ inputs(hazard, left))))


# Waits below the minimum stand under `no_yaku`, as those of Riichi that lack a yaku.


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


__all__ = ["Looks", "hand_info", "hint"]
PLANS = 4  # shown of each action
EXACT = 2  # targets with at most so many missing tiles are scored as they are won


def hint(agent: str, answers: Answers, record: np.ndarray, legal: np.ndarray, looked: dict[str, Any]) -> dict[str, Any]:
    """All that can be said of a decision: an agent's answers to a record (an array of one), and what `Looks` saw."""
    return {"agent": short_name(agent), **opinion(answers, 0, legal), **looked}


class Looks:
    """Looks at decisions, one at a time: it keeps the memory that the look-ahead works in."""

    def __init__(self) -> None:
        self._query = np.zeros(1, SEARCH)[0]
        self._coefficients = coefficients()

    def look(self, record: np.ndarray, legal: np.ndarray) -> dict[str, Any]:
        """The plans of the hand as it is, after each discard, and after each claim with its best discard."""
        seat = int(record["seat"][0])
        s = hide(record, seat)[0]
        q, c = self._query, self._coefficients
        unseen = unseen_by(s, seat)
        discards: dict[str, Any] = {}
        for kind in np.flatnonzero(legal[:KINDS]):
            self._fill(s, seat)
            q["hand"][kind] -= 1
            row = {"tile": NAMES[kind], **self._row(int(s.left))}
            row["risk"] = round(float(danger(s, seat, int(kind), int(unseen[kind]), c.loss)), 2)
            discards[str(kind)] = row
        melds = {str(a): self._with_meld(s, seat, int(a)) for a in np.flatnonzero(legal) if act.CHOW_LOW <= a < act.WIN}
        now: dict[str, Any] = {"shanten": int(shanten(tables(), s.hand[seat], int(s.melds[seat])))}
        if not discards:
            self._fill(s, seat)
            now.update(self._row(int(s.left)))
        tiles = {action: row.pop("tiles") for action, row in melds.items()}
        return {"seat": seat, "now": now, "discards": discards, "melds": melds, "tiles": tiles}

    def _fill(self, s: np.record, seat: int) -> None:
        fill_seat(s, seat, self._coefficients["hazard"], self._coefficients["claims"], self._query)
        self._query["keep"], self._query["exact"] = 1, EXACT

    def after_discard(self, s: np.record, seat: int, kind: int) -> tuple[int, float]:
        """How many tiles the hand is short without a kind, and the hazard of its targets."""
        self._fill(s, seat)
        self._query["hand"][kind] -= 1
        search_plans(tables(), self._query)
        return int(self._query["distance"]), _hazard(1.0 - float(self._query["none"]))

    def _row(self, left: int) -> dict[str, Any]:
        """What the look-ahead says of the hand in the query, with so many tiles left in the walls."""
        q = self._query
        search_plans(tables(), q)
        distance, hazard = int(q["distance"]), _hazard(1.0 - float(q["none"]))
        chance = win_chance(hazard, distance, left) if hazard else 0.0
        return {
            "shanten": int(shanten(tables(), q["hand"], int(q["melds"]))),
            "distance": distance if distance <= FARTHEST else None,
            "win": round(chance, 4),
            "value": round(float(q["total"]), 2),
            "plans": [_plan(way, chance * min(1.0, _hazard(way.probability) / hazard)) for way in ways_of(q, PLANS)],
        }

    def _with_meld(self, s: np.record, seat: int, action: int) -> dict[str, Any]:
        """The plans once a meld is made; after a chow or pong, with the discard that leaves most."""
        q = self._query
        self._fill(s, seat)
        type_, low, own = _meld_of(s, action)
        for kind in own:
            q["hand"][kind] -= 1
        if type_ == ADDED_KONG:
            at = int(np.flatnonzero((q["meld_type"] == PONG) & (q["meld_kind"] == low))[0])
        else:
            at = int(q["melds"])
            q["melds"] += 1
        q["meld_type"][at], q["meld_kind"][at] = type_, low
        discard = None
        if type_ in (CHOW, PONG):
            search_plans(tables(), q)
            discard = int(np.where(q["hand"] > 0, q["value"], -1.0).argmax())
            q["hand"][discard] -= 1
        return {
            "tiles": [NAMES[kind] for kind in own],
            "discard": None if discard is None else NAMES[discard],
            **self._row(int(s.left)),
        }


def _meld_of(s: np.record, action: int) -> tuple[int, int, list[int]]:
    """The type of a meld, its lowest kind, and the own tiles that go into it."""
    offer = int(s.offer)
    if action <= act.CHOW_HIGH:
        low = offer - (action - act.CHOW_LOW)
        return CHOW, low, [kind for kind in range(low, low + 3) if kind != offer]
    if action in (act.PONG, act.OPEN_KONG):
        return (PONG, offer, [offer] * 2) if action == act.PONG else (OPEN_KONG, offer, [offer] * 3)
    if action < act.ADDED_KONG:
        kind = action - act.CLOSED_KONG
        return CLOSED_KONG, kind, [kind] * 4
    return ADDED_KONG, action - act.ADDED_KONG, [action - act.ADDED_KONG]


def _hazard(probability: float) -> float:
    return -math.log1p(-min(probability, 1.0 - 1e-9))


def _plan(way: Way, chance: float) -> dict[str, Any]:
    return {
        "names": _fans(way.names),
        "fans": _fans(way.fans),
        "fan": way.fan,
        "self_drawn": way.self_drawn,
        "missing": way.missing,
        "wants": [[NAMES[kind], needed, unseen] for kind, needed, unseen in way.wants],
        "win": round(chance, 4),
    }


def _fans(fans: tuple[CountedFan, ...]) -> list[list[Any]]:
    return [[fan.name, fan.chinese, fan.value, fan.count] for fan in fans]


def warm_up() -> None:
    """Plans of MCR."""
    table = Table()
    Looks().look(table.record.reshape(1), table.legal_mask())
    table.record.hand[1] = [1] * 9 + [2, 2] + [0] * 23  # ready
    hand_info(table, 1, [])
