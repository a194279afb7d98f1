"""The expected channels of the look-ahead: all wins within three replaced tiles, listed one by one and scored."""

import functools
import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from suzaku.riichi import Rules, evaluate_many
from suzaku.riichi.score import RIICHI
from tests.features.expected.seen import CLOSED_KONG, FIVES, ON, Seen, kind_of

POINTS = (1000, 2000, 3000, 3900, 5200, 6400, 7700, 8000, 12000, 16000, 24000, 32000)
REACH = 3
ORPHANS = [k for k in range(34) if k >= 27 or k % 9 in (0, 8)]
RUNS = [[k, k + 1, k + 2] for k in range(27) if k % 9 < 7]
SETS = RUNS + [[k, k, k] for k in range(34)]


@dataclass
class Hand:
    """What the look-ahead is asked about."""

    concealed: list[int]
    reds: list[int]
    melds: list[tuple[int, int]]  # type and lowest kind
    meld_han: int  # of doras and red fives in the melds
    last: int | None  # the kind just drawn
    unseen: list[int]
    dora: list[int]
    winds: tuple[int, int]
    wins: dict[int, list[tuple[list[int], list[int], int]]] = field(default_factory=dict)  # see `list_wins`

    @property
    def closed(self) -> bool:
        """Whether riichi can be declared."""
        return all(kind == CLOSED_KONG for kind, _ in self.melds)


def hand_of(t: Seen) -> Hand:
    """The asked seat's hand as it is."""
    melds, dora = t.melds[t.p], t.dora()
    han = sum(meld.red + sum(dora[kind] for kind in meld.kinds) for meld in melds)
    return Hand(
        t.hands[t.p],
        t.reds[t.p],
        [(meld.type, meld.kinds[0]) for meld in melds],
        han,
        kind_of(t.drawn) if t.turn == t.p and t.drawn >= 0 else None,
        t.unseen(),
        dora,
        (int(t.s.round_no) // 4, (t.p - int(t.s.dealer)) % 4),
    )


def _usual(hand: list[int], sets: int) -> Iterator[tuple[int, ...]]:
    """Pairs with so many sets that lack at most three tiles of the hand, with repetitions."""

    def grow(counts: list[int], lacks: int, start: int, missing: int) -> Iterator[tuple[int, ...]]:
        if lacks == 0:
            yield tuple(counts)
            return
        for i in range(start, len(SETS)):
            more = missing
            for kind in SETS[i]:
                counts[kind] += 1
                more += counts[kind] > hand[kind]
            if more <= REACH and max(counts[kind] for kind in SETS[i]) <= 4:
                yield from grow(counts, lacks - 1, i, more)
            for kind in SETS[i]:
                counts[kind] -= 1

    for pair in range(34):
        counts = [0] * 34
        counts[pair] = 2
        if 2 - hand[pair] <= REACH:
            yield from grow(counts, sets, 0, max(0, 2 - hand[pair]))


def _unusual(hand: list[int]) -> Iterator[tuple[int, ...]]:
    """Seven pairs and thirteen orphans that lack at most three tiles of the hand."""
    pairs = [kind for kind in range(34) if hand[kind] >= 2]
    others = [kind for kind in range(34) if hand[kind] < 2]
    for new in range(REACH + 1):
        for some in itertools.combinations(others, new):
            if sum(2 - hand[kind] for kind in some) <= REACH:
                for kept in itertools.combinations(pairs, 7 - new):
                    yield tuple(2 * (kind in kept or kind in some) for kind in range(34))
    for pair in ORPHANS:
        yield tuple((kind in ORPHANS) + (kind == pair) for kind in range(34))


def _points(hand: Hand, won: list[tuple[int, ...]], last: list[int]) -> list[int]:
    """What each complete hand pays on a discard of its last tile, with riichi if it is closed."""
    n, empty = len(won), [(0, 0)] * (4 - len(hand.melds))
    han = [
        hand.meld_han
        + sum(count * dora for count, dora in zip(counts, hand.dora, strict=True))
        + sum(min(counts[five], red) for five, red in zip(FIVES, hand.reds, strict=True))
        for counts in won
    ]
    melds = np.array([hand.melds + empty] * n, np.int8).reshape(n, 4, 2)
    return evaluate_many(
        np.array(won, np.int8).reshape(n, 34),
        np.array(last, np.int8),
        np.ascontiguousarray(melds[:, :, 0]),
        np.ascontiguousarray(melds[:, :, 1]),
        np.full(n, RIICHI if hand.closed else 0),
        np.full(n, hand.winds[0]),
        np.full(n, hand.winds[1]),
        np.array(han),
        Rules.tenhou(),
    )["ron"].tolist()


def list_wins(hand: Hand) -> None:
    """Fill in the wins by number of replaced tiles: the tiles lacking, those to spare, and the points."""
    held = hand.concealed
    found = set(_usual(held, 4 - len(hand.melds)))
    if not hand.melds:
        found |= set(_unusual(held))
    tried: list[tuple[tuple[int, ...], list[int], list[int], int]] = []
    for counts in found:
        lacks = [kind for kind in range(34) for _ in range(counts[kind] - held[kind])]
        spare = [kind for kind in range(34) if counts[kind] < held[kind]]
        if len(lacks) <= REACH and all(lacks.count(kind) <= hand.unseen[kind] for kind in lacks):
            last = set(lacks) if lacks else {hand.last} - {None}
            tried += [(counts, lacks, spare, kind) for kind in last if kind is not None]
    points = _points(hand, [row[0] for row in tried], [row[3] for row in tried]) if tried else []
    best: dict[tuple[int, ...], int] = {}
    for (counts, *_), paid in zip(tried, points, strict=True):
        best[counts] = max(best.get(counts, 0), paid)
    hand.wins = {k: [] for k in range(REACH + 1)}
    for counts, lacks, spare in {row[0]: row[:3] for row in tried}.values():
        if best[counts]:
            hand.wins[len(lacks)].append((lacks, spare, best[counts]))


def draws_left(t: Seen) -> int:
    """How many of the tiles left the asked seat draws if nobody calls."""
    return sum((t.turn + 1 + i) % 4 == t.p for i in range(int(t.s.left)))


def _share(x: float) -> int:
    return 0 if x <= 0 else min(ON, max(1, math.floor(x * ON + 0.5)))


def _by_draw(ways: int, k: int, unseen: int, draws: int) -> float:
    """The probability of k certain tiles, in so many ways: exact for one, else as for rare events."""
    if k == 1:
        return 1 - math.comb(unseen - ways, draws) / math.comb(unseen, draws)
    return 1 - math.exp(-ways * math.perm(draws, k) / math.perm(unseen, k))


def _by_claim(ways: int, k: int, unseen: int, draws: int, left: int) -> float:
    """The same when the last tile may be any that is still to be drawn."""
    if k == 1:
        return _by_draw(ways, 1, unseen, left)
    if draws < k - 1 or left < k:
        return 0.0
    return 1 - math.exp(-ways * left * math.perm(draws, k - 1) / math.perm(unseen, k))


def look_ahead(hand: Hand, draws: int, left: int) -> dict[str, np.ndarray]:
    """All channels of an answered question."""
    if not hand.wins:
        list_wins(hand)
    out = {name: np.zeros((REACH * len(POINTS), 34), np.uint8) for name in ("reach", "chance", "claim_chance")}
    now = max((points for _, _, points in hand.wins[0]), default=0)
    out["win_now"] = np.array([[ON * (now >= step)] * 34 for step in POINTS], np.uint8)
    out["best"] = np.zeros((REACH, 34), np.uint8)
    unseen, drawn = sum(hand.unseen), sum(hand.concealed) % 3 == 2
    for k, kind in itertools.product(range(1, REACH + 1), range(34)):
        rows = [row for row in hand.wins[k] if kind in row[1]]
        out["best"][k - 1, kind] = _share(min(1.0, max((row[2] for row in rows), default=0) / 32000))
        if k == 1 and not drawn:
            rows = hand.wins[1]  # without a drawn tile nothing needs to be thrown
        for level, step in enumerate(POINTS):
            lacking = [row[0] for row in rows if row[2] >= step]
            ways = sum(math.prod(math.comb(hand.unseen[j], n.count(j)) for j in set(n)) for n in lacking)
            if ways:
                at = len(POINTS) * (k - 1) + level
                out["reach"][at, kind] = ON
                out["chance"][at, kind] = _share(_by_draw(ways, k, unseen, draws))
                out["claim_chance"][at, kind] = _share(_by_claim(ways, k, unseen, draws, left))
    return out


@functools.cache
def _own(t: Seen) -> dict[str, np.ndarray]:
    return look_ahead(hand_of(t), draws_left(t), int(t.s.left))


LOOK_AHEAD = {
    name: (lambda t, name=name: _own(t)[name]) for name in ("win_now", "reach", "chance", "claim_chance", "best")
}
