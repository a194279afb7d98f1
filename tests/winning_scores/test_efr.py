"""Expected final rank, the chances that people are told, and the player `efr`."""

import numpy as np
import pytest

from suzaku.agents.efr import EfrAgent, find_own
from suzaku.agents.heuristic.agent import HeuristicAgent
from suzaku.agents.make import make_agent
from suzaku.hand.tables import tables
from suzaku.riichi import actions as act
from suzaku.riichi.table import Table
from suzaku.winning_scores.efr import ExpectedRank, payments
from suzaku.winning_scores.forecast import hand_chances, table_chances
from suzaku.winning_scores.model import BUNDLED, load_model


@pytest.fixture(scope="module")
def ranks():
    return ExpectedRank()


def test_payments_are_those_of_30_fu():
    assert payments(1, 1, 0, 2, 0).tolist() == [0, 1000, -1000, 0]
    assert payments(2, 0, 0, 3, 0).tolist() == [2900, 0, 0, -2900]
    assert payments(3, 1, 0, 1, 0).tolist() == [-2000, 4000, -1000, -1000]
    assert payments(4, 1, 0, 2, 2).tolist() == [0, 8300, -8300, 0]  # 7,700 and two honba
    assert payments(4, 0, 0, 0, 1).tolist() == [12000, -4000, -4000, -4000]


def test_more_han_are_worth_more_and_a_stick_costs(ranks):
    silent, riichi = ranks.classes(Table(seed=1).record.reshape(1))[0]
    assert (np.diff(silent) > 0).all()
    assert riichi[0] < silent[0]
    assert silent.min() > 0.3
    assert silent.max() < 0.8


def test_in_the_last_round_only_the_place_counts(ranks):
    record = Table(seed=1).record.reshape(1).copy()
    record["round_no"], record["dealer"], record["seat"] = 7, 3, 0
    record["scores"] = [30_000, 31_500, 20_000, 18_500]
    value = ranks.classes(record)[0, 0]
    assert value[2] == pytest.approx(1.0)  # 2,000 from anybody make it first
    assert value[0] == pytest.approx(2 / 3)
    record["scores"] = [50_000, 20_000, 16_000, 14_000]
    assert ranks.classes(record)[0, 0, [0, 4]] == pytest.approx([1, 1])
    both = np.concatenate([record, Table(seed=1).record.reshape(1), record])
    assert np.array_equal(ranks.classes(both)[[1]], ranks.classes(both[1:2]))


def play(agent, seed, rounds=1):
    table = Table(seed=seed)
    seen = []
    while not table.round_over:
        record, legal = table.record.reshape(1), table.legal_mask()[None]
        answer = agent.act(record, legal)
        assert legal[0, answer.actions[0]]
        seen.append((record.copy(), legal.copy(), int(answer.actions[0]), answer.values[0].copy()))
        table.act(int(answer.actions[0]))
    return seen


def test_it_plays_whole_rounds_and_chooses_the_best_value():
    agent, base = EfrAgent(), HeuristicAgent()
    own_decisions = differs = 0
    for seed in range(4):
        for record, legal, action, values in play(agent, seed):
            answers = base.act(record, legal)
            own = np.zeros(1, np.bool_)
            find_own(tables(), record, legal, answers.actions, own)
            if not own[0]:
                assert action == answers.actions[0]
                continue
            own_decisions += 1
            differs += action != answers.actions[0]
            choices = [a for a in (*range(act.DISCARD_DRAWN + 1), act.RIICHI) if legal[0, a]]
            assert values[action] == max(values[a] for a in choices)
    assert own_decisions > 60
    assert differs > 5


def test_answers_do_not_depend_on_the_tables_asked_together():
    agent = EfrAgent()
    seen = play(agent, 9)
    records = np.concatenate([record for record, *_ in seen])
    legal = np.concatenate([legal for _, legal, *_ in seen])
    assert agent.act(records, legal).actions.tolist() == [action for *_, action, _ in seen]


def test_names_of_the_agent():
    assert make_agent("efr:mcp").name == "efr"
    with pytest.raises(ValueError, match="efr has no setting 'speed'; there is reward"):
        make_agent("efr:speed=1")
    with pytest.raises(ValueError, match="there is no model of winning scores 'nothing'"):
        make_agent("efr:nothing")


def test_chances_of_a_hand():
    found = hand_chances("123m4067p234789s1z", dora_indicators="3p", draws=12)
    good, bad = found[27], found[0]  # throwing the east is tenpai, throwing the 1m is not
    assert good.riichi is not None
    assert bad.riichi is None
    assert good.best[0] > bad.best[0]
    for one in found.values():
        for chances in filter(None, (one.silent, one.riichi)):
            assert all(0 <= p <= 1 for p in chances)
            assert list(chances) == sorted(chances, reverse=True)
    late = hand_chances("123m4067p234789s1z", dora_indicators="3p", draws=1)
    assert late[27].best[0] < good.best[0]
    with pytest.raises(ValueError, match="13"):
        hand_chances("123m4067p234789s")


def test_chances_at_a_table_are_of_closed_hands_with_a_drawn_tile():
    table = Table(seed=3)
    seat = table.seat
    found = table_chances(table.record, seat)
    assert set(found) == set(np.flatnonzero(table.record.hand[seat]))
    assert table_chances(table.record, (seat + 1) % 4) == {}


def test_the_bundled_models_are_small_and_can_be_loaded():
    names = sorted(path.stem for path in BUNDLED.glob("*.safetensors"))
    assert names == ["bcp", "mcp", "mcp-drawing"]
    for name in names:
        assert load_model(name).weights.any()
        assert (BUNDLED / f"{name}.safetensors").stat().st_size < 1_000_000
