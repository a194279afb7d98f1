"""The natural gradient over last layers: its scores, its step, and a run that moves nothing else."""

import numpy as np
import pytest
import torch
from torch import nn

from suzaku.agents.agent import discard_of_kind
from suzaku.agents.suphx import SuphxAgent
from suzaku.networks.checkpoint import load
from suzaku.networks.modules import build
from suzaku.riichi import Tables
from suzaku.rl import natural as natural_module
from suzaku.rl.config import RlConfig
from suzaku.rl.natural import NaturalGradient, last_layer, layer_scores
from suzaku.rl.policy import Steps, step_log_prob
from tests.rl.helpers import learner, run, same, weights


def some_discards(n):
    """Tables at the first discard of a game."""
    tables = Tables(n, seed=3)
    return tables.records, tables.legal


@pytest.mark.parametrize("tiles", [True, False])
def test_scores_are_the_gradient_of_the_log_probability(tiles):
    torch.manual_seed(1)
    layer = nn.Conv2d(5, 1, 1) if tiles else nn.Linear(5, 2)
    given = torch.randn(3, 5, 1, 34) if tiles else torch.randn(3, 5)
    logits = layer(given).flatten(1).detach().requires_grad_()
    answer = torch.tensor([1, 0, 1])
    chosen = torch.log_softmax(logits, 1).gather(1, answer[:, None]).sum()
    found = layer_scores(given, torch.autograd.grad(chosen, logits)[0])
    for i in range(3):
        one = torch.log_softmax(layer(given[i : i + 1]).flatten(1), 1)[0, answer[i]]
        expected = torch.cat([part.flatten() for part in torch.autograd.grad(one, list(layer.parameters()))])
        torch.testing.assert_close(found[i], expected, atol=1e-5, rtol=1e-4)


def test_the_step_solves_the_fisher_matrix_and_says_how_far_it_goes():
    natural = NaturalGradient({"riichi": build("suphx-b2c8", "riichi")}, 0.5, blocks=1, damping=1e-9)
    layer, norms = natural.layers["riichi"], natural.norms["riichi"]
    with torch.no_grad():
        norms[0].bias.fill_(2.0)
    n = 2 * 2 * 8 + sum(weight.numel() for weight in layer.parameters())  # two norms of eight channels
    rng = np.random.default_rng(2)
    psi = torch.from_numpy(rng.normal(size=(4 * n, n)))
    wanted = torch.from_numpy(rng.normal(size=n))
    natural.fisher["riichi"], natural.decisions = psi.T @ psi, 4 * n
    natural.gradient["riichi"] = psi.T @ psi @ wanted  # so that F^-1 g is `wanted`
    before = layer.bias.clone()
    moved = natural.move(0.25)
    step = 0.25 * wanted.float()
    torch.testing.assert_close(norms[0].weight, 1 + step[:8], atol=1e-4, rtol=1e-3)
    torch.testing.assert_close(norms[0].bias, 2 * (1 + step[:8]) + step[8:16], atol=1e-4, rtol=1e-3)
    torch.testing.assert_close(layer.bias - before, step[-2:], atol=1e-4, rtol=1e-3)
    assert moved["natural_step"] == pytest.approx(float((psi @ (0.25 * wanted)).square().mean()) / 2, rel=1e-3)
    assert moved["natural_luck"] == pytest.approx(0.25**2 * n / (2 * 4 * n), rel=1e-3)


def test_damping_shortens_the_step_most_where_little_is_known():
    found = []
    for damping in (0.1, 1.0):
        natural = NaturalGradient({"riichi": build("suphx-b2c8", "riichi")}, 0.5, blocks=0, damping=damping)
        n = sum(weight.numel() for weight in natural.layers["riichi"].parameters())
        known = torch.linspace(0, 2, n).double()
        natural.fisher["riichi"], natural.gradient["riichi"] = 10 * torch.diag(known), 10 * torch.ones(n).double()
        natural.decisions = 10
        torch.testing.assert_close(natural.direction("riichi")[0], (1 / (known + damping)).float())
        found.append(natural.direction("riichi")[0])
    assert found[0][0] / found[1][0] > 9
    assert found[0][-1] / found[1][-1] < 1.5


@pytest.mark.parametrize("model", ["discard", "riichi"])
def test_psi_tells_what_a_step_changes(player, model):
    """A small step along psi of one answer changes its log-probability by the squared length of psi."""
    module, _ = load(player / model)
    natural = NaturalGradient({model: module}, 0.5, blocks=1, damping=0.01)
    records, legal = some_discards(6)
    planes = SuphxAgent(player).encode("discard", records)
    kinds = discard_of_kind(records, legal) >= 0
    answer = kinds.argmax(1) if model == "discard" else np.array([0, 1] * 3)
    kinds = kinds if model == "discard" else kinds[:, :0]
    batch = {model: (Steps(np.arange(6), answer, np.full(6, -1), kinds, planes), np.arange(6))}
    logits, psi = natural.answer(batch)
    said, _ = step_log_prob(model, logits[model], batch[model][0], 0.5)
    long = psi[model].square().sum(1)
    chosen = int((long * torch.isfinite(said)).argmax())
    natural.take(model, psi[model][chosen] * 1e-3 / float(long[chosen]))
    after, _ = step_log_prob(model, natural.answer(batch)[0][model], batch[model][0], 0.5)
    assert float(after[chosen] - said[chosen]) == pytest.approx(1e-3, rel=0.05)


def test_positions_with_a_sure_answer_are_left_out_whichever_was_given(player):
    module, _ = load(player / "discard")
    records, legal = some_discards(40)
    kinds = discard_of_kind(records, legal) >= 0
    planes = SuphxAgent(player).encode("discard", records)
    steps = Steps(np.arange(40), kinds.argmax(1), np.full(40, -1), kinds, planes)
    every = NaturalGradient({"discard": module}, 0.3, blocks=1, damping=0.1)
    logits, whole = every.answer({"discard": (steps, np.arange(40))})
    chances = torch.softmax(logits["discard"].masked_fill(~torch.from_numpy(kinds), -torch.inf) / 0.3, 1)
    surest = chances.max(1).values
    line = float(surest.sort().values[19:21].mean())
    some = NaturalGradient({"discard": module}, 0.3, blocks=1, damping=0.1, sure=line)
    _, psi = some.answer({"discard": (steps, np.arange(40))})
    rare = (surest > line) & (chances[torch.arange(40), torch.from_numpy(steps.answer)] < 0.5)
    assert rare.any()  # a rare answer of a sure position goes too
    assert not psi["discard"][surest > line].any()
    torch.testing.assert_close(psi["discard"][surest <= line], whole["discard"][surest <= line])


def test_answers_that_were_sure_are_not_encoded(player, tmp_path):
    games = {}
    for sure in (0.5, 1.0):
        one = learner(player, tmp_path / str(sure), iterations=1, natural=0.5, sure=sure, advantage="mean")
        one.begin(0)
        one.wait()
        flow, reward = one.prepare([game for harvest in one.next_batch() for game in harvest.games])
        games[sure] = flow.decisions.log_prob
        assert len(reward) == len(flow)
        one.end()
    line = np.log(0.875)  # well beyond 0.5: rare answers near the limit would otherwise stay without the usual ones
    assert (games[0.5] <= line).all()
    assert (games[0.5] > np.log(0.5)).any()
    assert len(games[0.5]) == (games[1.0] <= line).sum() < len(games[1.0])


def test_a_run_moves_few_weights(player, tmp_path):
    one = learner(player, tmp_path, iterations=3, natural=0.5, natural_blocks=1)
    before = weights(one)
    figures = run(one, tmp_path)
    after = weights(one)
    changed = {name for name in before if not torch.equal(before[name], after[name])}
    norms = {f"blocks.1.norm{i}.{end}" for i in (1, 2) for end in ("weight", "bias")}
    assert changed - {"head.last.bias"} == {"head.last.weight", *norms}  # the bias is the same for all tiles
    assert "natural_step" not in figures[0]  # the value network alone
    assert figures[1]["natural_luck"] > 0
    assert figures[1]["natural_step"] > 0


def test_importance_weights_are_not_clipped(player, tmp_path):
    """An answer that has become likelier is learnt from, whether it won or lost."""
    one = learner(player, tmp_path, iterations=1, natural=0.5, advantage="mean")
    one.begin(0)
    one.wait()
    flow, reward = one.prepare([game for harvest in one.next_batch() for game in harvest.games])
    one.end()
    rows, gradients = np.arange(len(flow)), []
    flow.behaviour[:] -= 0.5  # all answers are 1.65 times as likely now
    for sign in (1, -1):
        figures = one.update.step(flow, rows, sign * np.abs(reward) + sign, 0, True, 0.0)
        gradients.append(one.update.natural.gradient["discard"])
        one.update.natural.clear()
        assert figures["clipped"] == 0
    assert gradients[0].abs().max() > 0
    torch.testing.assert_close(gradients[0], -gradients[1])


def test_it_goes_on_as_if_nothing_had_been(player, tmp_path):
    whole = learner(player, tmp_path / "whole", iterations=3, natural=0.5)
    run(whole, tmp_path / "whole")
    run(learner(player, tmp_path / "cut", iterations=3, natural=0.5), tmp_path / "cut", steps=2)
    rest = learner(player, tmp_path / "cut", iterations=3, natural=0.5)
    run(rest, tmp_path / "cut")
    assert same(weights(whole), weights(rest))


def test_more_weights_than_a_matrix_holds_are_refused(monkeypatch):
    modules = {"riichi": build("suphx-b2c8", "riichi")}
    found = NaturalGradient(modules, 0.5, blocks=1, damping=0.1)
    weights = 2 * 2 * 8 + sum(weight.numel() for weight in found.layers["riichi"].parameters())
    monkeypatch.setattr(natural_module, "MOST", weights)
    NaturalGradient(modules, 0.5, blocks=1, damping=0.1)
    monkeypatch.setattr(natural_module, "MOST", weights - 1)
    with pytest.raises(ValueError, match=f"over {weights:,} weights of the riichi model would need matrices of"):
        NaturalGradient(modules, 0.5, blocks=1, damping=0.1)


def test_more_blocks_than_the_network_has_are_refused(player, tmp_path):
    learner(player, tmp_path, natural=0.5, natural_blocks=2)
    with pytest.raises(ValueError, match="natural_blocks must be at most 2, the blocks of the discard model, not 3"):
        learner(player, tmp_path, natural=0.5, natural_blocks=3)
    learner(player, tmp_path, natural_blocks=3)  # without the natural gradient it says nothing


def test_refusals():
    with pytest.raises(ValueError, match="natural moves the last layers"):
        RlConfig(natural=1.0, oracle="widen")
    with pytest.raises(ValueError, match="damping must be more than 0"):
        RlConfig(damping=0.0)
    with pytest.raises(ValueError, match="sure must be at least"):
        RlConfig(sure=0.1)
    with pytest.raises(ValueError, match="one step an iteration"):
        RlConfig(natural=1.0, epochs=2)
    with pytest.raises(ValueError, match="a last layer of their own"):
        last_layer(nn.Linear(2, 2))
