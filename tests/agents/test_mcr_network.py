"""The `mcr` player: its flow, the logic beside the networks, and its place among the agents."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra [train]")

import torch

from suzaku.agents.make import make_agent
from suzaku.agents.mcr_network import McrAgent, best_chows, wanted_kongs
from suzaku.arena.selfplay import self_play
from suzaku.mcr import actions as act
from suzaku.mcr.state import CLAIM, PONG, STATE, TURN
from suzaku.networks.checkpoint import save
from suzaku.networks.modules import build
from suzaku.records.decisions import decisions_of
from suzaku.tiles import parse

NETWORKS = ("mcr-55-b1x3c8", "mcr-plan-b1c8")


@pytest.fixture(scope="module")
def players(tmp_path_factory):
    """Folders of fresh networks that are sure of themselves."""
    torch.manual_seed(2)
    folders = []
    for network in NETWORKS:
        folders.append(tmp_path_factory.mktemp(network))
        for model in McrAgent.MODELS:
            module = build(network, model)
            last = module.last if hasattr(module, "last") else module.head.last
            with torch.no_grad():
                last.weight.mul_(40)
            save(folders[-1] / model, module, {"network": network, "model": model})
    return folders


@pytest.fixture(scope="module")
def batch():
    games = list(self_play("heuristic", range(6), 6, game="mcr", tables=6))
    return next(iter(decisions_of(games, None, game="mcr", batch=500)))


@pytest.mark.parametrize("which", [0, 1])
def test_policies_are_legal_and_wins_are_taken(players, batch, which):
    agent = McrAgent(players[which], temperature=0.8, seed=3)
    answers = agent.act(batch.records, batch.legal)
    rows = np.arange(len(batch))
    assert batch.legal[rows, answers.actions].all()
    assert answers.policy.shape == batch.legal.shape
    assert answers.policy.sum(1) == pytest.approx(1, abs=1e-4)
    assert (answers.policy[~batch.legal] == 0).all()
    assert (answers.actions[batch.legal[:, act.WIN]] == act.WIN).all()
    assert batch.legal[:, act.WIN].any()
    settled = batch.legal[:, [act.OPEN_KONG, act.WIN]].any(1)
    claims = batch.legal[:, act.CHOW_LOW : act.OPEN_KONG].any(1) & ~settled
    said = answers.policy[claims, act.PASS]
    assert 0 < said.min() < said.max() < 1  # the models are heard
    again = agent.act(batch.records[:50], batch.legal[:50])
    assert (again.actions == answers.actions[:50]).all()  # whatever is asked together


def test_a_network_that_is_told_of_no_meld_is_asked_once(players, batch):
    agent = McrAgent(players[0])
    several = np.flatnonzero(batch.legal[:, act.CHOW_LOW : act.PONG].sum(1) > 1)
    assert len(several)
    policy = agent.act(batch.records[several], batch.legal[several]).policy
    assert ((policy[:, act.CHOW_LOW : act.PONG] > 0).sum(1) <= 1).all()


def hand(text, melds=(), drawn=None, offer=None):
    """A table that asks seat 0 about this hand."""
    record = np.zeros(1, STATE)
    s = record[0]
    s["rules"]["duplicate"], s["rules"]["minimum"], s["own_left"], s["left"] = 1, 8, 15, 60
    s["hand"][0] = np.bincount(parse(text), minlength=34)
    s["meld_type"], s["meld_kind"], s["drawn"] = -1, -1, -1 if drawn is None else parse(drawn)[0]
    for i, (type_, tile) in enumerate(melds):
        s["meld_type"][0, i], s["meld_kind"][0, i] = type_, parse(tile)[0]
    s["melds"][0] = len(melds)
    s["turn"], s["phase"] = (0, TURN) if offer is None else (3, CLAIM)
    s["offer"] = -1 if offer is None else parse(offer)[0]
    return record


def legal(*actions):
    mask = np.zeros((1, act.ACTIONS), np.bool_)
    mask[0, list(actions)] = True
    return mask


def test_kongs_by_logic():
    north = parse("4z")[0]
    # a fourth wind is of no other use
    table = hand("123m456p78s11p4444z", drawn="4z")
    assert wanted_kongs(table, legal(act.CLOSED_KONG + north, north))[0] == act.CLOSED_KONG + north
    # 3333m 4m 5m: a kong would break two chows
    three = parse("3m")[0]
    table = hand("12333345m456p78s1z", drawn="3m")
    assert wanted_kongs(table, legal(act.CLOSED_KONG + three, three))[0] == -1
    table = hand("123m456p78s11p4z", [(PONG, "4z")], drawn="4z")
    assert wanted_kongs(table, legal(act.ADDED_KONG + north, north))[0] == act.ADDED_KONG + north
    assert wanted_kongs(table, legal(north))[0] == -1


def test_the_chow_that_leads_to_eight_fan():
    # one tile short of a mixed straight either way: 3m or 6m beside 123m, only 3m beside 345m
    table = hand("1245m456p789s11z9p", offer="3m")
    both = legal(act.CHOW_LOW, act.CHOW_HIGH, act.PASS)
    assert best_chows(table, both)[0] == act.CHOW_HIGH
    assert best_chows(table, legal(act.CHOW_LOW, act.PASS))[0] == act.CHOW_LOW


def test_make(players):
    agent = make_agent(f"mcr:{players[0]},temperature=0.5,seed=4", "mcr")
    assert (agent.game, agent.temperature, agent.seed) == ("mcr", 0.5, 4)
    with pytest.raises(ValueError, match="mcr has no setting 'adapt'"):
        make_agent(f"mcr:{players[0]},adapt=4", "mcr")
    with pytest.raises(ValueError, match="there is no agent 'mcr' of riichi"):
        make_agent("mcr")
    with pytest.raises(ValueError, match=r"not a network of suphx: try mcr:"):
        make_agent(f"suphx:{players[0]}")
