"""The expected planes of Gao et al.: the past ones from the table as it was at the seat's earlier turns."""

import functools
from typing import NamedTuple

from tests.features.expected.seen import FIVES, Seen, counted, kind_of
from tests.features.expected.situation import rank

Plane = list[list[int]]


class Moment(NamedTuple):
    """A table now, and the tables at which the asked seat discarded before, oldest first."""

    now: Seen
    before: list[Seen]


def _counts(kinds: list[int]) -> Plane:
    return [[int(n > i) for i in range(4)] for n in counted(kinds)]


def _rows(kinds: list[int]) -> Plane:
    return [[int(kind in kinds)] * 4 for kind in range(34)]


def _full(flag: object) -> Plane:
    return _rows(list(range(34)) if flag else [])


@functools.cache
def _hand(t: Seen) -> Plane:
    return [[int(n > i) for i in range(4)] for n in t.hands[t.p]]


@functools.cache
def _discards(t: Seen) -> list[Plane]:
    return [_counts([discard.kind for discard in t.rivers[q]]) for q in t.seats]


@functools.cache
def _melds(t: Seen) -> list[Plane]:
    return [_counts([kind for meld in t.melds[q] for kind in meld.kinds]) for q in t.seats]


def _indicators(t: Seen) -> Plane:
    return _counts([kind_of(tile) for tile in t.indicators])


def _riichi(t: Seen) -> list[Plane]:
    return [_full(t.riichi[q]) for q in t.seats[1:]]


def _one_of(number: int, count: int) -> list[Plane]:
    return [_full(i == number) for i in range(count)]


def _past(m: Moment, ago: int) -> list[Plane]:
    if ago > len(m.before):
        return [_full(False)] * (13 if ago == 1 else 9)
    t = m.before[-ago]
    planes = [_hand(t), *_discards(t), *_melds(t)]
    return [*planes, _indicators(t), *_riichi(t)] if ago == 1 else planes


GAOS = {
    "own_hand": lambda m: [_hand(m.now)],
    "red_mark": lambda m: [_rows([FIVES[suit] for suit in range(3) if m.now.reds[m.now.p][suit]])],
    "discards": lambda m: _discards(m.now),
    "stolen": lambda m: _melds(m.now),
    "dora_indicators": lambda m: [_indicators(m.now)],
    "riichi_players": lambda m: _riichi(m.now),
    "own_rank": lambda m: _one_of(rank(m.now), 4),
    "kyoku": lambda m: _one_of(min(7, int(m.now.s.round_no)), 8),
    "round_wind": lambda m: [_rows([27 + int(m.now.s.round_no) // 4])],
    "own_wind": lambda m: [_rows([27 + (m.now.p - int(m.now.s.dealer)) % 4])],
    **{f"past_{ago}": (lambda m, ago=ago: _past(m, ago)) for ago in range(1, 7)},
}
