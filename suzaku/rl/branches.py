"""Positions at which a two-way model was asked, and both answers rolled out to the end of the round.

- Positions of self-play at which a two-way model was asked: one of each game, so that they are independent.
- Both branches of many positions, rolled out to the end of the round on the same tables.
- What the end of a round is worth by the reward predictor (Suphx 3.2), instead of its points.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from suzaku.agents.agent import Agent
from suzaku.agents.network import MELDS
from suzaku.agents.suphx import CLAIMS, SuphxAgent
from suzaku.arena.single_rounds import ROOM
from suzaku.learning.reward import RewardModel
from suzaku.records.stored import Stored, lot_of, table_after
from suzaku.riichi import actions as act
from suzaku.riichi.game import GAME, SITUATION
from suzaku.riichi.state import GAME_OVER, INDICATORS, REPLACEMENTS, URA_INDICATORS, WALL
from suzaku.rl.buffer import replay_games
from suzaku.rl.policy import learnable
from suzaku.table.tables import join, take

# The two branches differ by one answer. Yes is the action itself. No is what the flow (`suzaku/agents/network.py`)
# does otherwise: it goes on to the questions that come after this one, and those that came before stay answered with
# no.


@dataclass
class Positions:
    """Questions to one model."""

    records: np.ndarray  # STATE[n]: the table as it was, everything included
    legal: np.ndarray  # bool[n, 120]: with a no to this question
    action: np.ndarray  # int64[n]: of a yes
    yes: np.ndarray  # float32[n]: the probability of yes that the player gave
    game: list[str]  # its id
    at: np.ndarray  # int64[n]: how many actions of the game came before

    def __len__(self) -> int:
        return len(self.action)

    def part(self, rows: slice) -> "Positions":
        """Some of the positions."""
        return Positions(
            self.records[rows], self.legal[rows], self.action[rows], self.yes[rows], self.game[rows], self.at[rows]
        )


def find_positions(agent: SuphxAgent, games: Sequence[Stored], model: str, seed: int) -> Positions:
    """Of each game that has any, one question to the model that the player's flow came to, at random."""
    decisions = replay_games(games)
    rows = _one_of_each(np.flatnonzero(learnable(decisions, (model,))), decisions.game, games, seed)
    decisions = decisions.part(rows)
    said = agent.opinions(decisions.records, decisions.legal)
    if model == "riichi":
        asked = ~np.isnan(said.riichi)
        action, yes = np.full(len(rows), act.RIICHI), said.riichi
        before = np.ones((len(rows), act.WIN_DRAW - act.CHOW_LOW), np.bool_)
    else:
        asked, action, yes = _claims_asked(decisions.action, said.melds, CLAIMS[model], seed)
        before = said.melds >= yes[:, None]
    legal = decisions.legal.copy()
    legal[:, MELDS] &= ~before
    legal[np.arange(len(rows)), action] = False
    kept = np.flatnonzero(asked)
    ids = [games[number].id for number in decisions.game[kept]]
    return Positions(take(decisions.records, kept), legal[kept], action[kept], yes[kept], ids, decisions.at[kept])


def _one_of_each(rows: np.ndarray, game: np.ndarray, games: Sequence[Stored], seed: int) -> np.ndarray:
    """One row of every game."""
    found = []
    for number in np.unique(game[rows]):
        mine = rows[game[rows] == number]
        found.append(mine[np.random.default_rng((seed, lot_of(games[number].id))).integers(len(mine))])
    return np.array(found, np.int64)


def _claims_asked(
    made: np.ndarray, melds: np.ndarray, actions: tuple[int, int], seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of each decision one claim of a model that the flow asked about: if any, which action, and how sure it was.

    The surest is asked first: those less sure than the meld that was made were not asked about.
    """
    rows = np.arange(len(made))
    is_meld = (made >= act.CHOW_LOW) & (made < act.WIN_DRAW)
    sure = np.where(is_meld, melds[rows, np.where(is_meld, made - act.CHOW_LOW, 0)], -1.0)
    asked = melds >= sure[:, None]  # NaN, where there was no question, is never more
    asked[:, : actions[0] - act.CHOW_LOW] = False
    asked[:, actions[1] - act.CHOW_LOW :] = False
    draw = np.random.default_rng((seed, 1)).random(asked.shape)
    which = np.where(asked, draw, -1.0).argmax(1)
    return asked[rows, which], which + act.CHOW_LOW, melds[rows, which]


def records_at(games: dict[str, Stored], ids: Sequence[str], at: Sequence[int]) -> np.ndarray:
    """The tables of positions that were stored."""
    if not len(ids):
        return np.zeros(0, GAME.record)
    return join([table_after(games[name], number) for name, number in zip(ids, at, strict=True)])


# Each position is copied, what is to be redrawn is redrawn, and every copy is played on twice: once with yes, once
# with no, by the player itself in all seats and with the same random numbers. What the seat has at the end with yes,
# less what it has with no, is one label; the luck that both branches share is gone from it.
#
# What is redrawn (`redraw`):
# - "wall": the tiles of the wall that nobody has seen. The others' hands stay as self-play brought them about: a fair
#   draw from what they may hold after all that was seen. A single label knows them, the mean over positions does not.
# - "hidden": all that the seat cannot see (`suzaku/riichi/redraw.py`). Labels then depend on what the seat sees alone,
#   but the others' hands are drawn as if all were equally likely: weaker than those of players who chose them.

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
        GAME.redraw(tables, int(tables["seat"][0]), rng)
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


def predicted(model: RewardModel) -> Worth:
    """The predicted reward of the game after the round; the true one if it is over."""

    def worth(before: np.ndarray, ended: np.ndarray) -> np.ndarray:
        rows = np.zeros((len(ended), 2), SITUATION)
        for name in SITUATION.names or ():
            rows[name][:, 0], rows[name][:, 1] = before[name], ended[name]
        paid = (before["riichi"] > 0) & (before["riichi_due"][:, None] != np.arange(4))  # since the round began
        rows["scores"][:, 0] += 1000 * paid
        rows["sticks"][:, 0] -= paid.sum(1)
        found = np.stack([places[-1] for places in model.places(list(rows))]) @ model.rewards
        over = ended["phase"] == GAME_OVER
        found[over] = model.rewards[ended["ranks"][over]]
        return found

    return worth
