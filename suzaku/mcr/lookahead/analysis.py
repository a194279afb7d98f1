"""Win distance and plans of a hand written as text."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from suzaku.hand.notation import Meld, read_wind, to_counts
from suzaku.hand.tables import tables
from suzaku.mcr.evaluate import MINIMUM, CountedFan, read_hand_and_melds
from suzaku.mcr.lookahead.search import FARTHEST, search_plans
from suzaku.mcr.lookahead.state import SEARCH, TOP
from suzaku.mcr.lookahead.ways import Way, ways_of
from suzaku.tiles import KIND_OF, KINDS, parse, to_text
from suzaku.tiles import NAMES as TILE_NAMES


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
