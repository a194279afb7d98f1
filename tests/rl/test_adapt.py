"""Run-time adaptation: it changes the policy, knows nothing hidden, keeps its time, and leaves nothing behind."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from msgspec import structs

from suzaku.agents.suphx import SuphxAgent
from suzaku.riichi import resample_hidden
from suzaku.riichi.redraw import hide
from suzaku.riichi.table import Table
from suzaku.rl import adapt_rollouts, adaptation
from suzaku.rl.adapt_config import AdaptConfig, Clock
from suzaku.rl.adapt_rollouts import Watched, play_again, redrawn, roll_out
from suzaku.rl.adapt_tuner import Tuner, chosen_weights, divergence, modules_of
from suzaku.rl.adaptation import TRIAL, Adaptation, Pace, against_plays
from suzaku.rl.policy import flow_of
from suzaku.table.tables import take
from tests.learning.helpers import every_setting_has_a_test
from tests.rl.helpers import FEW, adapted


@pytest.fixture(scope="module")
def offline(player):
    return SuphxAgent(player)


@pytest.fixture
def table():
    return Table(seed=11).record.reshape(1).copy()


def weights(found):
    tensors = found.tuner.tensors()
    return np.concatenate([value.flatten().numpy() for _, value in sorted(tensors["discard"].items())])


def hashes(agent):
    return {name: model._loaded.hash for name, model in agent.models.items()}


@pytest.mark.parametrize(("step", "decisions"), [("adam", 0), ("gradient", 13), ("natural", 30)])
def test_other_hidden_tiles_give_the_same_adaptation(offline, step, decisions):
    """At the first decision, and further on in the round."""
    game = Table(seed=11)
    for _ in range(decisions):
        game.act(int(offline.act(game.record.reshape(1).copy(), game.legal_mask()[None]).actions[0]))
    table, config = game.record.reshape(1).copy(), structs.replace(FEW, step=step, rollouts=24, chunk=24)
    seat = int(table["seat"][0])
    other = table.copy()
    resample_hidden(other, seat, 99)
    assert other["hand"].tobytes() != table["hand"].tobytes()
    expected = weights(adapted(offline, table, config))
    assert (weights(adapted(offline, other, config)) == expected).all()
    assert (weights(adapted(offline, hide(table, seat), config)) == expected).all()


@pytest.mark.parametrize("step", ["gradient", "natural"])
def test_all_trajectories_are_the_offline_policys_and_learnt_as_such(offline, table, step, monkeypatch):
    before, seen = hashes(offline), []

    def watched(agent, *rest):
        seen.append(agent.models["discard"]._loaded)
        return flow_of(agent, *rest)

    monkeypatch.setattr(adaptation, "flow_of", watched)
    adapted(offline, table, structs.replace(FEW, step=step, kl=0.01))
    assert len(seen) == 2  # chunks; the first has changed the weights
    assert all(loaded is offline.models["discard"]._loaded for loaded in seen)
    for model in offline.models.values():
        model._loaded.__dict__.pop("hash", None)
    assert hashes(offline) == before


def test_the_seed_decides_and_the_offline_weights_stay(offline, table):
    before = hashes(offline)
    one, two = adapted(offline, table), adapted(offline, table)
    assert (weights(one) == weights(two)).all()
    assert one.rolled == FEW.rollouts
    other = adapted(offline, table, structs.replace(FEW, seed=5))
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

    found = Adaptation(offline, structs.replace(FEW, rollouts=64, chunk=32, temperature=1.0), first_thrown)
    original = found.learn

    def learn(rollouts, *rest):
        nonlocal thrown
        first = np.searchsorted(rollouts.decisions.game, np.arange(len(rollouts.before)))
        action = rollouts.decisions.action[np.minimum(first, len(rollouts.decisions) - 1)]
        thrown = (action == kind).astype(float)
        original(rollouts, *rest)

    thrown = np.zeros(0)
    found.learn = learn
    found.run(table, 0, 64)
    assert found.player(False).act(table, legal).policy[0, kind] > before[kind] + 0.01


def test_the_clock_leaves_time_for_the_longest_piece(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("suzaku.rl.adapt_config.monotonic", lambda: now[0])
    clock = Clock(1.0)
    answers = []
    for later in (0.1, 0.3, 0.2, 0.2, 0.2):
        now[0] += later
        answers.append(clock.keep_on())
    assert answers == [True, True, True, False, False]  # at 0.8 a piece of 0.3 does not fit
    assert clock.limited
    assert not Clock().limited
    assert Clock().keep_on()


def test_under_a_limit_no_more_is_begun_than_fits():
    pace = Pace(AdaptConfig(chunk=256, repeat=4))
    assert pace.size(Clock()) == 256
    assert pace.size(Clock(100.0)) == TRIAL
    pace.took(TRIAL, 0.1)
    assert pace.size(Clock(100.0)) == 4 * TRIAL
    pace.took(200, 2.0)
    assert pace.size(Clock(100.0)) == 256
    assert 70 <= pace.size(Clock(1.0)) <= 80
    assert pace.size(Clock(0.05)) == 0


def test_rounds_are_played_again_from_the_first_other_decision(offline, table):
    """The same end as playing them whole, for half of the work."""
    seat = int(table["seat"][0])
    plain, other = Watched.like(offline), adapted(offline, table).player(many=True)
    deals, streams = redrawn(table, seat, 24, (1, 1)), np.zeros(24, np.int64)
    base = roll_out(plain, plain, deals, seat, streams, ("discard",))
    alone = roll_out(offline.twin(many=True), offline.twin(many=True), deals, seat, streams, ("discard",))
    assert (base.ended["scores"] == alone.ended["scores"]).all()
    assert alone.planes is None
    assert (base.planes.dense() == offline.encode("discard", base.decisions.records).dense()).all()
    whole = roll_out(other, plain, deals, seat, streams)
    expected = whole.ended["scores"]
    assert (expected != base.ended["scores"]).any()
    for known in (base, alone):
        assert (play_again(known, other, plain, seat, streams, ("discard",))["scores"] == expected).all()
    few = base.first(5)
    assert len(few.before) == len(few.ended) == 5
    assert set(few.decisions.game) <= set(range(5))
    assert (few.planes.dense() == base.planes[np.arange(len(few.decisions))].dense()).all()


def test_plays_that_are_alike_are_looked_at_once(offline, table, monkeypatch):
    """With the same actions, decisions and planes as if each had been looked at."""
    seat, streams = int(table["seat"][0]), np.arange(12) % 4
    tables = take(redrawn(table, seat, 3, (1, 2)), np.arange(12) // 4)
    rolled, looked = [], []
    for shared in (True, False):
        if not shared:
            monkeypatch.setattr(adapt_rollouts, "different", lambda records: (np.arange(len(records)),) * 2)
        own, others = Watched.like(offline), Watched.like(offline)
        own.temperature = 1.0
        original, count = others.encode, []
        others.encode = lambda model, records, claim=None, f=original, c=count: (
            c.append(len(records)),
            f(model, records, claim),
        )[1]
        rolled.append(roll_out(own, others, tables, seat, streams, ("discard",)))
        looked.append(sum(count))
    assert looked[0] < looked[1]
    one, two = rolled
    assert (one.ended["scores"] == two.ended["scores"]).all()
    assert (one.decisions.action == two.decisions.action).all()
    assert (one.planes.dense() == two.planes.dense()).all()


def test_what_was_seen_in_the_rollouts_is_learnt_from(offline, table):
    """Planes that were kept give the weights that planes encoded again give."""
    one, two = Adaptation(offline, FEW), Adaptation(offline, FEW)
    found = one.simulate(table, 0, 12)
    assert found.planes is not None
    one.learn(found, 0)
    two.learn(replace(found, planes=None), 0)
    assert (weights(one) == weights(two)).all()


@pytest.mark.parametrize("step", ["gradient", "natural"])
def test_one_step_along_the_gradient_reaches_the_bound(offline, table, step):
    config = structs.replace(FEW, step=step, kl=0.004)
    found = adapted(offline, table, config)
    assert found.rolled == FEW.rollouts
    assert 0.003 < found.tuner.kl <= 0.004
    again = adapted(offline, table, config)
    assert (weights(found) == weights(again)).all()
    both = adapted(offline, table, structs.replace(config, learn="discard+kong"))  # hardly ever asked
    assert 0 < both.tuner.kl <= 0.004


@pytest.mark.parametrize("step", ["gradient", "natural"])
def test_a_search_that_is_cut_off_leaves_what_was_adapted(offline, table, step, monkeypatch):
    config = structs.replace(FEW, step=step, kl=0.004)
    one, seat = Adaptation(offline, config), int(table["seat"][0])
    found = one.simulate(table, seat, FEW.rollouts)
    one.learn(found, seat)
    before, kl = weights(one), one.tuner.kl
    assert kl > 0
    in_time = one.tuner._way.add
    monkeypatch.setattr(one.tuner._way, "add", lambda flow, gained, _: in_time(flow, gained, Clock()))
    one.learn(found, seat, clock=Clock(0.0))  # time for the gradient, and none for the search
    assert (weights(one) == before).all()
    assert one.tuner.kl == kl


def test_the_natural_way_moves_few_weights_and_forgets_what_it_had_no_time_for(offline, table):
    config = structs.replace(FEW, step="natural", layers=1, kl=0.004)
    one, seat = Adaptation(offline, config), int(table["seat"][0])
    found = one.simulate(table, seat, FEW.rollouts)
    one.learn(found, seat)
    before = offline.models["discard"].tensors
    moved = {
        name for name, now in one.tuner.tensors()["discard"].items() if not np.array_equal(now.numpy(), before[name])
    }
    assert moved == {"head.last.weight"} or moved == {"head.last.weight", "head.last.bias"}
    seen = one.tuner._way._natural.decisions
    one.learn(found, seat, clock=Clock(0.0))
    assert one.tuner._way._natural.decisions == seen


def test_the_divergence_stays_within_its_bound(offline, table):
    loose = adapted(offline, table, structs.replace(FEW, rate=0.02, kl=10.0))
    tight = adapted(offline, table, structs.replace(FEW, rate=0.02, kl=0.001))
    assert loose.tuner.kl > 0.001
    assert 0 < tight.tuner.kl <= 0.001
    assert tight.tuner.bound


def test_only_the_last_layers_are_adapted(offline, table):
    head = adapted(offline, table, structs.replace(FEW, layers=1))
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


def test_memory_is_one_copy_of_the_models_that_adapt(offline):
    tuner = Tuner(offline, FEW)
    assert set(tuner.modules) == {"discard"}
    twin = offline.twin(many=False)
    assert all(twin.models[name]._loaded is offline.models[name]._loaded for name in offline.models)


HERE = [{"rate": 1e-3}, {"epochs": 2}, {"batch": 8}, {"clip": 0.001}, {"temperature": 1.0}, {"repeat": 2},
        {"chunk": 12}, {"rollouts": 18}, {"seed": 1}]  # fmt: skip


@pytest.fixture(scope="module")
def usual(offline):
    return weights(adapted(offline, Table(seed=11).record.reshape(1).copy(), structs.replace(FEW, rate=1e-2)))


@pytest.mark.parametrize("changed", HERE, ids=str)
def test_a_setting_changes_what_is_learnt(offline, table, usual, changed):
    found = weights(adapted(offline, table, structs.replace(FEW, **{"rate": 1e-2, **changed})))
    assert np.abs(found - usual).max() > 1e-4


ELSEWHERE = {
    "seconds": "test_adapting_agent::test_time_is_kept",
    "more": "test_adapting_agent::test_amortised_adaptation_goes_on_in_the_round",
    "step": "test_adapt::test_one_step_along_the_gradient_reaches_the_bound",
    "kl": "test_adapt::test_the_divergence_stays_within_its_bound",
    "layers": "test_adapt::test_only_the_last_layers_are_adapted",
    "damping": "test_natural::test_damping_shortens_the_step_most_where_little_is_known",
    "learn": "test_adapt::test_one_step_along_the_gradient_reaches_the_bound",
    "reward": "test_branches::test_predicted_rewards_are_those_of_the_rounds",
    "reward_model": "test_learner::test_reward_models_are_found",
}


def test_every_setting_has_a_test():
    every_setting_has_a_test(AdaptConfig, {name for one in HERE for name in one}, ELSEWHERE, Path(__file__))
