"""What a seat asks the look-ahead, and the ways to a win that it finds, for people.

- What a seat asks the look-ahead.
- The ways to a win that a search kept, for people: the same fans together, with tiles, chance and worth.
- Win distance and plans of a hand written as text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from suzaku.hand.notation import Meld, read_wind, to_counts
from suzaku.hand.tables import tables
from suzaku.kernel import kernel
from suzaku.mcr.deal import left_for
from suzaku.mcr.evaluate import MINIMUM, CountedFan, counted_fans, read_hand_and_melds
from suzaku.mcr.fans import FANS
from suzaku.mcr.plans import KNITTED_TILES, SEARCH, SEVEN_PAIRS, THIRTEEN_ORPHANS, TOP, points_of
from suzaku.mcr.redraw import count_seen
from suzaku.mcr.score import win_fans
from suzaku.mcr.search import FARTHEST, search_plans
from suzaku.mcr.state import SELF_DRAWN
from suzaku.tiles import KIND_OF, KINDS, ORPHANS, parse, to_text
from suzaku.tiles import NAMES as TILE_NAMES


@kernel
def fill_seat(s, p, hazard, claims, q):
    """Put the hand of seat p, as it sees the table, into the query.

    `hazard` is how likely another seat ends the hand between two own draws, `claims` how often an opponent discards an
    unseen tile, against drawing it.
    """
    q.hand[:] = s.hand[p]
    count_seen(s, p, q.unseen)
    for kind in range(34):
        q.unseen[kind] = 4 - min(4, q.unseen[kind])
    q.melds = s.melds[p]
    q.meld_type[:] = s.meld_type[p]
    q.meld_kind[:] = s.meld_kind[p]
    q.seat_wind = (p - s.dealer) & 3
    q.round_wind = s.wind
    q.minimum = s.rules.minimum
    draws = left_for(s, p) if s.rules.duplicate else s.left // 4
    q.draws = (1.0 - np.exp(-hazard * (draws + 0.5))) / hazard
    q.slack = 1
    q.exact = 1
    q.claims = claims
    q.wide = 3


@kernel
def move_to_meld(q, meld_type, kind, number, a, b):
    """One more meld in the query: `number` tiles of the kinds a and b (-1 for none) leave the hand."""
    q.meld_type[q.melds] = meld_type
    q.meld_kind[q.melds] = kind
    q.melds += 1
    q.hand[a] -= number
    if b >= 0:
        q.hand[b] -= number


@kernel
def chow_tiles(offer, shape):
    """The lowest kind of a chow with the offered tile lowest, middle, highest (0, 1, 2), and the two of the hand."""
    low = offer - shape
    return low, low + 1 if shape == 0 else low, low + 1 if shape == 2 else low + 2


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


@dataclass(frozen=True)
class Plan:
    """Targets with the same leading fans: the best of them, and what all promise together."""

    name: str  # the leading fans
    missing: int  # tiles short
    wants: str  # these tiles; of hands without sets, all that help
    unseen: dict[str, int]  # how many of each of them there may be
    fan: int  # total, won on the last tile with the others drawn
    fans: tuple[CountedFan, ...]  # of hands without sets the main one alone
    self_drawn: bool  # whether only a self-draw makes the minimum
    probability: float  # to reach a target, taken as independent: too high for near hands
    value: float  # expected points, on a scale of its own: higher is better


@dataclass(frozen=True)
class Outlook:
    """What a hand can become."""

    distance: int | None  # tiles short of the nearest hand that may win; None: farther than looked
    plans: tuple[Plan, ...]  # best first
    discards: dict[str, float]  # with 14 tiles: what the plans promise after each discard


def look_ahead(
    hand: str,
    melds: Sequence[Meld] = (),
    *,
    visible: str = "",
    draws: float = 15,
    seat_wind: str = "E",
    round_wind: str = "E",
    slack: int = 1,
) -> Outlook:
    """The nearest hands of 8 fan and more: `hand` of 13 or 14 tiles less 3 a meld; `visible` tiles are gone besides."""
    tiles, groups = read_hand_and_melds(hand, melds, visible)
    q = np.zeros(1, SEARCH)[0]
    q["hand"] = to_counts(tiles)
    q["unseen"] = 4 - to_counts([*tiles, *parse(visible), *(tile for _, group in groups for tile in group)])
    q["melds"] = len(groups)
    q["meld_type"] = -1
    for i, (type_, group) in enumerate(groups):
        q["meld_type"][i], q["meld_kind"][i] = type_, min(KIND_OF[group])
    q["seat_wind"], q["round_wind"] = read_wind(seat_wind, "seat wind"), read_wind(round_wind, "round wind")
    q["minimum"] = MINIMUM
    q["draws"], q["slack"], q["exact"], q["wide"], q["claims"] = draws, slack, 3, 4, 0.6
    q["keep"] = 1
    search_plans(tables(), q)
    drawn = len(tiles) % 3 == 2
    values = {
        to_text([kind]): round(float(q["value"][kind]), 2) for kind in range(KINDS) if drawn and q["hand"][kind] > 0
    }
    distance = int(q["distance"])
    return Outlook(distance if distance <= FARTHEST else None, tuple(map(_plan, ways_of(q, TOP))), values)


def _plan(way: Way) -> Plan:
    return Plan(
        name=" + ".join(fan.name for fan in way.names),
        missing=way.missing,
        wants=to_text([kind for kind, needed, _ in way.wants for _ in range(needed)]),
        unseen={TILE_NAMES[kind]: unseen for kind, _, unseen in way.wants},
        fan=way.fan,
        fans=way.fans,
        self_drawn=way.self_drawn,
        probability=round(way.probability, 4),
        value=round(way.value, 2),
    )


def win_distance(hand: str, melds: Sequence[Meld] = (), **given: str) -> int | None:
    """How many tiles a hand is short of the nearest one that may win, with its 8 fan; None: farther than looked."""
    return look_ahead(hand, melds, slack=0, **given).distance  # type: ignore[arg-type]
