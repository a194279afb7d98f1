"""The rule-based player of MCR: sensible in plain positions, legal everywhere, and able to win."""

import numpy as np

from suzaku.agents.make import make_agent
from suzaku.mcr import Tables
from suzaku.mcr import actions as act


def play(games: int, seed: int, names: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """One hand a table; the players move one seat on with every table. Points by player, and the last records."""
    agents = {name: make_agent(name, "mcr") for name in names}
    tables = Tables(games, seed=seed, restart=False)
    who = np.array([[names[(seat + i) % 4] for seat in range(4)] for i in range(games)])
    while (tables.seat >= 0).any():
        actions = np.zeros(games, np.int64)
        asked = np.flatnonzero(tables.seat >= 0)
        for name, agent in agents.items():
            rows = asked[who[asked, tables.seat[asked]] == name]
            if len(rows):
                answers = agent.act(tables.records[rows], tables.legal[rows])
                actions[rows] = answers.actions
        tables.step(actions)  # refuses what is not legal
    points = np.array([tables.records["deltas"][who == name].sum() for name in agents])
    return points, tables.records.copy()


def test_it_wins_hands_of_eight_fan_among_its_like():
    _, records = play(12, 3, ("heuristic",) * 4)
    won = records["wins"] == 1
    assert won.mean() > 0.6
    assert (records["win_fan"][won] >= 8).all()


def test_it_wins_among_random_players():
    points, records = play(12, 5, ("heuristic", "random", "random", "random"))
    assert points[0] > 0 > points[1]
    assert (records["wins"] == 1).mean() > 0.3


def test_answers_do_not_depend_on_the_tables_beside():
    agent = make_agent("heuristic", "mcr")
    tables = Tables(6, seed=9)
    together = agent.act(tables.records, tables.legal).actions
    alone = [int(agent.act(tables.records[i : i + 1], tables.legal[i : i + 1]).actions[0]) for i in range(6)]
    assert together.tolist() == alone


def test_what_it_chooses_is_worth_most_to_it():
    agent, tables = make_agent("heuristic", "mcr"), Tables(20, seed=5, restart=False)
    passed = 0
    while (tables.seat >= 0).any():
        actions = np.zeros(20, np.int64)
        asked = np.flatnonzero(tables.seat >= 0)
        answers = agent.act(tables.records[asked], tables.legal[asked])
        actions[asked] = answers.actions
        values = np.nan_to_num(answers.values, nan=-1.0)
        chosen = values[np.arange(len(asked)), answers.actions]
        said = values.max(1) >= 0  # a win is taken without weighing
        assert (chosen == values.max(1))[said].all()
        passed += int((said & (answers.actions == act.PASS)).sum())
        tables.step(actions)
    assert passed > 100
