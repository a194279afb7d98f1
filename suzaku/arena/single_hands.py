"""Single hands of MCR: the same measure as in `single_rounds.py`, where a game is one hand and needs no situation."""

import numpy as np

from suzaku.agents.agent import Agent
from suzaku.arena.single_rounds import TABLES, Gain, gain_by_wall, play_out
from suzaku.mcr.deal import deal_round, start_game
from suzaku.mcr.game import GAME
from suzaku.mcr.rules import Rules
from suzaku.seeds import read_seed


def deal_hands(walls: np.ndarray, seed: int, rules: Rules) -> tuple[np.ndarray, np.ndarray]:
    """The hands of these numbers under a seed: the tables, and what is legal there."""
    tables = GAME.tables()
    records, legal = np.zeros(len(walls), GAME.record), np.zeros((len(walls), GAME.actions), np.bool_)
    records["rules"] = rules.to_record()
    for i, wall in enumerate(walls.tolist()):
        start_game(records[i], read_seed(seed), wall)
        deal_round(tables, records[i])
        GAME.legal(tables, records[i], legal[i])
    return records, legal


def gain(challenger: Agent, base: Agent, walls: int, seed: int = 0, rules: Rules | None = None) -> Gain:
    """How many points a hand the challenger gains over the base."""
    points = np.zeros((5, walls, 4), np.int64)
    for first in range(0, 5 * walls, TABLES):
        jobs = np.arange(first, min(first + TABLES, 5 * walls))
        records, legal = deal_hands(jobs // 5, seed, rules or Rules())
        points[jobs % 5, jobs // 5] = play_out(GAME, challenger, base, jobs % 5 - 1, records, legal)
    return gain_by_wall(points, 1)
