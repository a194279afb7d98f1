"""Oracle guiding: the mask, the widened and the cut first layer, and what the policy sees while gamma falls."""

import copy

import numpy as np
import pytest
import torch

from suzaku.agents.suphx import SuphxAgent
from suzaku.features.channels import ORACLE_CHANNELS, SUPHX_CHANNELS
from suzaku.features.oracle import encode_many, encode_sparse
from suzaku.networks import checkpoint
from suzaku.networks.modules import build
from suzaku.networks.run import Model
from suzaku.networks.spec import model_spec
from suzaku.riichi.game import GAME
from suzaku.rl.buffer import replay_games
from suzaku.rl.config import RlConfig
from suzaku.rl.oracle import GammaSchedule, GuidedAgent, cut_back, hastened, masked, widened
from suzaku.rl.player import Player
from suzaku.rl.policy import flow_of, learnable, log_probs, minibatch
from suzaku.table.tables import take


@pytest.fixture(scope="module")
def decisions(games):
    found = replay_games(games)
    return found.part(np.flatnonzero(learnable(found, ("discard",))))


@pytest.fixture
def wide(player):
    """The player's discard model with the oracle channels, which have learnt something."""
    module, info = checkpoint.load(player / "discard")
    tensors = {name: value.numpy() for name, value in widened(module.state_dict()).items()}
    found = checkpoint.from_tensors(tensors, model_spec(info["network"].replace("suphx", "oracle"), "discard"))
    with torch.no_grad():
        found.stem.weight[:, SUPHX_CHANNELS:].normal_(std=0.1, generator=torch.Generator().manual_seed(1))
    return found


def guided(player, module, gamma, temperature=0.7):
    ordinary = SuphxAgent(player)
    tensors, info = module.state_dict(), ordinary.models["discard"].info
    network = info["network"].replace("suphx", "oracle")
    models = {**ordinary.models, "discard": Model.from_tensors(tensors, {"network": network, "model": "discard"})}
    agent = GuidedAgent.from_models(models, temperature, 3)
    agent.gamma = gamma
    return agent


def test_gamma_falls_from_one_to_zero_and_then_rate_and_weights_are_held_down():
    schedule = GammaSchedule.of(RlConfig(oracle="widen", oracle_first=2, oracle_fall=4, iterations=9, value_first=1))
    assert [schedule.gamma(i) for i in range(9)] == [1, 1, 1, 0.75, 0.5, 0.25, 0, 0, 0]
    assert [schedule.rate(i) for i in (0, 5, 6, 8)] == [1, 1, 0.1, 0.1]
    assert [schedule.reject(i) for i in (0, 5, 6, 8)] == [0, 0, 2, 2]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"oracle_fall": 0}, "gamma does not fall"),
        ({"iterations": 400}, "must be more than oracle_first"),
        ({"oracle_first": 5}, r"oracle_first \(5\) must be more than value_first \(5\)"),
        ({"start": ""}, "start must not be empty"),
        ({"mask": "tile"}, "mask must be one of element, state"),
        ({"oracle_first": 0}, r"oracle_first \(0\) must be more than value_first"),
        ({"after_rate": 0.0}, "after_rate must be more than 0"),
        ({"after_rate": 2.0}, "after_rate must be at most 1"),
        ({"after_reject": 0.5}, "after_reject must be more than 1, or 0"),
        ({"oracle": "", "oracle_fall": 7}, "oracle_fall belongs to oracle guiding: say"),
        ({"oracle": "", "after_rate": 0.5}, "after_rate belongs to oracle guiding: say"),
    ],
)
def test_a_schedule_that_cannot_work_is_refused(settings, said):
    with pytest.raises(ValueError, match=said):
        RlConfig(**{"oracle": "widen", **settings})


def test_an_oracle_as_the_start_is_refused_with_what_to_say_instead():
    said = (
        "start: oracle:runs/rl/oracle sees hidden tiles and cannot be the start; --oracle runs/rl/oracle begins with it"
    )
    with pytest.raises(ValueError, match=said):
        Player(RlConfig(start="oracle:runs/rl/oracle"))
    with pytest.raises(ValueError, match="--oracle FOLDER begins with it"):
        Player(RlConfig(start="oracle"))


@pytest.mark.parametrize("mask", ["element", "state"])
def test_the_mask_is_drawn_for_each_decision_with_the_right_probability(decisions, mask):
    records = decisions.records
    planes = encode_sparse(records)
    every = encode_many(records)
    assert np.array_equal(masked(planes, records, 1.0, 5, mask).dense(), every)
    assert not masked(planes, records, 0.0, 5, mask).dense().any()
    sizes = np.diff(planes.bounds)
    for gamma in (0.2, 0.7):
        found = masked(planes, records, gamma, 5, mask)
        kept = np.diff(found.bounds)
        assert ((found.dense() == 0) | (found.dense() == every)).all()
        if mask == "state":
            assert set(kept / sizes) == {0.0, 1.0}
            spread = np.sqrt(gamma * (1 - gamma) / len(sizes))
            assert (kept > 0).mean() == pytest.approx(gamma, abs=4 * spread)
        else:
            spread = np.sqrt(gamma * (1 - gamma) / sizes.sum())
            assert kept.sum() / sizes.sum() == pytest.approx(gamma, abs=4 * spread)
            # independent draws: the shares of the decisions spread as a binomial's
            off = (kept - gamma * sizes) / np.sqrt(gamma * (1 - gamma) * sizes)
            assert off.std() == pytest.approx(1, abs=0.15)
    # the same decision has the same mask, whatever is beside it; what is masked stays masked as gamma falls
    some = np.arange(0, len(records), 7)
    again = masked(encode_sparse(take(records, some)), take(records, some), 0.7, 5, mask)
    more = masked(planes, records, 0.7, 5, mask)
    assert np.array_equal(again.dense(), more[some].dense())
    assert (more.dense() >= masked(planes, records, 0.2, 5, mask).dense()).all()
    assert not np.array_equal(masked(planes, records, 0.7, 6, mask).bounds, more.bounds)


def test_gamma_one_sees_everything_and_zero_is_bit_for_bit_the_ordinary_network(player, wide, decisions):
    records, legal = decisions.records, decisions.legal
    everything, nothing = (guided(player, wide, gamma) for gamma in (1.0, 0.0))
    assert np.array_equal(everything.encode("discard", records).dense()[:, SUPHX_CHANNELS:], encode_many(records))
    narrow = copy.deepcopy(wide)
    cut_back(narrow)
    ordinary = SuphxAgent(player, 0.7, 3)
    ordinary.replace_weights({"discard": narrow.state_dict()}, 1)
    for many in (False, True):
        if many:
            for agent in (nothing, ordinary, everything):
                agent.expect_many()
        found, wanted, other = (agent.act(records, legal) for agent in (nothing, ordinary, everything))
        assert np.array_equal(found.policy, wanted.policy)
        assert np.array_equal(found.log_prob, wanted.log_prob)
        assert not np.allclose(other.policy, wanted.policy)


def test_the_cut_back_layer_gives_the_same_logits_and_the_widened_one_too(player, wide, decisions):
    agent = SuphxAgent(player)
    seen = agent.encode("discard", decisions.records)
    narrow = copy.deepcopy(wide)
    cut_back(narrow)
    again = copy.deepcopy(narrow)
    again.stem = torch.nn.Conv2d(SUPHX_CHANNELS + ORACLE_CHANNELS, 1, (1, 3), bias=False)
    again.stem.weight = torch.nn.Parameter(widened(narrow.state_dict())["stem.weight"])
    with torch.inference_mode():
        wanted = wide(seen)
        assert torch.equal(narrow(seen), wanted)
        everything = seen.before(encode_sparse(decisions.records))
        assert torch.equal(again(everything), wanted)  # weights of zero: nothing is seen of it
        assert not torch.allclose(wide(everything), wanted)


def test_the_optimiser_goes_on_with_what_is_left(wide):
    optimiser = torch.optim.Adam(wide.parameters(), lr=0.1)
    for weight in wide.parameters():
        weight.grad = torch.randn(weight.shape, generator=torch.Generator().manual_seed(2))
    optimiser.step()
    remembered = optimiser.state[wide.stem.weight]["exp_avg"].clone()
    other = wide.blocks[0].conv1.weight
    kept = optimiser.state[other]["exp_avg"].clone()
    cut_back(wide, optimiser)
    assert wide.stem.weight.shape[1] == SUPHX_CHANNELS
    assert torch.equal(optimiser.state[wide.stem.weight]["exp_avg"], remembered[:, :SUPHX_CHANNELS])
    assert torch.equal(optimiser.state[other]["exp_avg"], kept)
    assert {id(one) for one in optimiser.param_groups[0]["params"]} == {id(one) for one in wide.parameters()}


@pytest.mark.parametrize("gamma", [1.0, 0.5])
def test_the_learner_masks_what_the_player_masked(player, wide, gamma, monkeypatch):
    """Log-probabilities that were written down in self-play are found again from the replayed games."""
    from suzaku.arena.selfplay import self_play
    from suzaku.networks import run

    monkeypatch.setattr(run, "torch_is_faster", lambda: False)
    agent = guided(player, wide, gamma)
    played = list(self_play("oracle", range(1), 4, own=agent, tables=1, length="east"))
    found = replay_games(played)
    flow = flow_of(agent, found.part(np.flatnonzero(learnable(found, ("discard",)))), ("discard",))
    rows = np.arange(len(flow))
    with torch.inference_mode():
        now, _ = log_probs({"discard": wide}, minibatch(flow, rows), len(rows), 0.7)
    assert now.numpy() == pytest.approx(flow.behaviour, rel=1e-3, abs=1e-3)
    agent.gamma = 0.2
    other = flow_of(agent, flow.decisions, ("discard",))
    with torch.inference_mode():
        then, _ = log_probs({"discard": wide}, minibatch(other, rows), len(rows), 0.7)
    assert np.abs(then.numpy() - flow.behaviour).max() > 0.1


def test_hidden_tiles_exchanged_the_cut_player_answers_the_same(player, wide, decisions):
    narrow = copy.deepcopy(wide)
    cut_back(narrow)
    ordinary = SuphxAgent(player)
    ordinary.replace_weights({"discard": narrow.state_dict()}, 1)
    records = take(decisions.records, np.arange(0, len(decisions), 3))
    legal = decisions.legal[::3]
    exchanged = records.copy()
    GAME.redraw(exchanged, exchanged["seat"].copy(), 7)
    assert (exchanged["wall"] != records["wall"]).any()
    assert np.array_equal(ordinary.act(records, legal).policy, ordinary.act(exchanged, legal).policy)
    oracle = guided(player, wide, 1.0, temperature=0.0)
    assert not np.array_equal(oracle.act(records, legal).policy, oracle.act(exchanged, legal).policy)


def test_the_weights_of_the_perfect_features_may_learn_faster():
    module = build("oracle-b1c8", "discard")
    before = {name: value.clone() for name, value in module.state_dict().items()}
    with hastened([module], 3.0), torch.no_grad():
        for weight in module.parameters():
            weight.add_(0.5)
    moved = {name: value - before[name] for name, value in module.named_parameters()}
    stem = moved.pop("stem.weight")
    torch.testing.assert_close(stem[:, SUPHX_CHANNELS:], torch.full_like(stem[:, SUPHX_CHANNELS:], 1.5))
    torch.testing.assert_close(stem[:, :SUPHX_CHANNELS], torch.full_like(stem[:, :SUPHX_CHANNELS], 0.5))
    for value in moved.values():
        torch.testing.assert_close(value, torch.full_like(value, 0.5))
