"""Learning winning scores: one step by hand, the loop, resume, and what a model's file must be."""

from pathlib import Path

import numpy as np
import pytest

from suzaku.features.channels import first
from suzaku.hand.tables import tables
from suzaku.learning.loop import Run
from suzaku.riichi.evaluate import rules_record
from suzaku.riichi.rules import Rules
from suzaku.tiles import DORA_OF, KIND_OF, RED
from suzaku.winning_scores import hand as solo
from suzaku.winning_scores.distance import shapes
from suzaku.winning_scores.features import BLOCKS, DRAWS, GROUPS, MOST, SIZE, features_hash, fill_features, steps_of
from suzaku.winning_scores.hand import fill_unseen_bits, put, take, throws_red
from suzaku.winning_scores.learner import Success, WinningConfig, WinningLearner, samples, success
from suzaku.winning_scores.learnt import BCP, COLUMNS, MCP, add_rows, choose_learnt, learn_one, score, to_classes
from suzaku.winning_scores.model import Model, ModelError, load_model
from suzaku.winning_scores.play import DRAWING, ONE_PLAYER, new_hand, play_number
from tests.learning.helpers import every_setting_has_a_test

SMALL = {"hands": 3_000, "baseline": 1_000, "step_hands": 500, "eval_every": 4, "eval_hands": 50, "save_every": 2}


BLOCK = list(range(first(GROUPS, "windows"), first(GROUPS, "windows") + BLOCKS))  # as every hand has of its suits
ALONE = first(GROUPS, "honours")  # a feature that is no number
SHANTEN_TWO = first(GROUPS, "shanten") + 2 * DRAWS + 9


class Learning:
    """Weights and all that goes with them, learning hand by hand."""

    def __init__(self, model, weights=None, rate=0.1, decay=0.0):
        self.model, self.rate, self.decay = model, rate, decay
        self.weights = np.zeros((SIZE, COLUMNS), np.float32) if weights is None else weights
        self.steps = steps_of(self.weights)
        self.squares, self.seen = np.full((SIZE, COLUMNS), 1e-6, np.float32), np.zeros((SIZE, COLUMNS), np.int32)

    def learn(self, features, han, aim, now=1):
        work = np.zeros((4, COLUMNS), np.float32), np.zeros(COLUMNS, np.float32), np.zeros(5)
        chosen = np.array(features, np.int32)
        return learn_one(
            self.model, self.weights, self.steps, self.squares, self.seen, now, chosen, len(chosen), han, aim,
            self.rate, self.decay, *work,
        )  # fmt: skip


def test_one_step_of_the_softmax_is_fobos_with_adagrad():
    rng = np.random.default_rng(1)
    weights = rng.normal(size=(SIZE, COLUMNS)).astype(np.float32)
    learning = Learning(MCP, weights, decay=0.05)
    steps, features, han = learning.steps.astype(np.float64), [*BLOCK, ALONE, SHANTEN_TWO], 2
    sums = weights[features].astype(np.float64).sum(0)
    loss = learning.learn(features, han, 1, now=4)
    p = np.exp(sums) / np.exp(sums).sum()
    assert loss == pytest.approx(-np.log(p[han]), rel=1e-5)
    g = p - (np.arange(5) == han)
    size = 0.1 / np.sqrt(1e-6 + g**2)
    taught = [*BLOCK, ALONE, *(SHANTEN_TWO - i * DRAWS for i in range(3))]
    expected = (steps[taught] - size * g) / (1 + size * 0.05 * 4)  # absent from three hands, present in one
    assert np.allclose(learning.steps[taught], expected, atol=1e-5)
    others = np.setdiff1d(np.arange(SIZE), taught)
    assert np.array_equal(learning.steps[others], steps[others].astype(np.float32))
    assert np.allclose(steps_of(learning.weights), learning.steps, atol=1e-5)


def test_a_number_never_seen_is_worth_what_the_nearest_is():
    """Hands of shanten 2 lose: those of 3 and more are no better, and of 0 and 1 are told apart by their own hands."""
    learning = Learning(BCP)
    for now in range(1, 50):
        learning.learn([*BLOCK, SHANTEN_TWO], 0, 1, now)
        learning.learn([*BLOCK, SHANTEN_TWO - DRAWS], 4, 1, now)
    row = learning.weights[SHANTEN_TWO - 2 * DRAWS :: DRAWS, 0][:8]
    assert row[2] < row[1]
    assert (row[2:] == row[2]).all()


def test_a_regression_learns_from_its_own_aim_alone():
    learning = Learning(BCP)
    assert learning.learn([*BLOCK, ALONE], 3, 2) == pytest.approx(np.log(2))
    assert learning.weights[ALONE, 1] > 0
    assert not learning.weights[:, [0, 2, 3, 4]].any()
    learning.learn([*BLOCK, ALONE + 1], 1, 2)
    assert learning.weights[ALONE + 1, 1] < 0


@pytest.mark.parametrize("model", [MCP, BCP])
def test_frequencies_are_learnt(model):
    """Features that are always there: the probabilities become the shares of the classes."""
    rng = np.random.default_rng(2)
    shares = np.array([0.5, 0.1, 0.2, 0.15, 0.05])
    learning = Learning(model, rate=0.01)
    for now, han in enumerate(rng.choice(5, 8_000, p=shares), 1):
        learning.learn(BLOCK, int(han), 1 + now % 4, now)
    out = np.zeros(5)
    to_classes(model, learning.weights[BLOCK].sum(0), out)
    assert out.sum() == pytest.approx(1)
    assert np.abs(out - shares).max() < 0.05


def test_contradicting_regressions_give_no_negative_probability():
    out = np.zeros(5)
    to_classes(BCP, np.array([-2, -1, 0, -3, 0], np.float32), out)
    assert out.min() >= 0
    assert out.sum() == pytest.approx(1)
    assert out[3:].sum() == pytest.approx(0.5)  # the third regression stands


def test_features_are_few_and_in_their_groups():
    s, w = new_hand()
    weights = np.zeros((SIZE, COLUMNS), np.float32)
    rules = rules_record(Rules.tenhou())
    starts = np.cumsum([0, *(group.count for group in GROUPS)])
    some = {group.name: 0 for group in GROUPS}
    for number in range(300):
        play_number(tables(), shapes(), rules, -1, weights, s, 3, number, 0, DRAWING, 0.5, w)
        found = w.sample[: w.n]
        assert w.n < MOST
        assert len(found) == 0 or (found.min() >= 0 and found.max() < SIZE)
        for group, low, high in zip(GROUPS, starts, starts[1:], strict=False):
            n = int(((found >= low) & (found < high)).sum())
            some[group.name] += n
            if w.n and group.encoding == "one of" and not group.name.startswith("wait"):
                assert n == 1, group.name
            if w.n and group.name == "windows":
                assert n == 21
    assert all(some.values())


def choose_slowly(rules, model, v, aim, w):
    """What `choose_learnt` must choose: every discard by all its features."""
    best, best_worth, tried = None, 0.0, 0
    for kind in np.flatnonzero(v.hand):
        red = throws_red(v, kind)
        put(v, kind)
        v.red[kind // 9 if red else 0] -= red
        for riichi in (False, True):
            n = fill_features(tables(), shapes(), rules, v, riichi, w.plan, w.features)
            tiles = min(w.plan.tiles[0], w.plan.tiles[1])
            if riichi and (tiles != 1 or not v.may_riichi):
                continue
            add_rows(model.weights, w.features, n, w.blocks, w.sums)
            worth = score(model.number, w.sums, aim)
            tried += 1
            if best is None or worth > best_worth:
                best, best_worth = (kind, riichi, tiles), worth
        v.red[kind // 9 if red else 0] += red
        take(v, kind)
    return best, tried


@pytest.mark.parametrize("name", ["mcp", "bcp"])
def test_the_fast_choice_is_that_of_all_features(name):
    model, rules = load_model(name), rules_record(Rules.tenhou())
    (s, w), riichi = new_hand(), 0
    for number in range(12):
        solo.start(s, 5, number)
        s.plays[:] = 1
        solo.shuffle(s)
        solo.deal(tables(), s, number % 2)
        while s.left > 0:
            seat = int(s.turn)
            solo.draw(s)
            v = s.seat[seat]
            fill_unseen_bits(v)
            expected, tried = choose_slowly(rules, model, v, 1 + number % 4, w)
            chosen = choose_learnt(tables(), shapes(), rules, model.number, model.weights, v, 1 + number % 4, w)
            assert chosen == expected
            riichi += tried > len(np.flatnonzero(v.hand))
            solo.discard(tables(), s, seat, chosen[0], throws_red(v, chosen[0]), False, chosen[2] == 1)
            s.turn = (seat + 1) & 3
    assert riichi > 20  # decisions in which riichi was possible


def test_the_baseline_wins_as_often_as_it_should():
    """Rates measured over 20,000 hands (docs/findings/winning-scores.md), here within four standard errors of 2,000."""
    for aim, opponents, rate in ((1, DRAWING, 0.490), (4, DRAWING, 0.188), (1, ONE_PLAYER, 0.230)):
        found = success(None, aim, opponents, 2_000, 8)
        assert abs(found.rate - rate) < 2 * found.half + 0.01


def test_without_a_dead_wall_all_tiles_but_the_indicator_are_drawn():
    s, _ = new_hand(solo.WHOLE)
    solo.start(s, 4, 0)
    s.plays[:] = 1
    solo.shuffle(s)
    solo.deal(tables(), s, 0)
    v = s.seat[0]
    assert v.dora[0] == DORA_OF[s.wall[0]]
    drawn = 0
    while s.left > 0:
        seat, tile = int(s.turn), solo.draw(s)
        solo.discard(tables(), s, seat, int(KIND_OF[tile]), tile >= RED, False, False)
        s.turn = (seat + 1) & 3
        drawn += 1
    assert (drawn, int(s.next)) == (83, 0)
    assert int(v.unseen.sum()) == 136 - 1 - 83 - 13  # the others' hands
    found = success(None, 1, DRAWING, 2_000, 8, solo.WHOLE)
    assert abs(found.rate - 0.653) < 2 * found.half  # docs/findings/winning-scores.md


def run(folder, **settings):
    learner = WinningLearner(WinningConfig(**(SMALL | settings)))
    return Run(learner, folder), learner


def test_a_run_goes_on_exactly_and_the_same_seed_learns_the_same(tmp_path):
    whole, learner = run(tmp_path / "whole")
    whole.run(lambda figures: None)
    assert learner.model.weights.any()
    part, stopped = run(tmp_path / "parts")

    def stop(figures):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        part.run(stop, every=3)
    assert stopped._hands == 1_500
    second, resumed = run(tmp_path / "parts")
    second.run(lambda figures: None)
    assert np.array_equal(resumed.model.weights, learner.model.weights)
    assert np.array_equal(resumed.weights, learner.weights)
    other, differs = run(tmp_path / "other", seed=2)
    other.run(lambda figures: None)
    assert not np.array_equal(differs.model.weights, learner.model.weights)
    loaded = load_model(tmp_path / "whole")
    assert (loaded.name, loaded.opponents, loaded.about["hands"]) == ("mcp", "drawing", 3_000)
    assert np.allclose(loaded.weights, learner.model.weights, rtol=1e-2, atol=1e-3)


HERE = [{"opponents": "one-player"}, {"tiles": 83}, {"baseline": 0}, {"explore": 0.5}, {"rate": 0.1}, {"l2": 100.0},
        {"step_hands": 250}]  # fmt: skip


def after_some_hands(**settings):
    learner = WinningLearner(WinningConfig(**{**SMALL, "hands": 1000, "baseline": 500, **settings}))
    while learner._hands < 1000:
        learner.learn(learner.next_batch(), 0)
    return learner.model.weights


@pytest.mark.parametrize("changed", HERE, ids=str)
def test_a_setting_changes_what_is_learnt(changed):
    assert np.abs(after_some_hands(**changed) - after_some_hands()).max() > 1e-4


def test_so_many_hands_of_each_aim_are_evaluated(monkeypatch):
    played = []
    monkeypatch.setattr(
        "suzaku.winning_scores.learner.success", lambda *given: played.append(given[3]) or Success(1, (1,) * 5)
    )
    WinningLearner(WinningConfig(**{**SMALL, "eval_hands": 70})).validate(0)
    assert played == [70] * 4


ELSEWHERE = {
    "model": "test_learning::test_frequencies_are_learnt",
    "hands": "test_learning::test_a_run_goes_on_exactly_and_the_same_seed_learns_the_same",
    "seed": "test_learning::test_a_run_goes_on_exactly_and_the_same_seed_learns_the_same",
    "eval_every": "test_learning::test_a_run_goes_on_exactly_and_the_same_seed_learns_the_same",
    "eval_hands": "test_learning::test_so_many_hands_of_each_aim_are_evaluated",
    "save_every": "test_learning::test_a_run_goes_on_exactly_and_the_same_seed_learns_the_same",
}


def test_every_setting_has_a_test():
    every_setting_has_a_test(WinningConfig, {name for one in HERE for name in one}, ELSEWHERE, Path(__file__))


def test_a_damaged_model_of_a_finished_run_is_said_and_written_again(tmp_path, capsys):
    config = WinningConfig(**{**SMALL, "hands": 500})
    Run(WinningLearner(config), tmp_path).run(lambda _: None)
    capsys.readouterr()
    last = tmp_path / "last.safetensors"
    whole = last.read_bytes()
    last.write_bytes(whole[:300])
    Run(WinningLearner(config), tmp_path).run(lambda _: None)
    said = capsys.readouterr().err
    assert str(last) in said
    assert "it is written again from last.state.pt" in said
    assert last.read_bytes() == whole


def test_learning_helps():
    """The loss of a model that learnt is lower than of one that knows the shares of the classes alone."""
    learner = WinningLearner(WinningConfig(hands=20_000, baseline=20_000))
    for number in range(0, 20_000, 5_000):
        learner.learn((number, 5_000), 0)
    said, han = samples(learner.model, 1, DRAWING, 2_000, 77)
    shares = np.bincount(han, minlength=5) / len(han)
    loss = -np.log(said[np.arange(len(han)), han]).mean()
    assert loss < -np.log(shares[han]).mean() - 0.03


def test_models_that_cannot_be_used_are_refused_in_a_sentence(tmp_path, monkeypatch):
    with pytest.raises(ModelError, match="there is no model of winning scores 'bpc'"):
        load_model("bpc")
    bad = tmp_path / "bad.safetensors"
    bad.write_bytes(b"no model")
    with pytest.raises(ModelError, match=r"bad.safetensors is not a model of winning scores"):
        load_model(bad)
    Model("mcp", "drawing").save(tmp_path / "old")
    monkeypatch.setattr("suzaku.winning_scores.model.features_hash", lambda: "other")
    with pytest.raises(ModelError, match=f"feature list {features_hash()}, this Suzaku has other"):
        load_model(tmp_path / "old")
    with pytest.raises(ValueError, match="model must be one of mcp, bcp"):
        WinningConfig(model="dcp")
