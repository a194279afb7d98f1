"""The winning model: every win is taken but one that ends the game in the last place."""

import numpy as np
import pytest

from suzaku.agents.make import make_agent
from suzaku.agents.suphx import wanted_wins
from suzaku.hand.tables import tables as hand_tables
from suzaku.riichi import actions as act
from suzaku.riichi.state import GAME_OVER, URA_INDICATORS
from suzaku.riichi.step import step
from suzaku.riichi.table import Tables


@pytest.fixture(scope="module")
def wins():
    """Tables where somebody may win, not as the dealer."""
    tables = Tables(64, seed=9)
    player = make_agent("shanten")
    found = []
    for _ in range(250):
        may = (tables.legal[:, act.WIN_DRAW] | tables.legal[:, act.WIN_DISCARD]) & (
            tables.seat != tables.records["dealer"]
        )
        found += [(tables.records[i : i + 1].copy(), tables.legal[i : i + 1].copy()) for i in np.flatnonzero(may)]
        tables.step(player.act(tables.records, tables.legal).actions)
    assert len(found) > 20
    return np.concatenate([records for records, _ in found]), np.concatenate([legal for _, legal in found])


def with_scores(records, own, round_no):
    """The same tables in another round, the asked seat with these points and the others far ahead of each other."""
    out = records.copy()
    out["round_no"] = round_no
    out["honba"], out["sticks"] = 0, 0
    rows = np.arange(len(out))
    for i, points in enumerate((own, 90_000, 150_000, 200_000)):
        out["scores"][rows, (out["seat"] + i) % 4] = points
    return out


def test_wins_are_taken_before_the_last_round_and_where_they_help(wins):
    records, legal = wins
    expected = np.where(legal[:, act.WIN_DRAW], act.WIN_DRAW, act.WIN_DISCARD)
    assert (wanted_wins(with_scores(records, 1_000, 3), legal) == expected).all()
    assert (wanted_wins(with_scores(records, 100_000, 7), legal) == expected).all()


def test_a_win_that_leaves_us_last_is_declined(wins):
    records, legal = wins
    assert (wanted_wins(with_scores(records, 1_000, 7), legal) == -1).all()


def test_hidden_indicators_do_not_matter(wins):
    records, legal = wins
    close = with_scores(records, 85_000, 7)
    told = wanted_wins(close, legal)
    assert len(set((told >= 0).tolist())) == 2
    changed = close.copy()
    changed["wall"][:, [4, 6, 8, 10, 12]] = np.random.default_rng(1).permuted(changed["wall"][:, [4, 6, 8, 10, 12]])
    assert (wanted_wins(changed, legal) == told).all()


def test_the_answers_of_others_do_not_matter(wins):
    records, legal = wins
    close = with_scores(records, 85_000, 7)
    changed = close.copy()
    rows = np.arange(len(changed))
    for i in range(1, 4):
        changed["claim"][rows, (changed["seat"] + i) % 4] = act.WIN_DISCARD
    assert (wanted_wins(changed, legal) == wanted_wins(close, legal)).all()


def test_after_riichi_a_win_is_taken_if_a_hidden_indicator_might_lift_it(wins):
    records, legal = wins
    in_riichi = (records["riichi"][np.arange(len(records)), records["seat"]] > 0) & (records["indicators"] == 1)
    close, legal = with_scores(records, 84_000, 7)[in_riichi], legal[in_riichi]
    told = wanted_wins(close, legal) >= 0
    for i, record in enumerate(close):
        action = act.WIN_DRAW if legal[i, act.WIN_DRAW] else act.WIN_DISCARD
        ranks = []
        for kind in range(34):
            work = close[i : i + 1].copy()[0]
            work.auto, work.claim, work.queue = 0, act.PASS, -1
            work.wall[URA_INDICATORS[0]] = kind
            step(hand_tables(), work, action)
            assert work.phase == GAME_OVER
            ranks.append(int(work.ranks[record["seat"]]))
        assert told[i] == (min(ranks) < 3)
    assert 0 < told.sum() < len(told)
