"""The ways to a win that a search kept, for people: the same fans together, with tiles, chance and worth."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from suzaku.hand.tables import tables
from suzaku.mcr.evaluate import CountedFan, counted_fans
from suzaku.mcr.fans import FANS
from suzaku.mcr.flags import SELF_DRAWN
from suzaku.mcr.lookahead.points import points_of
from suzaku.mcr.lookahead.unusual import KNITTED_TILES, SEVEN_PAIRS, THIRTEEN_ORPHANS
from suzaku.mcr.win import win_fans
from suzaku.tiles import KINDS, ORPHANS

LEADING = 6  # fans of this value name a way; smaller ones only where there are none such
CHICKEN = FANS[42]  # won with 8 fan where nothing else counts
OF_THE_WAY = (56, 62, 77, 78, 79, 80)  # fans that an open hand, another wait or a discard does not have
UNUSUAL = {SEVEN_PAIRS: 19, KNITTED_TILES: 34, THIRTEEN_ORPHANS: 7}  # by plan: the number of its fan


class Wanted(NamedTuple):
    """A missing tile."""

    kind: int
    needed: int
    unseen: int


@dataclass(frozen=True)
class Way:
    """Targets with the same leading fans: the best of them, and the probability of all."""

    names: tuple[CountedFan, ...]  # the fans that name it
    fans: tuple[CountedFan, ...]  # of the best target, won on its last tile; of hands without sets the main one alone
    fan: int  # their total
    self_drawn: bool  # whether only a self-draw makes the minimum
    missing: int
    wants: tuple[Wanted, ...]  # of hands without sets, all kinds that help
    probability: float
    value: float  # expected points, on the look-ahead's scale


def _fans_of(q: np.record, tiles: np.ndarray) -> tuple[int, tuple[CountedFan, ...], bool] | None:
    """The fans of a target: won on a discard of its best last tile, or by self-draw where that is too little.

    One worth nothing by itself is a Chicken Hand, if it is opened; None if it is worth something, but too little.
    """
    last = np.flatnonzero(tiles > q["hand"])
    if not len(last):
        last = np.flatnonzero(tiles)  # a complete hand: any of its tiles may have come last
    for flags in (0, SELF_DRAWN):
        found = []
        for kind in last:
            rest = (q["meld_type"], q["meld_kind"], q["melds"], kind, flags, q["seat_wind"], q["round_wind"])
            found.append(win_fans(tables(), tiles, *rest))
        fan, big, small, more = max(found, key=lambda one: one[0])
        if fan >= q["minimum"]:
            return int(fan), counted_fans(int(big), int(small), int(more)), flags == SELF_DRAWN
    named = {fan.name for fan in counted_fans(int(big), int(small), int(more))}
    if CHICKEN.value >= q["minimum"] and named <= {FANS[n - 1].name for n in OF_THE_WAY}:
        return CHICKEN.value, (CountedFan(CHICKEN.name, CHICKEN.chinese, CHICKEN.value, 1),), False
    return None


def _leading(fans: tuple[CountedFan, ...]) -> tuple[CountedFan, ...]:
    most = max(fan.value for fan in fans)
    return tuple(fan for fan in fans if fan.value >= LEADING or (most < LEADING and fan.value == most))


def _wants(q: np.record, missing: np.ndarray) -> tuple[Wanted, ...]:
    return tuple(Wanted(int(kind), int(missing[kind]), int(q["unseen"][kind])) for kind in np.flatnonzero(missing))


def _ways_with_sets(q: np.record) -> Iterator[Way]:
    seen: dict[bytes, tuple[float, float]] = {}
    for i in range(int(q["targets"])):  # the same tiles can be divided in several ways
        key, worth = q["target_tiles"][i].tobytes(), float(q["target_worth"][i])
        seen[key] = max(seen.get(key, (0.0, 0.0)), (worth, float(q["target_probability"][i])))
    groups: dict[tuple[str, ...], list[tuple[float, float, bytes]]] = {}
    fans = {}
    for key, (worth, probability) in seen.items():
        found = _fans_of(q, np.frombuffer(key, np.uint8))
        if found is not None:
            fans[key] = found
            groups.setdefault(tuple(fan.name for fan in _leading(found[1])), []).append((worth, probability, key))
    for group in groups.values():
        key = max(group)[2]
        fan, counted, drawn = fans[key]
        missing = np.maximum(np.frombuffer(key, np.uint8).astype(int) - q["hand"], 0)
        probability = 1.0 - float(np.prod([1.0 - p for _, p, _ in group]))
        value, wants = sum(worth for worth, _, _ in group), _wants(q, missing)
        yield Way(_leading(counted), counted, fan, drawn, int(missing.sum()), wants, probability, value)


def _ways_without_sets(q: np.record) -> Iterator[Way]:
    for i in range(int(q["plans"])):
        plan = int(q["plan"][i])
        if plan in UNUSUAL:
            fan = FANS[UNUSUAL[plan] - 1]
            counted = (CountedFan(fan.name, fan.chinese, fan.value, 1),)
            value = float(q["plan_value"][i])
            helps, missing = q["plan_wants"][i], int(q["plan_missing"][i])
            if plan == THIRTEEN_ORPHANS and missing > helps.sum():  # the pair too, and any orphan makes it
                helps = np.array([ORPHANS >> kind & 1 for kind in range(KINDS)])
            wants = _wants(q, helps)
            yield Way(counted, counted, fan.value, False, missing, wants, value / points_of(fan.value), value)


def ways_of(q: np.record, most: int) -> list[Way]:
    """The best ways of a search that kept its targets."""
    return sorted((*_ways_with_sets(q), *_ways_without_sets(q)), key=lambda way: -way.value)[:most]
