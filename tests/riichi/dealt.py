"""Walls for tests: given hands and draws, anything else filled in."""

import numpy as np

from suzaku.agents.simple import TsumogiriAgent
from suzaku.riichi import actions
from suzaku.riichi.rules import Rules
from suzaku.riichi.state import WALL
from suzaku.riichi.table import Table
from suzaku.tiles import full_set, parse


def wall(hands: list[str], draws: str) -> np.ndarray:
    """A wall that deals these 13 tiles to each seat from the dealer on (`?` leaves them open), and then these draws."""
    named = {}
    for seat, hand in enumerate(hands):
        places = [135 - 16 * block - 4 * seat - i for block in range(3) for i in range(4)] + [135 - 48 - seat]
        named.update(zip(places, parse(hand) if hand != "?" else [], strict=False))
    named.update({135 - 52 - i: tile for i, tile in enumerate(parse(draws))})
    rest = full_set().tolist()
    for tile in named.values():
        rest.remove(tile)
    rest = np.random.default_rng(1).permutation(rest).tolist()
    return np.array([named[place] if place in named else rest.pop() for place in range(WALL)], np.int8)


# The dealer waits for 1m and 4m with the first draw, and seat 2 throws a 4m at once.
RIICHI = wall(["23m123m456p789s11z", "?", "?", "?"], "9p5z4m")
# The dealer has a pair of white dragons, and seat 1 throws one.
PONG = wall(["1379m1359p159s55z", "?", "?", "?"], "2z5z")


def last_place() -> tuple[np.ndarray, np.ndarray]:
    """Seat 0 may win on a discard in the last round, and would be fourth."""
    table = Table.deal([RIICHI], Rules.tenhou_east())
    table.act(actions.RIICHI)
    table.act("discard drawn tile")
    while actions.WIN_DISCARD not in table.legal_actions():
        answer = TsumogiriAgent().act(table.record.reshape(1), table.legal_mask()[None])
        table.act(int(answer.actions[0]))
    record = table.record.reshape(1).copy()
    assert record["seat"][0] == 0
    record["round_no"], record["dealer"] = 3, 3
    record["scores"][0] = [0, 40_000, 90_000, 140_000]
    return record, table.legal_mask()[None]
