"""The cheapest measure of strength: single rounds from many situations, the challenger in each seat in turn.

Each wall is played five times: by four of the base, and with the challenger in each of the four seats. What it gains
is its points less those that the base had in the same seat on the same wall. The noise of the deal cancels, and a round
costs a tenth of a game. So a few thousand walls tell as much as the average rank of ten thousand hanchan. It sees
points only, not places: the final word is a match of whole games.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from suzaku.agents.agent import Agent
from suzaku.agents.make import make_agent
from suzaku.arena.selfplay import self_play
from suzaku.arena.statistics import mean_interval
from suzaku.records.stored import table_after
from suzaku.seeds import read_seed
from suzaku.table.game import Game, game_named
from suzaku.table.tables import take

GAMES = 64  # of `heuristic`, whose rounds are the situations
TABLES = 1000  # rounds played side by side
ROOM = 1024  # moves of a round, far more than there can be
POOL_SEED = 20_240_422


@dataclass
class Gain:
    """What the challenger gains over the base, in points a round."""

    mean: float
    half: float  # half of the 95 % interval
    walls: int
    digits: int = 0  # behind the point, when it is told

    def __str__(self) -> str:
        return f"{self.mean:+.{self.digits}f} ± {self.half:.{self.digits}f} points a round ({self.walls:,} walls)"


def situations(games: int = GAMES) -> np.ndarray:
    """int64[n, 7]: round, honba, sticks and scores at the start of the rounds of some games of Riichi's `heuristic`."""
    found, game = [], game_named("riichi")
    for stored in sorted(self_play("heuristic", range(games), POOL_SEED), key=lambda one: one.id):
        table, deal = table_after(stored, 0)[0], 0
        for action in stored.actions.tolist():
            if table.deal != deal:
                deal = int(table.deal)
                found.append(game.stands(table))
            game.step(game.tables(), table, action)
            game.deal_stored(game.tables(), table, stored.walls)
    return np.array(found, np.int64)


def pool_of(game: Game) -> np.ndarray | None:
    """The situations in which rounds of a game begin; None if its rounds are all alike."""
    return situations() if game.situations else None


def deal_rounds(
    game: Game, pool: np.ndarray | None, walls: np.ndarray, seed: int, rules: Any
) -> tuple[np.ndarray, np.ndarray]:
    """A round on each wall (by number), begun in a situation of the pool: the tables, and what is legal there."""
    tables = game.tables()
    records, legal = np.zeros(len(walls), game.record), np.zeros((len(walls), game.actions), np.bool_)
    for i, wall in enumerate(walls.tolist()):
        table = game.table_of(rules, read_seed(seed), wall)
        if pool is not None and game.set_start:
            game.set_start(table[0], pool[np.random.default_rng((seed, wall)).integers(len(pool))].tolist())
        game.deal_round(tables, table[0])
        records[i] = table[0]
        game.legal(tables, records[i], legal[i])
    return records, legal


def gain(
    challenger: Agent,
    base: Agent,
    walls: int,
    seed: int = 0,
    rules: Any = None,
    pool: np.ndarray | None = None,
    tell: Callable[[int], None] | None = None,
) -> Gain:
    """How much the challenger gains over the base."""
    game = game_named(base.game)
    pool = pool_of(game) if pool is None else pool
    rules = rules or game.rules()
    plays = game.seats + 1
    points = np.zeros((plays, walls, game.seats), np.int64)
    for first in range(0, plays * walls, TABLES):
        jobs = np.arange(first, min(first + TABLES, plays * walls))
        records, legal = deal_rounds(game, pool, jobs // plays, seed, rules)
        points[jobs % plays, jobs // plays] = play_out(game, challenger, base, jobs % plays - 1, records, legal)
        if tell:
            tell(int(jobs[-1]) // plays)
    # what the challenger has in each seat, less what the base has there when it plays alone
    by_wall = np.mean([points[1 + seat, :, seat] - points[0, :, seat] for seat in range(game.seats)], axis=0)
    mean, half = mean_interval(by_wall)
    return Gain(mean, half, walls, game.digits)


def play_out(
    game: Game, challenger: Agent, base: Agent, own: np.ndarray, records: np.ndarray, legal: np.ndarray
) -> np.ndarray:
    """The points of each seat in these rounds. `own` is the challenger's in each, -1 where the base plays alone."""
    n = len(records)
    tables = game.tables()
    seats, followed = records["seat"].copy(), np.zeros(n, np.bool_)
    hands, over = np.zeros((n, game.seats), game.hands), np.zeros(n, np.int64)
    moves, moved = np.zeros((n, ROOM), np.uint8), np.zeros(n, np.int64)
    before = records["scores"].astype(np.int64)
    while (open_ := seats >= 0).any():
        actions = np.zeros(n, np.int64)
        for agent, mine in ((challenger, open_ & (seats == own)), (base, open_ & (seats != own))):
            places = np.flatnonzero(mine)
            if len(places):
                actions[places] = agent.act(take(records, places), legal[places]).actions
        game.play_on(tables, records, actions, legal, seats, followed, hands, moves, moved, over)
        seats[hands["hands"][:, 0] > 0] = -1  # the round is over; the next one, dealt by itself, is not played
    return records["scores"].astype(np.int64) - before


def gain_of(challenger: str, base: str, walls: int, seed: int = 0) -> Gain:
    """The same for agents by name."""
    one, other = make_agent(challenger, cheating=True), make_agent(base, cheating=True)
    for agent in (one, other):
        agent.expect_many()
    return gain(one, other, walls, seed)
