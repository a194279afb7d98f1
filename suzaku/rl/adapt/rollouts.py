"""Trajectories from a position: what a seat cannot see redrawn, the round played to its end, its decisions kept.

The position is first reduced to what the seat sees (`hide`): nothing that follows can depend on anything else.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from suzaku.agents.suphx import SuphxAgent
from suzaku.arena.single_rounds import ROOM
from suzaku.record_copy import join, take
from suzaku.riichi.game import GAME
from suzaku.riichi.hidden import hide, resample_hidden
from suzaku.riichi.state import INDICATORS
from suzaku.rl.policy import learnable
from suzaku.rl.trajectories import Decisions

KeepOn = Callable[[], bool]  # whether there is time left


def always() -> bool:
    """No limit."""
    return True


@dataclass
class Rollouts:
    """Rounds that were played to their end."""

    before: np.ndarray  # STATE[n]: the tables as they were redrawn
    ended: np.ndarray  # the tables afterwards; the next round is dealt there, unless the game is over
    decisions: Decisions | None  # of the seat, where a model that learns was asked; None where there were none


NAMED = ("deal", "round_no", "honba", "sticks", "scores", "left", "phase", "seat", "discards", "offer", "drawn")


def name_of(view: np.ndarray, seat: int) -> int:
    """A number that follows from what a seat sees of a table (an array of one), and not from earlier rounds there."""
    s = view[0]
    rivers = [s.river[p, : s.river_size[p]] for p in range(4)]
    seen = [view[name] for name in NAMED] + [s.hand[seat], s.red[seat], s.wall[INDICATORS[: s.indicators]], *rivers]
    found = hashlib.sha256(b"|".join(np.ascontiguousarray(part).tobytes() for part in (*seen, np.int8(seat))))
    return int.from_bytes(found.digest()[:8], "little")


def redrawn(record: np.ndarray, seat: int, deals: int, seed: tuple[int, ...]) -> np.ndarray:
    """Copies of a table (STATE[1]), each with other hidden tiles; they follow from what `seat` sees and the seed."""
    view = hide(record, seat)
    tables = take(view, np.zeros(deals, np.int64))
    resample_hidden(tables, seat, np.random.default_rng((*seed, name_of(view, seat))))
    return tables


def roll_out(
    own: SuphxAgent,
    others: SuphxAgent,
    tables: np.ndarray,
    seat: int,
    streams: np.ndarray,
    models: tuple[str, ...] = (),
    keep_on: KeepOn = always,
    tell: Callable[[int], None] | None = None,
) -> Rollouts | None:
    """Play the round of each table to its end, `own` in a seat and `others` in the other three.

    The decisions are those that some of `models` made. None if the time was over before. `tell` hears how many rounds
    have ended.
    """
    before, records = tables, tables.copy()
    n = len(records)
    legal = np.zeros((n, GAME.actions), np.bool_)
    for record, row in zip(records, legal, strict=True):
        GAME.legal(GAME.tables(), record, row)
    seats, followed = records["seat"].copy(), np.zeros(n, np.bool_)
    hands, over = np.zeros((n, 4), GAME.hands), np.zeros(n, np.int64)
    moves, moved = np.zeros((n, ROOM), np.uint8), np.zeros(n, np.int64)
    found: list[Decisions] = []
    while (open_ := seats >= 0).any():
        if not keep_on():
            return None
        actions = np.zeros(n, np.int64)
        for agent, mine in ((own, open_ & (seats == seat)), (others, open_ & (seats != seat))):
            places = np.flatnonzero(mine)
            if not len(places):
                continue
            asked = take(records, places)
            answers = agent.act(asked, legal[places], streams[places])
            actions[places] = answers.actions
            if agent is own and models:
                found.append(_decided(asked, legal[places], answers.actions, answers.log_prob, places, moved[places]))
        GAME.play_on(GAME.tables(), records, actions, legal, seats, followed, hands, moves, moved, over)
        seats[hands["hands"][:, 0] > 0] = -1
        if tell:
            tell(int((seats < 0).sum()))
    return Rollouts(before, records, _together(found, models) if found else None)


def _decided(
    records: np.ndarray,
    legal: np.ndarray,
    actions: np.ndarray,
    log_prob: np.ndarray | None,
    places: np.ndarray,
    at: np.ndarray,
) -> Decisions:
    assert log_prob is not None
    none = np.zeros(len(places), np.int64)
    return Decisions(records, legal, actions.astype(np.int64), log_prob.astype(np.float32), places, none, [], at)


def _together(found: list[Decisions], models: tuple[str, ...]) -> Decisions | None:
    """All decisions that some of the models made, in the order of the tables."""
    kept = [part.part(rows) for part in found if len(rows := np.flatnonzero(learnable(part, models)))]
    if not kept:
        return None
    columns = (np.concatenate([getattr(part, name) for part in kept]) for name in _COLUMNS)
    legal, action, log_prob, game, round_, at = columns
    whole = Decisions(join([part.records for part in kept]), legal, action, log_prob, game, round_, [], at)
    return whole.part(np.argsort(game, kind="stable"))


_COLUMNS = ("legal", "action", "log_prob", "game", "round", "at")
