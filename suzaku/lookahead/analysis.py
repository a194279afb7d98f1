"""A hand written as text, looked at from all sides: `analyse_hand` for people, the ground of `suzaku analyse`."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from suzaku.hand.notation import Meld, check_tiles, read_hand, read_melds, read_wind, to_counts
from suzaku.hand.shanten import FAR, fill_keys
from suzaku.hand.tables import tables
from suzaku.lookahead.draws import expect
from suzaku.lookahead.graph import DRAWS, GRAPH, POINTS, TENPAI, WIN
from suzaku.lookahead.patterns import patterns
from suzaku.lookahead.search import INDICATOR_OF, search_wins
from suzaku.lookahead.state import REACH, SEARCH
from suzaku.lookahead.ukeire import UKEIRE, fill_ukeire
from suzaku.riichi.evaluate import Win, evaluate, read_indicators, rules_record
from suzaku.riichi.rules import Rules
from suzaku.riichi.state import CLOSED_KONG, MELD_NAMES
from suzaku.tiles import DORA_OF, KIND_OF, KINDS, NAMES, RED, TILES, parse, sort_key, to_text

OBJECTIVES = {"win": WIN, "points": POINTS}
DEEPEST = 2  # highest shanten for which probabilities are worked out, here also for discards that go a step back
MOST_SWAPPED = 2  # highest shanten for which swaps are tried: farther away the graph does not fit


@dataclass(frozen=True)
class Discard:
    """What throwing one tile leads to. Probabilities and points are None where the hand stays too far away."""

    tile: str  # "" for a hand that has no drawn tile
    shanten: int
    accepts: dict[str, int]  # the tiles that bring the hand nearer, and how many of each are unseen
    unseen: int  # how many in all
    tenpai: float | None  # probability of tenpai within the draws left
    win: float | None
    points: float | None  # points won on average
    win_by_draws: list[float] | None  # probability to win by draws left, 0 first
    swaps: int  # draws that may improve the hand without bringing it nearer, in these probabilities
    best: list[int]  # highest points of a win on a discard with 0, 1, 2, 3 tiles replaced; 0: none


@dataclass(frozen=True)
class Analysis:
    """All discards of a hand, the best first."""

    hand: list[str]
    melds: list[str]
    dora: list[str]
    shanten: int
    draws: int
    pool: int  # unseen tiles
    objective: str
    claims: bool
    value: Win | None  # what a complete hand is worth, won with its last tile by self-draw
    discards: list[Discard]


@cache
def _records() -> tuple[np.record, np.record, np.record]:
    return np.zeros(1, GRAPH)[0], np.zeros(1, SEARCH)[0], np.zeros(1, UKEIRE)[0]


def _fill(
    record: np.record, tiles: list[int], groups: list[tuple[int, list[int]]], indicators: list[int], unseen: np.ndarray
) -> None:
    """The fields that the queries of both searches share."""
    meld_tiles = [tile for _, group in groups for tile in group]
    record.hand[:] = to_counts(tiles)
    fill_keys(record.hand, record.key)
    record.red[:] = [tiles.count(RED + suit) for suit in range(3)]
    record.unseen[:] = unseen
    record.dora[:] = np.bincount(DORA_OF[indicators], minlength=KINDS) if indicators else 0
    record.melds = len(groups)
    record.meld_type[:] = record.meld_tile[:] = 0
    for i, (kind, group) in enumerate(groups):
        record.meld_type[i], record.meld_tile[i] = kind, min(KIND_OF[group])
    record.meld_dora = sum(int(record.dora[KIND_OF[tile]]) + (tile >= RED) for tile in meld_tiles)
    record.closed = all(kind == CLOSED_KONG for kind, _ in groups)


def _expect(g: np.record, rules: np.record, shanten: int) -> tuple[np.ndarray, np.ndarray]:
    """The values of every discard and the swaps they allow for, each from the richest graph that fits."""
    value, swaps = np.full_like(g.value, np.nan), np.zeros(35, np.int8)
    if shanten <= DEEPEST:
        back = max(shanten, 0) + 1
        for g.deepest, g.swaps in ((min(back, MOST_SWAPPED), 1), (back, 0)):
            expect(tables(), rules, g)
            new = np.isnan(value[:, WIN, 0]) & ~np.isnan(g.value[:, WIN, 0])
            value[new], swaps[new] = g.value[new], g.swaps
    return value, swaps


def analyse_hand(
    hand: str,
    melds: Sequence[Meld] = (),
    *,
    dora_indicators: str = "",
    round_wind: str = "E",
    seat_wind: str = "S",
    visible: str = "",
    draws: int = 12,
    objective: str = "points",
    claims: bool = False,
    rules: Rules = Rules.tenhou(),  # noqa: B008 (frozen)
) -> Analysis:
    """Look at every discard of a hand of 14 tiles (or at a hand of 13): shanten, accepted tiles, probabilities, points.

    Less 3 tiles for each meld. `visible` are further tiles that can be seen, such as those in the rivers, `draws` is
    how many tiles the player still draws. What exactly is worked out stands in `docs/lookahead.md`.
    """
    groups = read_melds(melds, MELD_NAMES)
    tiles = read_hand(hand, (14 - 3 * len(groups), 13 - 3 * len(groups)), len(groups))
    indicators = read_indicators(dora_indicators, "dora")
    seen = tiles + [tile for _, group in groups for tile in group] + indicators + parse(visible)
    check_tiles(seen, rules.red_fives)
    winds = read_wind(round_wind, "round wind"), read_wind(seat_wind, "seat wind")
    if not 1 <= draws <= DRAWS:
        raise ValueError(f"{draws} draws left: expected 1 to {DRAWS}")
    if objective not in OBJECTIVES:
        raise ValueError(f"the objective {objective!r} is unknown: choose one of {', '.join(OBJECTIVES)}")
    unseen = 4 - to_counts(seen)
    record = rules_record(rules)

    g, q, u = _records()
    for query in (g, q):
        _fill(query, tiles, groups, indicators, unseen)
        query.round_wind, query.seat_wind = winds
        query.last = KIND_OF[tiles[-1]] if len(tiles) % 3 == 2 else -1
        query.reach = REACH
    g.in_melds[:] = to_counts([tile for _, group in groups for tile in group]) if groups else 0
    g.red_unseen[:] = [rules.red_fives and RED + suit not in seen for suit in range(3)]
    g.ura = max(1, len(indicators)) if rules.ura_dora else 0
    g.indicator_of[:] = INDICATOR_OF
    g.discarded = 0
    g.draws, g.objective, g.claims = draws, OBJECTIVES[objective], claims
    fill_ukeire(tables(), g.hand, g.key, g.melds, g.unseen, u)
    shanten = int(u.shanten[34])
    values, swaps = _expect(g, record, shanten)
    search_wins(tables(), patterns(), record, q)

    value = None
    if shanten < 0:
        names = [NAMES[tile] for tile in tiles]
        value = evaluate(
            "".join(names[:-1]), names[-1], melds, tsumo=True, round_wind=round_wind, seat_wind=seat_wind,
            dora_indicators=dora_indicators, rules=rules,
        )  # fmt: skip
    rows = [34] if len(tiles) % 3 == 1 else [kind for kind in range(KINDS) if u.shanten[kind] != FAR]
    discards = [_row(row, tiles, g, q, u, values[row], int(swaps[row])) for row in rows]
    measure = OBJECTIVES[objective]

    def rank(row: Discard) -> tuple[float, ...]:
        probability = row.points if measure == POINTS else row.win
        return (-1.0 if probability is None else probability, -row.shanten, row.unseen, max(row.best))

    discards.sort(key=rank, reverse=True)
    return Analysis(
        hand=[NAMES[tile] for tile in sorted(tiles, key=sort_key)],
        melds=[to_text(group) for _, group in groups],
        dora=[NAMES[DORA_OF[tile]] for tile in indicators],
        shanten=shanten, draws=draws, pool=int(unseen.sum()), objective=objective, claims=claims,
        value=value, discards=discards,
    )  # fmt: skip


def _row(
    row: int, tiles: list[int], g: np.record, q: np.record, u: np.record, value: np.ndarray, swaps: int
) -> Discard:
    """One row of the analysis. Of fives, a plain one is thrown before the red one."""
    held = [tile for tile in range(TILES) if KIND_OF[tile] == row and tile in tiles] if row < KINDS else []
    mask = int(u.accepts[row])
    now = value[:, g.draws]
    known = not np.isnan(now[WIN])
    return Discard(
        tile=NAMES[held[0]] if held else "",
        shanten=int(u.shanten[row]),
        accepts={NAMES[kind]: int(g.unseen[kind]) for kind in range(KINDS) if mask >> kind & 1},
        unseen=int(u.unseen[row]),
        tenpai=float(now[TENPAI]) if known else None,
        win=float(now[WIN]) if known else None,
        points=float(now[POINTS]) if known else None,
        win_by_draws=[float(p) for p in value[WIN, : g.draws + 1]] if known else None,
        swaps=swaps,
        best=[int(points) for points in q.best[row]],
    )


def warm_up() -> None:
    """The analysis of hands."""
    analyse_hand("123m4067p234789s1z", dora_indicators="3p", draws=2)
    analyse_hand("123m456p789s11222z", draws=1)
