"""Self-play gives trajectories: games that replay to the very decisions, with the policy that made them."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from suzaku.agents.agent import Answers
from suzaku.agents.make import make_agent
from suzaku.agents.simple import RandomAgent
from suzaku.arena.selfplay import PART, play_store, self_play
from suzaku.records.decisions import decisions, decisions_of
from suzaku.records.store import Store, write_part, write_summary
from suzaku.records.types import RecordError

WEAK = "weak:temperature=1,seed=3"


@pytest.fixture(scope="module")
def games():
    """Some short games of a network that draws its actions."""
    return list(self_play(WEAK, range(4), 11, length="east", tables=4))


def in_store(games, folder):
    folder.mkdir()
    write_part(folder / "part-00000.parquet", games, {})
    write_summary(folder, 1, len(games), sum(len(game.walls) for game in games))
    return folder


def test_a_trajectory_is_a_game_with_its_policy(games):
    assert {game.id for game in games} == {f"arena-11-{4 * deal}" for deal in range(4)}
    for game in games:
        assert game.log_prob.shape == game.actions.shape
        assert np.isfinite(game.log_prob).all()
        assert (game.log_prob <= 0).all()
        assert 0.5 < (game.log_prob < 0).mean() < 1, "some had no choice"
        assert game.versions == [0, 0, 0, 0]


def test_replayed_decisions_have_the_probability_they_were_made_with(games):
    agent = make_agent(WEAK)
    agent.expect_many()
    seen = 0
    for batch in decisions_of(games):
        policy = agent.act(batch.records, batch.legal).policy
        again = np.log(policy[np.arange(len(batch)), batch.action])
        np.testing.assert_allclose(again, batch.log_prob, rtol=2**-10, atol=1e-4)
        assert (batch.version == 0).all()
        seen += len(batch)
    assert seen > 1000


def test_the_store_keeps_trajectories(games, tmp_path):
    store = in_store(games, tmp_path / "store")
    again = {game.id: game for game in Store(store).games()}
    for game in games:
        assert (again[game.id].log_prob == game.log_prob).all()
        assert again[game.id].versions == game.versions
    ours = next(decisions(store, "discard", shuffle=None))
    theirs = next(decisions_of(games, "discard"))
    assert (ours.log_prob == theirs.log_prob).all()
    shuffled = list(decisions(store, "discard", shuffle=4, batch=64, buffer=128))
    in_order = list(decisions_of(games, "discard"))
    assert sorted_pairs(shuffled) == sorted_pairs(in_order), "each keeps its own"


def sorted_pairs(batches):
    """Which decision, as far as the table tells, and its log-probability."""
    fields = ("game", "deal", "discards", "seat")
    return sorted(
        (*(int(batch.records[name][i]) for name in fields), int(batch.action[i]), float(batch.log_prob[i]))
        for batch in batches
        for i in range(len(batch))
    )


def test_players_that_tell_no_probability_leave_none(tmp_path):
    (game,) = self_play("shanten", [2], 11, length="east")
    assert game.log_prob is None
    assert game.versions is None
    batch = next(decisions_of([game]))
    assert np.isnan(batch.log_prob).all()
    assert (batch.version == -1).all()
    store = in_store([game], tmp_path / "store")
    assert "log_prob" not in pq.read_schema(store / "part-00000.parquet").names


def test_trajectories_do_not_depend_on_the_tables(games):
    (alone,) = self_play(WEAK, [1], 11, length="east", tables=1)
    known = next(game for game in games if game.id == alone.id)
    assert (alone.actions == known.actions).all()
    assert (alone.log_prob == known.log_prob).all()


class Drawing(RandomAgent):
    """A player whose "weights" are a seed."""

    version = 4

    def act(self, records, legal, streams=None):
        answers = super().act(records, legal, streams)
        return Answers(answers.actions, log_prob=-np.log(legal.sum(1)) - self.version)


def test_several_processes_play_the_same_games():
    one, two = (
        {
            game.id: game.actions.tolist()
            for game in self_play("random", range(5), 3, workers=n, tables=2, length="east")
        }
        for n in (1, 2)
    )
    assert one == two
    assert len(one) == 5
    with pytest.raises(ValueError, match="plays in this process"):
        next(self_play("mine", [0], own=Drawing(), workers=2))


def test_later_games_carry_the_version_of_replaced_weights():
    agent = Drawing()
    games = []
    for game in self_play("learner", range(6), 11, own=agent, tables=1, length="east"):
        games.append(game)
        agent.version = 6  # after some games have ended or begun
    versions = {tuple(game.versions) for game in games}
    assert versions == {(4,) * 4, (6,) * 4}
    assert games[0].versions == [4] * 4
    assert games[-1].versions == [6] * 4
    for game in (games[0], games[-1]):
        batch = next(decisions_of([game]))
        assert (batch.version == game.versions[0]).all()
        expected = -np.log(batch.legal.sum(1)) - game.versions[0]
        np.testing.assert_allclose(batch.log_prob, expected, rtol=2**-10)


def test_a_store_is_played_in_parts_and_gone_on_with(tmp_path, monkeypatch):
    monkeypatch.setattr("suzaku.arena.selfplay.PART", 4)
    told = []
    play_store("tsumogiri", 6, 3, tmp_path / "store", told.append)
    assert told == [0, 1, 2, 3, 4, 5, 6]
    assert len(Store(tmp_path / "store")) == 6
    first = (tmp_path / "store" / "part-00000.parquet").stat().st_mtime_ns
    play_store("tsumogiri", 6, 3, tmp_path / "store", told.append)
    play_store("tsumogiri", 9, 3, tmp_path / "store", told.append)
    assert told[7:] == [6, 4, 5, 6, 7, 8, 9]
    assert (tmp_path / "store" / "part-00000.parquet").stat().st_mtime_ns == first
    ids = [game.id for game in Store(tmp_path / "store").games()]
    assert ids == [f"arena-3-{4 * deal}" for deal in range(9)]
    play_store("tsumogiri", 9, 3, tmp_path / "whole", told.append)
    for part in (tmp_path / "whole").iterdir():
        assert part.read_bytes() == (tmp_path / "store" / part.name).read_bytes(), "the same games, the same bytes"


def test_an_interrupted_store_is_no_store(tmp_path, monkeypatch):
    monkeypatch.setattr("suzaku.arena.selfplay.PART", 2)

    def interrupt(done):
        if done == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_store("tsumogiri", 8, 3, tmp_path / "store", interrupt)
    with pytest.raises(RecordError, match="was interrupted"):
        Store(tmp_path / "store")


def test_other_stores_are_refused_in_a_sentence(tmp_path):
    play_store("tsumogiri", 2, 3, tmp_path / "store", lambda _: None)
    with pytest.raises(RecordError, match="holds other games; choose another folder"):
        play_store("tsumogiri", 2, 4, tmp_path / "store", lambda _: None)
    part = tmp_path / "store" / "part-00000.parquet"
    part.write_bytes(part.read_bytes()[:500])
    with pytest.raises(RecordError, match=r"part-00000.parquet: the part cannot be read .*; delete it"):
        play_store("tsumogiri", 2, 3, tmp_path / "store", lambda _: None)
    with pytest.raises(RecordError, match=r"part-00000.parquet: the part cannot be read"):
        list(Store(tmp_path / "store").games())
    assert PART > 2


def test_damaged_trajectories_are_refused_in_a_sentence(games, tmp_path):
    store = in_store(games[:1], tmp_path / "store")
    table = pq.read_table(store / "part-00000.parquet")
    at = table.schema.get_field_index("log_prob")
    short = table.set_column(at, "log_prob", pa.array([table["log_prob"][0].as_py()[:-2]], pa.binary()))
    pq.write_table(short, store / "part-00000.parquet")
    with pytest.raises(RecordError, match=r"game arena-11-\d+: its log-probabilities do not belong to its actions"):
        list(Store(store).games())
    pq.write_table(table.drop_columns(["walls"]), store / "part-00000.parquet")
    with pytest.raises(RecordError, match="has no 'walls': it was made by another program"):
        list(Store(store).games())
