"""Both branches of many positions, rolled out to the end of the round on the same tables.

Each position is copied, what is to be redrawn is redrawn, and every copy is played on twice: once with yes, once with
no, by the player itself in all seats and with the same random numbers. What the seat has at the end with yes, less what
it has with no, is one label; the luck that both branches share is gone from it.

What is redrawn (`redraw`):
- "wall": the tiles of the wall that nobody has seen. The others' hands stay as self-play brought them about: a fair
  draw from what they may hold after all that was seen. A single label knows them, the mean over positions does not.
- "hidden": all that the seat cannot see (`suzaku/riichi/hidden.py`). Labels then depend on what the seat sees alone,
  but the others' hands are drawn as if all were equally likely: weaker than those of players who chose them.
"""

from collections.abc import Callable

import numpy as np

from suzaku.agents.agent import Agent
from suzaku.arena.single_rounds import ROOM
from suzaku.record_copy import join, take
from suzaku.records.stored import lot_of
from suzaku.riichi.game import GAME
from suzaku.riichi.hidden import resample_hidden
from suzaku.riichi.state import INDICATORS, REPLACEMENTS, URA_INDICATORS, WALL
from suzaku.rl.branches.positions import Positions

TABLES = 4096  # played side by side

Worth = Callable[[np.ndarray, np.ndarray], np.ndarray]  # tables before, tables when the round is over: float[n, 4]


def points(before: np.ndarray, ended: np.ndarray) -> np.ndarray:
    """What a round is worth to the seats: their points after it."""
    return ended["scores"].astype(np.float64)


def branch_differences(
    agent: Agent, positions: Positions, rollouts: int, redraw: str, seed: int, worth: Worth = points
) -> np.ndarray:
    """float32[n, rollouts]: what yes brought the seat more than no, on each redrawn table.

    It follows from the position, the seed and the player alone, whatever is rolled out beside it.
    """
    out = np.zeros((len(positions), rollouts), np.float32)
    each = max(1, TABLES // (2 * rollouts))
    for first in range(0, len(positions), each):
        part = positions.part(slice(first, first + each))
        out[first : first + each] = _differences(agent, part, rollouts, redraw, seed, worth)
    return out


def _differences(agent: Agent, positions: Positions, rollouts: int, redraw: str, seed: int, worth: Worth) -> np.ndarray:
    n = len(positions)
    drawn = join([redrawn(positions, i, rollouts, redraw, seed) for i in range(n)])
    streams = np.tile(np.arange(rollouts), n)
    yes = positions.action.repeat(rollouts)
    no = agent.act(drawn, positions.legal.repeat(rollouts, 0), streams).actions
    tables = join([drawn, drawn])
    before = tables.copy()
    play_round(agent, tables, np.concatenate([yes, no]), np.concatenate([streams, streams]))
    found = worth(before, tables)[np.arange(2 * n * rollouts), before["seat"]]
    return (found[: n * rollouts] - found[n * rollouts :]).reshape(n, rollouts)


def redrawn(positions: Positions, i: int, copies: int, redraw: str, seed: int) -> np.ndarray:
    """Copies of the table of a position, each with other tiles where they are to be redrawn."""
    name = (seed, lot_of(positions.game[i]), int(positions.at[i]), int(positions.action[i]))
    rng = np.random.default_rng(name)
    tables = take(positions.records, np.full(copies, i))
    if redraw == "hidden":
        resample_hidden(tables, int(tables["seat"][0]), rng)
        return tables
    places = unseen_places(tables[0])
    tiles = np.sort(tables["wall"][0, places])  # so that nothing depends on the order they had
    tables["wall"][:, places] = rng.permuted(np.tile(tiles, (copies, 1)), axis=1)
    tables["seed"] = rng.integers(2**64, size=copies, dtype=np.uint64)
    return tables


def unseen_places(record: np.record) -> np.ndarray:
    """The places of the wall that nobody has seen."""
    unseen = np.zeros(WALL, np.bool_)
    unseen[14 : record.next + 1] = True
    unseen[REPLACEMENTS[record.kongs :]] = True
    unseen[INDICATORS[record.indicators :]] = True
    unseen[URA_INDICATORS] = True
    return np.flatnonzero(unseen)


def play_round(agent: Agent, records: np.ndarray, actions: np.ndarray, streams: np.ndarray) -> None:
    """Carry out an action on each table, and let the agent play on for all seats until the round is over, in place.

    The next round is dealt then, unless the game is over.
    """
    n = len(records)
    tables = GAME.tables()
    legal = np.zeros((n, GAME.actions), np.bool_)
    seats, followed = records["seat"].copy(), np.zeros(n, np.bool_)
    hands, over = np.zeros((n, 4), GAME.hands), np.zeros(n, np.int64)
    moves, moved = np.zeros((n, ROOM), np.uint8), np.zeros(n, np.int64)
    actions = actions.astype(np.int64)
    while True:
        GAME.play_on(tables, records, actions, legal, seats, followed, hands, moves, moved, over)
        seats[hands["hands"][:, 0] > 0] = -1
        places = np.flatnonzero(seats >= 0)
        if not len(places):
            return
        actions[places] = agent.act(take(records, places), legal[places], streams[places]).actions
