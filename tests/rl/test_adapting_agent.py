"""The agent that adapts: rounds, limits of time, what it drops, and settings that are refused."""

import json
import sys
import threading
import time

import numpy as np
import pytest

from suzaku.agents.agent import Answers
from suzaku.agents.make import make_agent
from suzaku.agents.mjai.bot import Bot
from suzaku.agents.suphx import SuphxAgent
from suzaku.arena.match import Match
from suzaku.arena.table_worker import TableWorker
from suzaku.cli.compile_parts import parts_of
from suzaku.riichi.rules import Rules
from suzaku.riichi.table import Table
from suzaku.rl import adapt_agent as adapting
from suzaku.rl import natural
from suzaku.rl.adapt_agent import AdaptingAgent
from suzaku.rl.adapt_config import AdaptConfig, Clock, read_adapt
from suzaku.rl.adapt_tuner import Tuner
from suzaku.rl.adaptation import changes
from tests.agents.mjai_games import OWN_DRAW
from tests.rl.helpers import FEW, adapted


@pytest.fixture
def table():
    return Table(seed=11).record.reshape(1).copy()


def make(player, **settings):
    given = {
        **{name: getattr(FEW, name) for name in ("rollouts", "chunk", "repeat", "batch", "rate", "kl")},
        **settings,
    }
    return AdaptingAgent(player, config=AdaptConfig(**given))


def ask(agent, table, legal=None):
    legal = Table.from_record(table[0]).legal_mask()[None] if legal is None else legal
    return agent.act_at(np.zeros(len(table), np.int64), table, legal)


def test_nothing_to_adapt_is_the_plain_player(player, table):
    assert type(make_agent(f"suphx:{player},adapt=0")) is SuphxAgent
    assert type(make_agent(f"suphx:{player},adapt=100,adapt_rate=0")) is SuphxAgent
    legal = Table.from_record(table[0]).legal_mask()[None]
    expected = SuphxAgent(player).act(table, legal)
    for idle in (make(player, rollouts=0), make(player, rate=0.0), make(player, rate=0.0, step="natural")):
        found = ask(idle, table, legal)
        assert (found.policy == expected.policy).all()
        assert (found.actions == expected.actions).all()


@pytest.mark.parametrize("step", ["adam", "gradient", "natural"])
def test_time_is_kept(player, table, step, monkeypatch):
    """It learns what it can in its time and is never late, by the time of its own thread: other work does not count."""
    monkeypatch.setattr("suzaku.rl.adapt_config.monotonic", time.thread_time)
    limit = 4.0
    agent = make(player, rollouts=100_000, seconds=limit, chunk=256, step=step)
    agent.warm_up()
    over = []
    for deal in range(2):
        table["deal"] = deal + 1
        began = time.thread_time()
        ask(agent, table)
        over.append(time.thread_time() - began - limit)
        assert agent._seated[0, 0].adaptation.rolled > 0
    assert max(over) < 0.3  # what a first piece takes longer than all before it
    gone = adapted(agent.offline, table, clock=Clock(0.0))
    assert gone.rolled == 0
    assert gone.tuner is None


def test_warming_up_learns_even_where_nothing_made_a_difference(player, monkeypatch):
    """Otherwise the first round would load what learning needs, and be late."""
    agent, learnt = make(player), []
    agent.worth = lambda before, ended: np.zeros((len(ended), 4))
    monkeypatch.setattr(Tuner, "learn", lambda *given: learnt.append(given))
    agent.warm_up()
    assert learnt


def test_one_late_piece_does_not_keep_the_next_rounds_from_adapting(player, table, monkeypatch):
    monkeypatch.setattr("suzaku.rl.adapt_config.monotonic", time.thread_time)
    agent = make(player, rollouts=16, seconds=8.0)
    agent.warm_up()
    agent._longest = 100.0
    ask(agent, table)
    assert agent._seated[0, 0].adaptation.rolled > 0


def test_an_adaptation_under_way_ends_when_its_agent_is_closed(player, table):
    agent = make(player, rollouts=10_000_000, chunk=64)
    agent.warm_up()
    thread = threading.Thread(target=ask, args=(agent, table))
    thread.start()
    while not agent.progress.get(0, (0, 0))[0]:
        time.sleep(0.01)
    agent.close()
    thread.join(60)
    assert not thread.is_alive()


def test_it_leaves_the_other_cores_to_others(player, table):
    agent = make(player)
    ask(agent, table)
    played = agent._seated[0, 0].player
    assert {model._loaded.threads for one in (agent, agent.offline, played) for model in one.models.values()} == {1}


def test_the_next_round_starts_from_the_offline_policy_even_after_an_error(player, table, monkeypatch, capsys):
    agent = make(player)
    legal = Table.from_record(table[0]).legal_mask()[None]
    expected = agent.offline.act(table, legal).policy
    assert (ask(agent, table, legal).policy != expected).any()

    def fail(*given):
        raise RuntimeError("a fault")

    following = table.copy()
    following["deal"] += 1
    with monkeypatch.context() as patch:
        patch.setattr(adapting.Adaptation, "run", fail)
        assert (ask(agent, following, legal).policy == expected).all()
    assert "a fault" in capsys.readouterr().err
    fresh = make(player)
    third = table.copy()
    third["deal"] += 2
    assert (ask(agent, third, legal).policy == ask(fresh, third, legal).policy).all()
    over = third.copy()
    over["deal"] += 1
    agent.follow(0, int(third["seat"][0]), third[0], 0, over[0])
    assert not agent._seated


def test_amortised_adaptation_goes_on_in_the_round(player):
    agent = make(player, rollouts=0, more=6)
    game = Table(seed=11)
    asked = 0
    while asked < 2:
        record, legal = game.record.reshape(1).copy(), game.legal_mask()[None]
        if game.seat == 0 and record["phase"][0] == 0:
            found = ask(agent, record, legal)
            asked += 1
        else:
            found = agent.offline.act(record, legal)
        game.act(int(found.actions[0]))
    assert agent._seated[0, 0].adaptation.rolled == 6  # at the second turn
    assert agent._seated[0, 0].player is not agent.offline
    single = agent.act(record, legal)  # of a position by itself nothing came before
    assert (single.policy != single.before).any()


def test_each_seat_has_its_own_weights(player):
    """Tables side by side do not touch each other, and what lay on a table before does not matter."""
    tables = np.concatenate([Table(seed=seed).record.reshape(1) for seed in (11, 12)]).astype(Table().record.dtype)
    legal = np.stack([Table(seed=seed).legal_mask() for seed in (11, 12)])
    agent = make(player)
    both = agent.act_at(np.arange(2), tables, legal)
    assert set(agent._seated) == {(0, 0), (1, 0)}
    for i in range(2):
        stale = tables[i : i + 1].copy()
        stale["river"] = 7
        stale["past_key"] = 3
        stale["win_points"] = 8000
        alone = ask(make(player), stale, legal[i : i + 1])
        assert (alone.policy[0] == both.policy[i]).all()
    agent.forget(0)
    assert set(agent._seated) == {(1, 0)}


def test_a_match_is_played(player):
    name = "suphx:adapt=4"
    agent = make(player, rollouts=4, chunk=4, repeat=2)
    worker = TableWorker(Match((name, "tsumogiri"), "1v3", seed=3, length="east"), 2, {name: agent})
    worker.advance([0, 1], seconds=0)
    for _ in range(12):
        worker.advance([], seconds=0)
    assert {place for place, _ in agent._seated} == {0, 1}
    assert len(agent._seated) == 2
    assert agent.seconds["adaptation"] > 0
    assert not agent.failures


def test_a_bot_adapts_to_what_it_is_told(player):
    agent = make(player)
    said: list[str] = []
    bot = Bot(agent, said.append, Rules.tenhou())
    answer = json.loads(bot.react(json.dumps(OWN_DRAW)))
    assert answer["type"] == "dahai"
    assert not said
    assert not agent.failures
    assert agent._seated[0, bot.view.seat].adaptation.rolled >= FEW.chunk
    bot.react(json.dumps({"type": "start_game"}))
    assert not agent._seated


def test_a_bot_under_a_limit_answers_in_time(player, monkeypatch):
    monkeypatch.setattr("suzaku.rl.adapt_config.monotonic", time.thread_time)
    agent = make(player, rollouts=100_000, seconds=4.0, chunk=256)
    agent.warm_up()
    bot = Bot(agent, lambda text: None, Rules.tenhou())
    began = time.thread_time()
    assert json.loads(bot.react(json.dumps(OWN_DRAW)))["type"] == "dahai"
    assert time.thread_time() - began < 4.3
    assert agent._seated[0, bot.view.seat].adaptation.rolled > 0


def test_positions_by_themselves_tell_what_changed(player, table):
    agent = make(player)
    legal = Table.from_record(table[0]).legal_mask()[None]
    found: Answers = agent.act(table, legal)
    assert (found.before == agent.offline.act(table, legal).policy).all()
    rows = changes(table[0], legal[0], found.before[0], found.policy[0])
    assert abs(rows[0].difference) == max(abs(row.difference) for row in rows) > 0
    assert not agent._seated


def test_wrong_settings_are_told(player, monkeypatch):
    with pytest.raises(ValueError, match="unknown setting 'rat'"):
        make_agent("suphx:adapt=5,adapt_rat=1")
    with pytest.raises(ValueError, match="rollouts takes a value like"):
        read_adapt({"adapt": "many"})
    with pytest.raises(ValueError, match="gao has no setting"):
        make_agent("gao:adapt=5")
    for name in ("suphx:adapt", "suphx:adapt_seconds=3"):
        with pytest.raises(ValueError, match="say by how many rollouts, as in adapt=512"):
            make_agent(name)
    with pytest.raises(ValueError, match="adapt_rollouts is written adapt"):
        read_adapt({"adapt": "5", "adapt_rollouts": "9"})
    assert read_adapt({"adapt_more": "4"}).rollouts == 0
    assert parts_of("riichi suphx:adapt_more=4") == parts_of("riichi suphx:adapt=4") != parts_of("riichi suphx")
    monkeypatch.setattr(natural, "MOST", 100)
    with pytest.raises(ValueError, match="at most 100 weights may learn"):
        make(player, step="natural")
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ValueError, match=r"suzaku\[train\]"):
        make_agent("suphx:adapt=5")


@pytest.mark.parametrize("more", [0, 6])
def test_what_learning_needs_is_dropped_once_nothing_more_is_learnt(player, table, more):
    agent = make(player, more=more)
    ask(agent, table)
    assert agent._seated[0, 0].player is not agent.offline
    assert (agent._seated[0, 0].adaptation.tuner is None) == (more == 0)
