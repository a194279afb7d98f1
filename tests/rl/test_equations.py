"""The settings of the policy gradient, one at a time, against eq. (1) to (3) of Suphx in plain NumPy.

A linear policy learns from the same 64 decisions in two iterations. What the learner makes of a setting must be what
the equations say, and something else than without it.
"""

from pathlib import Path

import numpy as np
import pytest
import torch

from suzaku.riichi.state import STATE
from suzaku.rl.buffer import Trajectories
from suzaku.rl.config import RlConfig
from suzaku.rl.policy import Flow, Steps
from suzaku.rl.policy_update import PolicyUpdate
from tests.learning.helpers import Linear, LinearAdam, every_setting_has_a_test, flat
from tests.rl.helpers import learner

N, WIDTH, KINDS = 64, 6, 34
FIRST = 1  # the version that the first iteration learns

BASE = {"rate": 0.05, "batch": 32, "temperature": 0.7, "gradient": 100.0, "alpha": 0.05, "beta": 0.02,
        "entropy": 1.2, "value_first": 0, "value_every": 1, "oracle": ""}  # fmt: skip
GUIDED = {"oracle": "widen", "oracle_first": 0, "oracle_fall": 1, "after_rate": 1.0, "after_reject": 0.0}
CASES = [
    ({}, {"rate": 0.02}),
    ({}, {"batch": 16}),
    ({}, {"batch": 24}),  # what is left over is left out
    ({}, {"epochs": 2}),
    ({}, {"temperature": 1.3}),
    ({}, {"clip": 0.0}),
    ({}, {"clip": 0.5}),
    ({}, {"gradient": 0.1}),
    ({}, {"advantage": "mean"}),
    ({}, {"advantage": "value"}),
    ({}, {"gae_lambda": 0.0}),
    ({}, {"gae_lambda": 1.0}),
    ({}, {"value_first": 2}),
    ({}, {"value_every": 2}),
    ({}, {"entropy": 0.5}),
    ({}, {"alpha": 0.0}),
    ({}, {"beta": 0.0}),
    ({}, {"beta": 5.0}),  # alpha stays within its limit
    ({}, {"anchor": 1.0}),
    ({}, {"average": 0.75}),
    ({}, {"seed": 2}),
    (GUIDED, {"after_rate": 0.1}),
    (GUIDED, {"after_reject": 1.5}),
    ({**GUIDED, "after_reject": 1.5}, {"anchor": 1.0}),
]


class Data:
    """The decisions, what a value network would say of them, and the policy at the start."""

    def __init__(self):
        rng = np.random.default_rng(5)
        self.seen = rng.normal(size=(N, WIDTH)).astype(np.float32)
        self.answer = rng.integers(KINDS, size=N)
        self.legal = rng.random((N, KINDS)) < 0.2
        self.legal[np.arange(N), self.answer] = True
        self.weight, self.bias = 0.5 * rng.normal(size=(KINDS, WIDTH)), 0.5 * rng.normal(size=KINDS)
        self.sequence = np.repeat(np.arange(N // 4), 4)
        self.reward = rng.normal(size=N // 4).astype(np.float32)[self.sequence]
        self.value = rng.normal(size=N).astype(np.float32)
        log_policy = self.log_policy(self.weight, self.bias, np.arange(N), 0.7)
        noise = rng.normal(scale=0.4, size=N)
        self.behaviour = (log_policy[np.arange(N), self.answer] + noise).astype(np.float32)

    def log_policy(self, weight, bias, rows, temperature):
        logits = (self.seen[rows] @ weight.T + bias) / temperature
        logits[~self.legal[rows]] = -np.inf
        top = logits.max(1, keepdims=True)
        return logits - top - np.log(np.exp(logits - top).sum(1, keepdims=True))

    def flow(self):
        records = np.zeros(N, STATE)
        zeros, rows = np.zeros(N, np.int64), np.arange(N)
        decisions = Trajectories(records, self.legal, self.answer, self.behaviour, zeros, self.sequence, [], rows)
        steps = {"discard": Steps(rows, self.answer, np.full(N, -1), self.legal)}
        return Flow(decisions, steps, self.behaviour, self.seen, {"discard": np.arange(N + 1)})


class Judge:
    """A value network that knows what it says, and counts what it is given to learn."""

    def __init__(self, value):
        self.value, self.learnt = value, 0

    def judge(self, planes, records):
        return self.value

    def planes(self, seen, records):
        return seen

    def learn(self, planes, reward):
        self.learnt += len(reward)


def learnt(data, player, folder, settings):
    """What the learner makes of the decisions: weights, averaged weights, alpha and its target, batches judged."""
    one = learner(player, folder, **settings)
    one.version, one.value = FIRST, Judge(data.value) if one.value else None
    one.update = PolicyUpdate(
        {"discard": Linear(data.weight, data.bias)}, one.config, torch.autocast("cpu", enabled=False)
    )
    one.update.wide = False  # there are no oracle channels
    for _ in range(2):
        one._learn(data.flow(), data.reward)
        one.version += 1
    module, mean = (flat(modules["discard"]) for modules in (one.update.modules, one.update.mean))
    entropy = one.update.entropy
    return module, mean, entropy.alpha, entropy.target, one.value.learnt if one.value else 0


def reference_advantages(config, data):
    """How much better than expected: all of a sequence's reward comes at its end."""
    if config.advantage == "mean":
        out = data.reward - data.reward.mean()
    else:
        discount = config.gae_lambda if config.advantage == "gae" else 1.0
        out = np.zeros(N)
        for i in range(N):
            rest = np.flatnonzero(data.sequence == data.sequence[i])
            rest = rest[rest >= i]
            after = np.append(data.value[rest[1:]], data.reward[i])
            out[i] = (discount ** np.arange(len(rest)) * (after - data.value[rest])).sum()
    return (out - out.mean()) / out.std()


def reference_gradient(config, data, adam, rows, gained, alpha, reject):
    """The gradient of the loss in the logits of some decisions, and their mean entropy."""
    n, t = len(rows), config.temperature
    log_policy = data.log_policy(adam.weight, adam.bias, rows, t)
    policy = np.exp(log_policy)
    answer = np.eye(KINDS)[data.answer[rows]]
    now = log_policy[np.arange(n), data.answer[rows]]
    before = data.log_policy(data.weight, data.bias, rows, t)[np.arange(n), data.answer[rows]]
    ratio = np.exp(now - data.behaviour[rows])
    kept = ratio <= reject if reject else np.ones(n, bool)
    earns = np.ones(n, bool)
    if config.clip:
        earns = ratio * gained <= np.clip(ratio, 1 - config.clip, 1 + config.clip) * gained
    slope = -(ratio * gained * earns * kept) / kept.sum()  # eq. (1)
    slope = slope + config.anchor * ratio * kept * (now - before) / n
    log_finite = np.where(np.isinf(log_policy), 0, log_policy)
    entropy = -(policy * log_finite).sum(1)
    wanted = slope[:, None] * (answer - policy) / t
    wanted += alpha / n * policy * (log_finite + entropy[:, None]) / t  # eq. (2)
    return wanted, entropy.mean()


def reference(data, config):
    """The same as `learnt`, by the equations."""
    adam = LinearAdam(data.weight, data.bias, config.gradient)
    mean = adam.weights
    alpha, target, judged = config.alpha, np.nan, 0
    gained = reference_advantages(config, data)
    rate = config.rate * (config.after_rate if config.oracle else 1)
    reject = config.after_reject if config.oracle else 0
    values = config.advantage != "mean"
    for version in (FIRST, FIRST + 1):
        rng = np.random.default_rng((config.seed, 1, version))
        begun, entropies = not values or version >= config.value_first, []
        for _ in range(config.epochs):
            order = rng.permutation(N)
            for number in range(N // config.batch):
                rows = order[number * config.batch : (number + 1) * config.batch]
                judged += len(rows) * (values and (not begun or number % config.value_every == 0))
                wanted, entropy = reference_gradient(config, data, adam, rows, gained[rows], alpha, reject)
                entropies.append(entropy)
                if begun:
                    adam.learn(rate, data.seen[rows], wanted)
        if begun:
            mean = config.average * mean + (1 - config.average) * adam.weights
            target = config.entropy * np.mean(entropies) if np.isnan(target) else target
            alpha = np.clip(alpha + config.beta * (target - np.mean(entropies)), -0.1, 0.1)  # eq. (3)
    return adam.weights, mean, alpha, target, judged


@pytest.mark.parametrize(("base", "changed"), CASES, ids=lambda one: ",".join(f"{k}={v}" for k, v in one.items()))
def test_a_setting_does_what_the_equations_say(player, tmp_path, base, changed):
    data, usual, settings = Data(), {**BASE, **base}, {**BASE, **base, **changed}
    before, wanted = (reference(data, RlConfig(start=str(player), **one)) for one in (usual, settings))
    found = learnt(data, player, tmp_path, settings)
    far = max(np.abs(one - other).max() for one, other in zip(wanted, before, strict=True))
    assert far > 4e-3  # the setting has an effect
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, atol=4e-4, rtol=1e-4)


ELSEWHERE = {  # where the effects of the other settings are tested
    "start": "test_learner::test_what_cannot_be_started_is_told",
    "reward": "test_learner::test_the_reward_may_be_the_predicted_one_of_the_game",
    "reward_model": "test_learner::test_reward_models_are_found",
    "learn": "test_learner::test_other_choices",
    "iterations": "test_learner::test_it_learns_the_discards_and_leaves_the_rest",
    "repeat": "test_round_player::test_plays_of_a_wall_begin_alike_and_go_on_otherwise",
    "games": "test_self_play::test_actors_play_as_the_settings_say",
    "tables": "test_self_play::test_actors_play_as_the_settings_say",
    "workers": "test_learner::test_half_of_the_cores_play_unless_it_is_said",
    "length": "test_self_play::test_actors_play_as_the_settings_say",
    "reuse": "test_buffer::test_each_game_is_drawn_once_while_it_stays",
    "staleness": "test_learner::test_games_that_are_too_old_are_left_out_and_told",
    "natural": "test_natural::test_the_step_solves_the_fisher_matrix_and_says_how_far_it_goes",
    "natural_blocks": "test_natural::test_a_run_moves_few_weights",
    "damping": "test_natural::test_damping_shortens_the_step_most_where_little_is_known",
    "sure": "test_natural::test_positions_with_a_sure_answer_are_left_out_whichever_was_given",
    "value_network": "test_critic::test_a_value_network_begins_with_the_layers_of_the_start",
    "value_rate": "test_critic::test_the_value_network_learns_at_its_own_rate",
    "critic": "test_oracle_learner::test_an_oracle_critic_sees_the_hidden_tiles",
    "oracle": "test_oracle_learner::test_the_run_goes_from_the_oracle_to_an_ordinary_player",
    "oracle_first": "test_oracle_learner::test_the_run_goes_from_the_oracle_to_an_ordinary_player",
    "oracle_fall": "test_oracle_learner::test_the_run_goes_from_the_oracle_to_an_ordinary_player",
    "mask": "test_oracle::test_the_mask_is_drawn_for_each_decision_with_the_right_probability",
    "oracle_rate": "test_policy_update::test_the_weights_of_the_perfect_features_learn_so_many_times_as_fast",
    "walls": "test_learner::test_strength_is_none_for_the_player_it_started_from",
    "eval_every": "test_screen::test_each_validation_is_said_when_it_was_measured_and_the_report_names_the_best",
    "save_every": "test_learner::test_killed_without_warning_it_goes_on_to_the_same_weights",
    "keep_every": "test_learner::test_killed_without_warning_it_goes_on_to_the_same_weights",
    "bfloat16": "test_device::test_it_computes_in_bfloat16_where_the_machine_has_it",
}


def test_every_setting_has_a_test():
    every_setting_has_a_test(RlConfig, {name for _, changed in CASES for name in changed}, ELSEWHERE, Path(__file__))
