"""Every group of every channel table against values worked out apart from the encoders (see `expected/`)."""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from suzaku.features import claims, oracle, suphx
from suzaku.features import gao as gao_encoder
from suzaku.features.channels import SUPHX_CHANNELS, first
from suzaku.riichi.actions import RIICHI
from suzaku.riichi.state import CALLED, CLAIM, RIICHI_DISCARD, ROB, TURN
from tests.features import made_up
from tests.features.expected import gao
from tests.features.expected.board import BOARD
from tests.features.expected.claims import CLAIMS, Claim
from tests.features.expected.hand import HAND
from tests.features.expected.oracle import ORACLES
from tests.features.expected.seen import Seen
from tests.features.expected.situation import SITUATION
from tests.features.expected.wins import LOOK_AHEAD
from tests.features.positions import TABLES, encoded, positions

EXPECTED: dict[str, dict[str, Callable[[Any], np.ndarray]]] = {
    "suphx": {**BOARD, **SITUATION, **HAND, **LOOK_AHEAD},
    "claim": CLAIMS,
    "oracle": ORACLES,
    "gao": gao.GAOS,
}
SLOW = {*LOOK_AHEAD, "claim_reach", "claim_chance_after"}  # tens of milliseconds a position
GROUPS = [(table, group.name) for table, groups in TABLES.items() for group in groups]


NEVER_SET = {  # a seat is first asked with 69 tiles left; hands that wait for a tile are not complete
    "suphx.left.34", "claim.claim_shanten.0", "oracle.other_shanten.0", "oracle.other_shanten.8",
    "oracle.other_shanten.16",
}  # fmt: skip


class Cases(NamedTuple):
    """What the expected values are worked out from, and what the encoder wrote."""

    sources: list[Any]
    planes: np.ndarray


def covering(planes: np.ndarray) -> list[int]:
    """Positions, chosen one by one, that set between them every channel that any position sets."""
    sets = planes.reshape(*planes.shape[:2], -1).any(-1)
    left, chosen = sets.any(0), []
    while left.any():
        chosen.append(int((sets & left).sum(1).argmax()))
        left &= ~sets[chosen[-1]]
    return chosen


def part_of(table: str, name: str, planes: np.ndarray) -> np.ndarray:
    """The channels of one group."""
    at = first(TABLES[table], name)
    return planes[:, at : at + next(group.count for group in TABLES[table] if group.name == name)]


@functools.cache
def chosen(table: str) -> list[int]:
    """The positions of the quick groups: those that cover all channels, rare phases, and every tenth."""
    n = len(encoded(table))
    rare = [] if table == "claim" else np.flatnonzero(np.isin(positions().records["phase"], [RIICHI_DISCARD, ROB]))
    called = [] if table == "claim" else np.flatnonzero(positions().records["phase"] == CALLED)[::4]
    return sorted({*covering(encoded(table)), *range(0, n, 10), *map(int, rare), *map(int, called)})


@functools.cache
def seen() -> list[Seen]:
    """All positions as plain lists."""
    return [Seen(s) for s in positions().records]


@functools.cache
def moments() -> list[gao.Moment]:
    """All positions with what came before them in their rounds."""
    found, history, last = [], [[], [], [], []], -1
    for t, action in zip(seen(), positions().actions, strict=True):
        if len(t.discards) < last:
            history = [[], [], [], []]
        last = len(t.discards)
        found.append(gao.Moment(t, list(history[t.p])))
        if action < 38:
            history[t.p].append(t)
    return found


@functools.cache
def claims_seen() -> list[Claim]:
    """All claims."""
    at = positions()
    return [Claim(seen()[i], int(action)) for i, action in zip(at.claimed, at.claims, strict=True)]


@functools.cache
def cases(table: str, slow: bool) -> Cases:
    """The positions that a group is compared on."""
    if slow:
        return claim_cases() if table == "claim" else look_ahead_cases()
    sources: list[Any] = {"claim": claims_seen, "gao": moments}.get(table, seen)()
    sources = [sources[i] for i in chosen(table)]
    planes = encoded(table)[chosen(table)]
    if table == "claim":
        rich, written = rich_claims()
        return Cases(sources + rich, np.concatenate([planes, written]))
    records, some = positions().records, slice(None, None, 30)
    if table == "gao":
        more = made_up.other_standings(records[some])
        sources += [gao.Moment(Seen(s), then.before) for s, then in zip(more, moments()[some], strict=True)]
        planes = np.concatenate([planes, gao_encoder.encode_many(more)])
    elif table == "oracle":
        more = np.concatenate([made_up.equal_indicators(records[some]), made_up.fours(records[some])])
        sources += [Seen(s) for s in more]
        planes = np.concatenate([planes, oracle.encode_many(more)])
    elif table == "suphx":
        kinds = made_up.other_standings, made_up.equal_indicators, made_up.long_rivers
        able = records[positions().legal[:, RIICHI]][0]
        more = np.concatenate([*(make(records[some]) for make in kinds), made_up.riichi_limits(able)])
        sources += [Seen(s) for s in more]
        planes = np.concatenate([planes, suphx.encode_many(more, lookahead=False)])
    return Cases(sources, planes)


def slow_places(table: str) -> list[int]:
    """The positions of the look-ahead: those that cover its channels, and some others with a win in reach."""
    planes = np.concatenate([part_of(table, n, encoded(table)) for n in EXPECTED[table] if n in SLOW], axis=1)
    near = np.flatnonzero(planes.any((1, 2)))
    return sorted({*covering(planes), *map(int, near[:: len(near) // 20])})


def look_ahead_cases() -> Cases:
    """Positions of the games, and hands that pay much."""
    records = positions().records
    both = np.concatenate([records[slow_places("suphx")], made_up.rich_hands(early(TURN))])
    return Cases([Seen(s) for s in both], suphx.encode_many(both))


def early(phase: int) -> np.record:
    """The first position of a phase; nobody has a meld yet."""
    return next(s for s in positions().records if s.phase == phase and not s.melds.any())


def rich_claims() -> Cases:
    """Claims that pay much."""
    made = zip(made_up.rich_claims(early(CLAIM)), made_up.dora_kongs(early(TURN)), strict=True)
    records, actions = (np.concatenate(both) for both in made)
    sources = [Claim(Seen(s), int(action)) for s, action in zip(records, actions, strict=True)]
    return Cases(sources, claims.encode_many(records, actions)[:, SUPHX_CHANNELS:])


def claim_cases() -> Cases:
    """Claims of the games, and some that pay much."""
    places, (rich, written) = slow_places("claim"), rich_claims()
    sources = [claims_seen()[i] for i in places]
    return Cases(sources + rich, np.concatenate([encoded("claim")[places], written]))


@functools.cache
def expected(table: str, name: str) -> np.ndarray:
    """The values of a group for its cases."""
    values = np.array([EXPECTED[table][name](source) for source in cases(table, name in SLOW).sources], np.uint8)
    values.flags.writeable = False
    return values


def wrong(table: str, name: str, part: np.ndarray) -> np.ndarray:
    """The cases in which the channels of a group are not as expected."""
    differs = part != expected(table, name)
    return np.flatnonzero(differs.any(tuple(range(1, differs.ndim))))


def test_every_group_has_an_expectation():
    for table, groups in TABLES.items():
        assert [group.name for group in groups] == list(EXPECTED[table])


@pytest.mark.parametrize(("table", "name"), GROUPS)
def test_a_group_is_as_expected(table, name):
    found = wrong(table, name, part_of(table, name, cases(table, name in SLOW).planes))
    assert not len(found), f"{len(found)} cases differ, the first of them number {found[0]}"


@pytest.mark.parametrize(("table", "name"), GROUPS)
def test_a_wrong_group_is_noticed(table, name):
    """The check above, on planes in which this group is spoilt in one of several ways."""
    part = part_of(table, name, cases(table, name in SLOW).planes)
    kinds = 2  # the axis of the kinds of tiles
    spoilt = {"empty": np.zeros_like(part), "of the case before": np.roll(part, 1, 0)}
    if part.shape[1] > 1:
        spoilt["a channel late"] = np.roll(part, 1, 1)
    if (part != part[:, :, :1]).any():
        spoilt["a kind late"] = np.roll(part, 1, kinds)
    for how, mutant in spoilt.items():
        assert len(wrong(table, name, mutant)), how


def test_every_channel_that_can_be_set_is_set_in_some_case():
    never = {
        f"{table}.{name}.{channel}"
        for table, name in GROUPS
        for part in [part_of(table, name, cases(table, name in SLOW).planes)]
        for channel in np.flatnonzero(~part.any((0, *range(2, part.ndim))))
    }
    assert never == NEVER_SET
