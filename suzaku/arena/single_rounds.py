"""The cheapest measure of strength: single rounds from many situations, the challenger in each seat in turn.

Each wall is played five times: by four of the base, and with the challenger in each of the four seats. What it gains
is its points less those that the base had in the same seat on the same wall. The noise of the deal cancels, and a round
costs a tenth of a game. So a few thousand walls tell as much as the average rank of ten thousand hanchan. It sees
points only, not places: the final word is a match of whole games.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from suzaku.agents.agent import Agent
from suzaku.agents.make import make_agent
from suzaku.arena.selfplay import self_play
from suzaku.arena.statistics import mean_interval
from suzaku.records.stored import table_after
from suzaku.riichi.deal import deal_round
from suzaku.riichi.game import GAME
from suzaku.riichi.rules import Rules
from suzaku.seeds import read_seed
from suzaku.table.game import Game
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
    """int64[n, 7]: round, honba, sticks and scores at the start of the rounds of some games of `heuristic`."""
    found = []
    for stored in sorted(self_play("heuristic", range(games), POOL_SEED), key=lambda one: one.id):
        table, deal = table_after(stored, 0)[0], 0
        for action in stored.actions.tolist():
            if table.deal != deal:
                deal = int(table.deal)
                found.append([table.round_no, table.honba, table.sticks, *table.scores])
            GAME.step(GAME.tables(), table, action)
            GAME.deal_stored(GAME.tables(), table, stored.walls)
    return np.array(found, np.int64)


def deal_rounds(pool: np.ndarray, walls: np.ndarray, seed: int, rules: Rules) -> tuple[np.ndarray, np.ndarray]:
    """A round on each wall (by number), begun in a situation of the pool: the tables, and what is legal there."""
    tables = GAME.tables()
    records, legal = np.zeros(len(walls), GAME.record), np.zeros((len(walls), GAME.actions), np.bool_)
    for i, wall in enumerate(walls.tolist()):
        start = pool[np.random.default_rng((seed, wall)).integers(len(pool))]
        table = GAME.new_table(rules, start.tolist())
        table["seed"], table["game"] = read_seed(seed), wall
        deal_round(tables, table[0])
        records[i] = table[0]
        GAME.legal(tables, records[i], legal[i])
    return records, legal


def gain(
    challenger: Agent,
    base: Agent,
    walls: int,
    seed: int = 0,
    rules: Rules | None = None,
    pool: np.ndarray | None = None,
    tell: Callable[[int], None] | None = None,
) -> Gain:
    """How much the challenger gains over the base."""
    pool = situations() if pool is None else pool
    rules = rules or Rules.tenhou()
    points = np.zeros((5, walls, 4), np.int64)
    for first in range(0, 5 * walls, TABLES):
        jobs = np.arange(first, min(first + TABLES, 5 * walls))
        records, legal = deal_rounds(pool, jobs // 5, seed, rules)
        points[jobs % 5, jobs // 5] = play_out(GAME, challenger, base, jobs % 5 - 1, records, legal)
        if tell:
            tell(int(jobs[-1]) // 5)
    return gain_by_wall(points)


def gain_by_wall(points: np.ndarray, digits: int = 0) -> Gain:
    """The gain from int64[5, walls, 4]: the points of the base alone, and with the challenger in each seat."""
    by_wall = np.mean([points[1 + seat, :, seat] - points[0, :, seat] for seat in range(4)], axis=0)
    mean, half = mean_interval(by_wall)
    return Gain(mean, half, points.shape[1], digits)


def play_out(
    game: Game, challenger: Agent, base: Agent, own: np.ndarray, records: np.ndarray, legal: np.ndarray
) -> np.ndarray:
    """The points of each seat in these rounds. `own` is the challenger's in each, -1 where the base plays alone."""
    n = len(records)
    tables = game.tables()
    seats, followed = records["seat"].copy(), np.zeros(n, np.bool_)
    hands, over = np.zeros((n, 4), game.hands), np.zeros(n, np.int64)
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
