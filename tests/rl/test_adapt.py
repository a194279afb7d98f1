"""Run-time adaptation: it changes the policy, knows nothing hidden, keeps its time, and leaves nothing behind."""

import json
import sys
import time

import numpy as np
import pytest
import torch

from suzaku.agents.agent import Answers
from suzaku.agents.make import make_agent
from suzaku.agents.mjai.bot import Bot
from suzaku.agents.suphx import SuphxAgent
from suzaku.arena.match import Match
from suzaku.arena.table_worker import TableWorker
from suzaku.riichi.hidden import hide, resample_hidden
from suzaku.riichi.rules import Rules
from suzaku.riichi.table import Table
from suzaku.rl.adapt import agent as adapting
from suzaku.rl.adapt.adaptation import Adaptation, against_plays
from suzaku.rl.adapt.agent import AdaptingAgent
from suzaku.rl.adapt.config import AdaptConfig, read_adapt
from suzaku.rl.adapt.show import changes
from suzaku.rl.adapt.tuner import Tuner, chosen_weights, divergence, modules_of
from tests.agents.test_mjai_bot import OWN_DRAW

FEW = AdaptConfig(rollouts=12, chunk=6, repeat=3, batch=64, rate=3e-3, kl=50.0)


@pytest.fixture(scope="module")
def offline(player):
    return SuphxAgent(player)


@pytest.fixture
def table():
    return Table(seed=11).record.reshape(1).copy()


def adapted(offline, table, config=FEW, **more):
    found = Adaptation(offline, config)
    found.run(table, int(table["seat"][0]), config.rollouts, **more)
    return found


def weights(adaptation):
    tensors = adaptation.tuner.tensors()
    return np.concatenate([value.flatten().numpy() for _, value in sorted(tensors["discard"].items())])


def hashes(agent):
    return {name: model._loaded.hash for name, model in agent.models.items()}


def make(player, **settings):
    given = {
        **{name: getattr(FEW, name) for name in ("rollouts", "chunk", "repeat", "batch", "rate", "kl")},
        **settings,
    }
    return AdaptingAgent(player, config=AdaptConfig(**given))


def ask(agent, table, legal=None):
    legal = Table.from_record(table[0]).legal_mask()[None] if legal is None else legal
    return agent.act_at(np.zeros(len(table), np.int64), table, legal)


def test_other_hidden_tiles_give_the_same_adaptation(offline, table):
    seat = int(table["seat"][0])
    other = table.copy()
    resample_hidden(other, seat, 99)
    assert other["hand"].tobytes() != table["hand"].tobytes()
    expected = weights(adapted(offline, table))
    assert (weights(adapted(offline, other)) == expected).all()
    assert (weights(adapted(offline, hide(table, seat))) == expected).all()


def test_the_seed_decides_and_the_offline_weights_stay(offline, table):
    before = hashes(offline)
    one, two = adapted(offline, table), adapted(offline, table)
    assert (weights(one) == weights(two)).all()
    assert one.rolled == FEW.rollouts
    other = adapted(offline, table, AdaptConfig(**{**vars(FEW), "seed": 5}))
    assert (weights(other) != weights(one)).any()
    legal = Table.from_record(table[0]).legal_mask()[None]
    plain = offline.act(table, legal)
    assert np.abs(one.player(False).act(table, legal).policy - plain.policy).max() > 1e-4
    for model in offline.models.values():
        model._loaded.__dict__.pop("hash", None)  # it is kept once it was reckoned
    assert hashes(offline) == before


def test_learning_goes_towards_what_pays(offline, table):
    """With a reward for one tile alone, its probability rises."""
    legal = Table.from_record(table[0]).legal_mask()[None]
    before = offline.act(table, legal).policy[0]
    kind = int(np.argsort(-before)[1])

    def first_thrown(tables, ended):
        found = np.zeros((len(ended), 4))
        found[:, 0] = thrown[: len(ended)]
        return found

    found = Adaptation(
        offline, AdaptConfig(**{**vars(FEW), "rollouts": 64, "chunk": 32, "temperature": 1.0}), first_thrown
    )
    original = found._learn

    def learn(rollouts, *rest):
        nonlocal thrown
        first = np.searchsorted(rollouts.decisions.game, np.arange(len(rollouts.before)))
        action = rollouts.decisions.action[np.minimum(first, len(rollouts.decisions) - 1)]
        thrown = (action == kind).astype(float)
        original(rollouts, *rest)

    thrown = np.zeros(0)
    found._learn = learn
    found.run(table, 0, 64)
    assert found.player(False).act(table, legal).policy[0, kind] > before[kind] + 0.01


def test_nothing_to_adapt_is_the_plain_player(player, table):
    assert type(make_agent(f"suphx:{player},adapt=0")) is SuphxAgent
    assert type(make_agent(f"suphx:{player},adapt=100,adapt_rate=0")) is SuphxAgent
    legal = Table.from_record(table[0]).legal_mask()[None]
    expected = SuphxAgent(player).act(table, legal)
    for idle in (make(player, rollouts=0), make(player, rate=0.0)):
        found = ask(idle, table, legal)
        assert (found.policy == expected.policy).all()
        assert (found.actions == expected.actions).all()


def test_time_is_kept(player, table):
    agent = make(player, rollouts=100_000, seconds=0.3)
    agent.warm_up()
    began = time.perf_counter()
    ask(agent, table)
    assert time.perf_counter() - began < 1.5  # some rounds' worth of steps on a busy machine
    gone = adapted(agent.offline, table, keep_on=lambda: False)
    assert gone.rolled == 0
    assert gone.tuner is None


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


def test_positions_by_themselves_tell_what_changed(player, table):
    agent = make(player)
    legal = Table.from_record(table[0]).legal_mask()[None]
    found: Answers = agent.act(table, legal)
    assert (found.before == agent.offline.act(table, legal).policy).all()
    rows = changes(table[0], legal[0], found.before[0], found.policy[0])
    assert abs(rows[0].difference) == max(abs(row.difference) for row in rows) > 0
    assert not agent._seated


def test_the_divergence_stays_within_its_bound(offline, table):
    loose = adapted(offline, table, AdaptConfig(**{**vars(FEW), "rate": 0.02, "kl": 10.0}))
    tight = adapted(offline, table, AdaptConfig(**{**vars(FEW), "rate": 0.02, "kl": 0.001}))
    assert loose.tuner.kl > 0.001
    assert 0 < tight.tuner.kl <= 0.001
    assert tight.tuner.bound


def test_only_the_last_layers_are_adapted(offline, table):
    head = adapted(offline, table, AdaptConfig(**{**vars(FEW), "layers": 1}))
    offline_tensors, now = offline.models["discard"].tensors, head.tuner.tensors()["discard"]
    changed = {name for name in now if not np.array_equal(now[name].numpy(), offline_tensors[name])}
    assert changed
    assert all(name.startswith("head.") for name in changed)
    module = modules_of(offline, ("discard",))["discard"]
    sizes = [sum(w.numel() for w in chosen_weights(module, layers)) for layers in (1, 2, 0)]
    assert sizes[0] < sizes[1] <= sizes[2]


def test_divergence_is_that_of_the_distributions():
    logits, start = torch.tensor([[1.0, 2.0, 0.0] + [0.0] * 31]), torch.tensor([[2.0, 1.0, 5.0] + [0.0] * 31])
    legal = np.zeros((1, 34), np.bool_)
    legal[0, :2] = True
    p, q = torch.softmax(logits[0, :2], 0), torch.softmax(start[0, :2], 0)
    assert float(divergence(logits, start, legal, 1.0)) == pytest.approx(float((p * (p / q).log()).sum()))
    two = divergence(logits[:, :2], start[:, :2], legal, 1.0)
    assert float(two) == pytest.approx(float((p * (p / q).log()).sum()))


def test_plays_are_compared_with_the_others_of_their_table():
    assert against_plays(np.array([1.0, 3.0, 5.0, 5.0], np.float32), 2).tolist() == [-2, 2, 0, 0]
    assert against_plays(np.array([1.0, 3.0], np.float32), 1).tolist() == [-1, 1]


def test_wrong_settings_are_told(player, monkeypatch):
    with pytest.raises(ValueError, match="unknown setting 'rat'"):
        make_agent("suphx:adapt=5,adapt_rat=1")
    with pytest.raises(ValueError, match="rollouts takes a value like"):
        read_adapt({"adapt": "many"})
    with pytest.raises(ValueError, match="gao has no setting"):
        make_agent("gao:adapt=5")
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ValueError, match=r"suzaku\[train\]"):
        make_agent("suphx:adapt=5")


def test_memory_is_one_copy_of_the_models_that_adapt(offline):
    tuner = Tuner(offline, FEW)
    assert set(tuner.modules) == {"discard"}
    twin = offline.twin(many=False)
    assert all(twin.models[name]._loaded is offline.models[name]._loaded for name in offline.models)
