"""Both branches of a question: they differ by one answer, tell nothing they should not, and come out the same again."""

import numpy as np
import pytest

from suzaku.agents.make import make_agent
from suzaku.agents.suphx import CLAIMS, SuphxAgent
from suzaku.learning.reward import bundled_reward
from suzaku.records.stored import table_after
from suzaku.riichi import actions as act
from suzaku.riichi import resample_hidden
from suzaku.riichi.game import GAME
from suzaku.riichi.rules import Rules
from suzaku.riichi.table import Table
from suzaku.rl.branches import (
    Positions,
    branch_differences,
    find_positions,
    play_round,
    points,
    predicted,
    records_at,
    redrawn,
    unseen_places,
)
from suzaku.rl.round_player import RoundPlayer
from suzaku.table.tables import join, take


@pytest.fixture(scope="module")
def agent(player):
    return SuphxAgent(player)


@pytest.fixture(scope="module")
def rounds(agent, few_situations):
    return RoundPlayer(agent, 4, "hanchan", 1).play(list(range(16)))[0]


@pytest.fixture(scope="module")
def riichi(agent, rounds):
    return find_positions(agent, rounds, "riichi", 1)


def legal_at(records):
    legal = np.zeros((len(records), GAME.actions), np.bool_)
    for record, row in zip(records, legal, strict=True):
        GAME.legal(GAME.tables(), record, row)
    return legal


@pytest.mark.parametrize("model", ["riichi", "chow", "pong", "kong"])
def test_branches_differ_by_the_one_answer(agent, rounds, model):
    found = find_positions(agent, rounds, model, 1)
    assert len(found) or model == "kong"
    legal = legal_at(found.records)
    first, last = CLAIMS.get(model, (act.RIICHI, act.RIICHI + 1))
    games = {game.id: game for game in rounds}
    assert len(set(found.game)) == len(found)
    no = agent.act(found.records, found.legal).actions
    for i in range(len(found)):
        assert first <= found.action[i] < last
        assert legal[i, found.action[i]]
        assert not found.legal[i, found.action[i]]
        assert (found.legal[i] <= legal[i]).all()
        assert no[i] != found.action[i]
        # what the player did is one of the two, unless it said no here and yes to a later question
        did = games[found.game[i]].actions[found.at[i]]
        assert did == (found.action[i] if found.yes[i] > 0.5 else no[i])
    again = records_at(games, found.game, found.at.tolist())
    assert all((again[name] == found.records[name]).all() for name in again.dtype.names)


@pytest.mark.parametrize("redraw", ["wall", "hidden"])
def test_tables_are_those_of_the_position_with_other_tiles(riichi, redraw):
    tables = redrawn(riichi, 0, 3, redraw, 5)
    before = riichi.records[0]
    seat = int(before.seat)
    assert len({table.wall.tobytes() for table in tables}) == 3
    others = [p for p in range(4) if p != seat]
    for table in tables:
        assert (table.hand[seat] == before.hand[seat]).all()
        assert (table.river == before.river).all()
        assert (table.hand[others] == before.hand[others]).all() == (redraw == "wall")
        places = unseen_places(before)
        if redraw == "wall":
            assert sorted(table.wall[places]) == sorted(before.wall[places])
            assert (np.delete(table.wall, places) == np.delete(before.wall, places)).all()
    assert (legal_at(tables) == legal_at(riichi.records[:1])).all()


def exchanged(positions, redraw):
    """The same positions with other true tiles where the rollouts redraw them."""
    records = take(positions.records, np.arange(len(positions)))
    if redraw == "hidden":
        resample_hidden(records, records["seat"].astype(np.int64), 99)
    else:
        for record in records:
            places = unseen_places(record)
            record.wall[places] = record.wall[places[::-1]]
            record.seed = 77
    return Positions(records, positions.legal, positions.action, positions.yes, positions.game, positions.at)


@pytest.mark.parametrize("redraw", ["wall", "hidden"])
def test_nothing_leaks_and_the_same_seed_gives_the_same_labels(agent, riichi, redraw):
    part = riichi.part(slice(4))
    found = branch_differences(agent, part, 3, redraw, 7)
    assert (found != 0).any()
    assert (branch_differences(agent, exchanged(part, redraw), 3, redraw, 7) == found).all()
    assert (branch_differences(agent, part.part(slice(2, 4)), 3, redraw, 7) == found[2:]).all()  # whatever is beside it
    assert (branch_differences(agent, part, 3, redraw, 8) != found).any()


def test_equal_branches_bring_the_same(agent, riichi):
    """With the action of no for a yes, tables, walls and random numbers are all the same."""
    drawn = SuphxAgent.from_models(agent.models, 0.8, 3)
    for one in (agent, drawn):
        part = riichi.part(slice(3))
        legal = np.zeros_like(part.legal)
        same = agent.act(part.records, part.legal).actions
        legal[np.arange(3), same] = True
        alike = Positions(part.records, legal, same, part.yes, part.game, part.at)
        assert (branch_differences(one, alike, 2, "hidden", 7) == 0).all()


WALL = [34 + tile // 9 if copy == 3 and tile in (4, 13, 22) else tile for tile in range(34) for copy in range(4)]
DEALER = [0, 1, 2, 3, 16, 17, 18, 19, 32, 33, 34, 35, 48, 52]  # draws from the end of the wall that are the dealer's


@pytest.fixture(scope="module")
def tenpai():
    """A dealer who can declare riichi at once, without a yaku: 4p or 9s wins by self-draw alone if it stays silent."""
    hand = [0, 1, 2, 15, 16, 17, 21, 22, 23, 26, 26, 12, 12, 27]
    rest = list(np.random.default_rng(1).permutation(WALL))
    for tile in hand:
        rest.remove(tile)
    for place, tile in zip(DEALER, hand, strict=True):
        rest.insert(place, tile)
    table = Table.deal([rest[::-1]], Rules.tenhou())
    records = table.record.reshape(1).copy()
    legal = legal_at(records)
    legal[0, act.RIICHI] = False
    return Positions(records, legal, np.array([act.RIICHI]), np.ones(1, np.float32), ["made"], np.zeros(1, np.int64))


@pytest.mark.parametrize("redraw", ["wall", "hidden"])
def test_double_riichi_is_better_than_a_hand_without_yaku(agent, tenpai, redraw):
    found = branch_differences(agent, tenpai, 36, redraw, 1)[0]
    assert found.mean() > 4 * found.std(ddof=1) / 6 > 0


def test_riichi_of_players_who_never_win_costs_the_stick(tenpai):
    found = branch_differences(make_agent("tsumogiri"), tenpai, 4, "wall", 1)
    assert (found == -1000).all()


def test_predicted_rewards_are_those_of_the_rounds(agent, rounds):
    """Before and after a round, as the predictor says of the stored round itself."""
    model = bundled_reward()
    begun, ended = [], []
    for game in rounds[:6]:
        begun.append(table_after(game, 0))
        table = table_after(game, len(game.actions) - 1)
        play_round(agent, table, game.actions[-1:], np.zeros(1, np.int64))
        ended.append(table)
    said = predicted(model)(join(begun), join(ended))
    assert points(join(begun), join(ended)).tolist() == [game.scores for game in rounds[:6]]
    assert said == pytest.approx(np.stack([phi[-1] for phi in model.of_games(rounds[:6])]), abs=1e-4)
