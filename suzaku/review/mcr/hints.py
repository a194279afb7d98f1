"""What a seat could do and what would come of it: the agent's opinion, and the plans of the look-ahead."""

import math
from typing import Any

import numpy as np

from suzaku.agents.agent import Answers
from suzaku.agents.mcr.heuristic.coefficients import coefficients
from suzaku.agents.mcr.heuristic.danger import danger
from suzaku.agents.short_name import short_name
from suzaku.hand.tables import tables
from suzaku.mcr import actions as act
from suzaku.mcr.evaluate import CountedFan
from suzaku.mcr.hidden import hide
from suzaku.mcr.lookahead.query import fill_seat
from suzaku.mcr.lookahead.search import FARTHEST, search_plans
from suzaku.mcr.lookahead.state import SEARCH
from suzaku.mcr.lookahead.ways import Way, ways_of
from suzaku.mcr.melds import ADDED_KONG, CHOW, CLOSED_KONG, OPEN_KONG, PONG
from suzaku.mcr.shanten import shanten
from suzaku.review.mcr.calibration import win_chance
from suzaku.review.mcr.hand_info import hand_info, unseen_by
from suzaku.review.opinion import opinion
from suzaku.tiles import KINDS, NAMES

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
