"""Fig. 1, branch by branch, with models that say what the test wants."""

import threading

import numpy as np
import pytest

from suzaku.agents.network import surest_first, temper_yes
from suzaku.agents.suphx import CLAIMS, GaoAgent, SuphxAgent
from suzaku.riichi import actions as act
from suzaku.riichi.state import CLAIM, STATE, TURN
from suzaku.tiles import parse_one

ONE, TWO = parse_one("1m"), parse_one("2m")
KONG, OTHER_KONG = act.CLOSED_KONG + ONE, act.CLOSED_KONG + TWO


def logit(p):
    return np.log(p) - np.log(1 - p)


class Stub:
    """Models that answer by the table's `game`, and the claim asked about."""

    def __init__(self, monkeypatch, agent, yes, tiles=(0.7, 0.3), chow=()):
        self.said, self.tiles, self.chow = yes, tiles, chow
        self.agent = agent.__new__(agent)
        self.agent._swap = threading.Lock()
        self.agent.seconds = {"features": 0.0, "network": 0.0}
        self.agent.temperature, self.agent.seed, self.agent.lookahead = 0.0, 0, True
        monkeypatch.setattr(self.agent, "ask", self.ask, raising=False)
        monkeypatch.setattr(self.agent, "encode", self.encode, raising=False)

    def encode(self, model, records, claim=None):
        return np.zeros((len(records), 1)) if claim is None else np.asarray(claim)

    def ask(self, model, planes):
        n = len(planes)
        if model == "discard":
            logits = np.full((n, 34), -9.0, np.float32)
            logits[:, ONE], logits[:, TWO] = np.log(self.tiles)
            return logits
        if model == "chow" and self.chow:
            return np.log(np.tile(np.array(self.chow, np.float32), (n, 1)))
        asked = planes.tolist() if planes.ndim == 1 else [model] * n
        yes = np.array([self.said[a] if a in self.said else self.said[model] for a in asked], np.float32)
        return np.stack([np.zeros(n, np.float32), logit(yes)], 1)

    def act(self, legal, temperature=0.0, n=1):
        """The answers to n copies of a table with these legal actions."""
        self.agent.temperature = temperature
        records = np.zeros(n, STATE)
        records["drawn"] = parse_one("9s")
        records["phase"] = CLAIM if act.PASS in legal else TURN
        mask = np.zeros((n, act.ACTIONS), np.bool_)
        mask[:, legal] = True
        return self.agent.act(records, mask, np.arange(n))

    def check(self, legal, wanted, policy):
        """The greedy answer and the policy; and what is drawn at temperature 1 follows the policy."""
        answers = self.act(legal)
        assert answers.actions[0] == wanted
        assert answers.log_prob[0] == 0
        found = {a: float(p) for a, p in enumerate(answers.policy[0]) if p > 1e-3}
        assert found == pytest.approx(policy, abs=2e-3)
        drawn = self.act(legal, 1.0, 4000)
        shares = {a: float((drawn.actions == a).mean()) for a in policy}
        assert shares == pytest.approx(policy, abs=0.035)
        assert np.allclose(np.exp(drawn.log_prob), drawn.policy[np.arange(4000), drawn.actions], atol=1e-5)


@pytest.mark.parametrize("agent", [SuphxAgent, GaoAgent])
@pytest.mark.parametrize(
    ("riichi", "tiles", "wanted", "policy"),
    [
        (0.45, (0.7, 0.3), ONE, {act.RIICHI: 0.45, ONE: 0.385, TWO: 0.165}),  # no, though likelier than any tile
        (0.55, (0.98, 0.02), act.RIICHI, {act.RIICHI: 0.55, ONE: 0.441, TWO: 0.009}),
        (0.1, (0.2, 0.8), TWO, {act.RIICHI: 0.1, ONE: 0.18, TWO: 0.72}),
    ],
)
def test_riichi_if_its_model_says_yes_else_the_best_tile(monkeypatch, agent, riichi, tiles, wanted, policy):
    Stub(monkeypatch, agent, {"riichi": riichi}, tiles).check([ONE, TWO, act.RIICHI], wanted, policy)


@pytest.mark.parametrize(
    ("kongs", "riichi", "wanted", "policy"),
    [
        ((0.6, 0.2), 0.9, KONG, {KONG: 0.6, OTHER_KONG: 0.08, act.RIICHI: 0.288, ONE: 0.0224, TWO: 0.0096}),
        ((0.6, 0.7), 0.9, OTHER_KONG, {OTHER_KONG: 0.7, KONG: 0.18, act.RIICHI: 0.108, ONE: 0.0084, TWO: 0.0036}),
        ((0.4, 0.45), 0.6, act.RIICHI, {OTHER_KONG: 0.45, KONG: 0.22, act.RIICHI: 0.198, ONE: 0.0924, TWO: 0.0396}),
        ((0.4, 0.45), 0.2, ONE, {OTHER_KONG: 0.45, KONG: 0.22, act.RIICHI: 0.066, ONE: 0.1848, TWO: 0.0792}),
    ],
)
def test_a_kong_comes_before_riichi_and_the_surest_first(monkeypatch, kongs, riichi, wanted, policy):
    stub = Stub(monkeypatch, SuphxAgent, {KONG: kongs[0], OTHER_KONG: kongs[1], "riichi": riichi})
    stub.check([ONE, TWO, act.RIICHI, KONG, OTHER_KONG], wanted, policy)


CHOW, PONG = act.CHOW_LOW, act.PONG


@pytest.mark.parametrize(
    ("chow", "pong", "wanted", "policy"),
    [
        (0.6, 0.8, PONG, {PONG: 0.8, CHOW: 0.12, act.PASS: 0.08}),
        (0.8, 0.6, CHOW, {CHOW: 0.8, PONG: 0.12, act.PASS: 0.08}),
        (0.45, 0.4, act.PASS, {CHOW: 0.45, PONG: 0.22, act.PASS: 0.33}),
    ],
)
def test_claims_go_to_the_surest_model_that_says_yes(monkeypatch, chow, pong, wanted, policy):
    Stub(monkeypatch, SuphxAgent, {CHOW: chow, PONG: pong}).check([CHOW, PONG, act.PASS], wanted, policy)


def test_all_options_of_a_claim_are_asked(monkeypatch):
    options = {CHOW: 0.3, CHOW + 1: 0.7, CHOW + 4: 0.6, act.OPEN_KONG: 0.1}
    policy = {CHOW + 1: 0.7, CHOW + 4: 0.18, CHOW: 0.036, act.OPEN_KONG: 0.0084, act.PASS: 0.0756}
    Stub(monkeypatch, SuphxAgent, options).check([*options, act.PASS], CHOW + 1, policy)
    assert set(CLAIMS) == {"chow", "pong", "kong"}


@pytest.mark.parametrize(
    ("chow", "pong", "wanted", "policy"),
    [
        ((0.3, 0.4, 0.3), 0.2, CHOW, {CHOW: 0.4, CHOW + 1: 0.3, PONG: 0.06, act.PASS: 0.24}),
        ((0.3, 0.4, 0.3), 0.6, PONG, {PONG: 0.6, CHOW: 0.16, CHOW + 1: 0.12, act.PASS: 0.12}),
        ((0.5, 0.3, 0.2), 0.45, act.PASS, {PONG: 0.45, CHOW: 0.165, CHOW + 1: 0.11, act.PASS: 0.275}),
    ],
)
def test_gao_hears_its_chow_and_its_pong_model_in_the_same_order(monkeypatch, chow, pong, wanted, policy):
    # the third way to chow is not possible here: what its model says of it is left out
    stub = Stub(monkeypatch, GaoAgent, {"pong": pong}, chow=(*chow, 1e-6))
    stub.check([CHOW, CHOW + 1, PONG, act.PASS], wanted, policy)


@pytest.mark.parametrize("agent", [SuphxAgent, GaoAgent])
def test_a_win_comes_before_everything(monkeypatch, agent):
    monkeypatch.setattr("suzaku.agents.suphx.wanted_wins", lambda records, legal: np.where(legal[:, 116], 116, -1))
    answers = Stub(monkeypatch, agent, {"riichi": 0.99}).act([ONE, act.RIICHI, act.WIN_DRAW])
    assert answers.actions[0] == act.WIN_DRAW
    assert answers.policy[0, act.WIN_DRAW] == 1


def test_a_declined_win_leaves_the_rest_of_the_flow(monkeypatch):
    monkeypatch.setattr("suzaku.agents.suphx.wanted_wins", lambda records, legal: np.full(len(legal), -1))
    answers = Stub(monkeypatch, SuphxAgent, {PONG: 0.3}).act([act.WIN_DISCARD, PONG, act.PASS])
    assert answers.actions[0] == act.PASS
    assert answers.policy[0, act.WIN_DISCARD] == 0


def test_a_temperature_sharpens_every_step(monkeypatch):
    stub = Stub(monkeypatch, SuphxAgent, {"riichi": 0.8}, (0.7, 0.3))
    answers = stub.act([ONE, TWO, act.RIICHI], 0.5, 20_000)
    declared = 0.64 / 0.68
    best = (1 - declared) * 0.49 / 0.58
    assert (answers.actions == act.RIICHI).mean() == pytest.approx(declared, abs=0.01)
    assert (answers.actions == ONE).mean() == pytest.approx(best, abs=0.01)
    assert np.exp(answers.log_prob[answers.actions == ONE][0]) == pytest.approx(best, abs=1e-3)
    assert answers.policy[0, act.RIICHI] == pytest.approx(0.8, abs=1e-3), "the policy is that of temperature 1"


def test_a_certain_chow_model_leaves_a_policy(monkeypatch):
    stub = Stub(monkeypatch, GaoAgent, {"pong": 0.3}, chow=(1e-9, 0.1, 0.3, 0.6))
    for seed in range(50):
        rng = np.random.default_rng(seed)
        stub.chow = (1e-9, *rng.dirichlet(np.ones(3)))
        answers = stub.act([CHOW, CHOW + 1, CHOW + 2, PONG, act.PASS], 0.5)
        assert np.isfinite(answers.policy).all()
        assert answers.actions[0] >= CHOW


def test_certain_models_stay_finite():
    assert temper_yes(np.array([0.0, 1.0, np.nan], np.float32), 0.5).tolist() == [0, 1, 0]
    policy, rest = surest_first(np.array([[1.0, np.nan, 1.0]], np.float32), 0.5)
    assert policy.tolist() == [[1, 0, 0]]
    assert rest.tolist() == [0]
